// standardErrorsOf(): the standard errors of fitted weights. Positions of a game share its result, so each game counts as one observation.
// The covariance is the sandwich H⁻¹ S H⁻¹ (Huber, White, clustered by game), where H is the Gauss–Newton matrix and S is the sum of the
// squared gradients of the games. The prior counts as one more observation of each contrast, so a weight without data is as uncertain as
// the prior.

import { type Dataset, entryIndex, type Linearised } from '../dataset/dataset.js';
import { rowsByGame } from '../dataset/repeats.js';
import { factorize, invertFactorized, productOf, type SymmetricMatrix } from '../matrix/cholesky.js';
import { addRidge, coordinatesOf, normalMatrix } from '../matrix/normal-matrix.js';
import { sampleStride } from '../methods/surface.js';
import {
  type Derivatives,
  derivativesAt,
  evaluations,
  expectations,
  linearise,
  type Observations,
  productsWith,
} from '../objective/loss.js';
import { addPenalty, entryAt, type Penalty, productAt } from '../priors/penalty.js';

export interface StandardErrors {
  /** Standard error by weight, in the unit of the weight; NaN with neither data nor prior. */
  errors: Float64Array;
  /** Expected mean held-out loss minus the loss of the best possible weights (half the trace of H · covariance). */
  excess: number;
  /** Coordinates of the free weights, in the order of the rows of `influence` and `squares`. */
  coordinates: Uint32Array;
  /** Recentred rows of H⁻¹ over all coordinates; influence · gradient is a position's effect on each weight, see pulls(). */
  influence: Float64Array;
  /** Sum over games of gradient · gradientᵀ. */
  squares: SymmetricMatrix;
  /** The positions linearised at the weights. */
  rows: Linearised;
  /** Derivatives of each position's loss with respect to its evaluation, and its expected result. */
  derivatives: Derivatives;
  expected: Float64Array;
}

export interface StandardErrorSettings {
  weights: Float64Array;
  penalty: Penalty;
  /** 0 for weights that the fit does not change. */
  free: Uint8Array;
  /** Normalises a vector in place without changing any evaluation. The errors refer to normalised weights. */
  recentre: (mg: Float64Array, eg: Float64Array) => void;
}

/** Returns the standard errors of fitted weights, from the positions of the fit. */
export function standardErrorsOf(observations: Observations, settings: StandardErrorSettings): StandardErrors {
  const { dataset, k } = observations;
  const { weights, penalty, free, recentre } = settings;
  const size = weights.length;
  const expected = expectations(evaluations(dataset, weights), k);
  const derivatives = derivativesAt(observations, expected);
  const { slopes, curvatures, total } = derivatives;

  const coordinates = coordinatesOf(free);
  const rows = linearise(dataset, weights);
  const everyRow = Uint32Array.from(expected.keys());
  const inverse = normalMatrix(rows, sampledRoots(curvatures, free), everyRow, size / 2, coordinates);
  addPenalty(inverse, penalty, coordinates, 2 * total);
  addRidge(inverse);
  if (!factorize(inverse)) throw new Error('the normal matrix is not positive definite');
  invertFactorized(inverse);

  const squares = normalMatrix(rows, slopes, dataset.game, size / 2, coordinates, rowsByGame(dataset));
  const scatter = { size: squares.size, values: squares.values.slice() };
  addPenalty(scatter, penalty, coordinates, (2 * total) ** 2 * penalty.noise);

  const influence = new Float64Array(coordinates.length * size);
  const variances = new Float64Array(size);
  const line = new Float64Array(size);
  let trace = 0;
  let plain = 0;
  const products = productOf(scatter, inverse);
  for (const a of coordinates.keys()) {
    const product = products.subarray(a * inverse.size, (a + 1) * inverse.size);
    const row = inverse.values.subarray(a * inverse.size, (a + 1) * inverse.size);
    const centred = influence.subarray(a * size, (a + 1) * size);
    line.fill(0);
    trace += product[a];
    for (let b = 0; b < row.length; b++) {
      line[coordinates[b]] = product[b];
      centred[coordinates[b]] = row[b];
    }
    for (let b = 0; b < row.length; b++) plain += row[b] * productAt(penalty, line, coordinates[b]);
    for (const vector of [line, centred]) recentre(vector.subarray(0, size / 2), vector.subarray(size / 2));
    for (let i = 0; i < size; i++) variances[i] += centred[i] * line[i];
  }
  const priorError = (i: number): number => Math.sqrt(penalty.noise / (entryAt(penalty, i) || Number.NaN));
  const errors = variances.map((variance, i) => (free[i] === 1 ? Math.sqrt(Math.max(0, variance)) : priorError(i)));
  const excess = trace / (2 * total) - plain;
  return { errors, excess, coordinates, influence, rows, squares, derivatives, expected };
}

/**
 * Returns each position's influence on the weight of a coordinate, in the unit of the weight: without the position, the weight would be
 * lower by this amount.
 */
export function pulls(standardErrors: StandardErrors, coordinate: number): Float64Array {
  const { rows, coordinates, influence, derivatives, errors } = standardErrors;
  const column = new Float64Array(errors.length);
  for (const [a, j] of coordinates.entries()) column[j] = influence[a * errors.length + coordinate];
  const directions = productsWith(rows, column);
  return directions.map((direction, row) => -direction * derivatives.slopes[row]);
}

/** Returns the numbers of positions and games in which each weight counts, among rows with non-zero `positionWeights`. */
export function occurrencesOf(dataset: Dataset, positionWeights: Float64Array, terms: number) {
  const { offsets, packed, game } = dataset;
  const positions = new Uint32Array(terms);
  const games = new Uint32Array(terms);
  const lastRow = new Int32Array(terms).fill(-1);
  const lastGame = lastRow.slice();
  for (const row of rowsByGame(dataset)) {
    if (positionWeights[row] === 0) continue;
    for (let at = offsets[row]; at < offsets[row + 1]; at++) {
      const term = entryIndex(packed[at]);
      // A weight may count for the danger to both kings
      if (lastRow[term] !== row) positions[term]++;
      if (lastGame[term] !== game[row]) games[term]++;
      lastRow[term] = row;
      lastGame[term] = game[row];
    }
  }
  return { positions, games };
}

/** Returns the roots of the curvatures. If every n-th row suffices for the matrix, these rows are scaled to the full sum; others are 0. */
function sampledRoots(curvatures: Float64Array, free: Uint8Array): Float64Array {
  const stride = sampleStride(curvatures.length, free);
  if (stride === 1) return curvatures.map(Math.sqrt);
  const sampled = curvatures.map((value, row) => (row % stride === 0 ? value : 0));
  const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
  const scale = sum(curvatures) / sum(sampled);
  return sampled.map((value) => Math.sqrt(scale * value));
}
