// Standard errors of fitted weights. Positions of a game share its result, so games are the observations: the sandwich H⁻¹ S H⁻¹ (Huber,
// White, clustered by game), H from Gauss–Newton and S the sum over games of the squares of their gradients. The prior counts as one more
// observation of each weight, so a weight without data is as uncertain as the prior.

import { recentre, TERM_COUNT } from '../../engine/eval/terms.js';
import { type Dataset, entryTerm, positionCount } from '../dataset/dataset.js';
import { type Derivatives, derivativesAt, type Observations } from '../objective/loss-derivatives.js';
import { evaluations, expectations } from '../objective/prediction.js';
import { eachProductRow, factorize, invertFactorized, type SymmetricMatrix } from './cholesky.js';
import { addPositions, coordinatesOf, emptySums, matrixOf, smallestRidge } from './normal-matrix.js';

export interface StandardErrors {
  /** Standard error in centipawns by weight, NaN where neither data nor prior say anything. */
  errors: Float64Array;
  /** By how much the mean held-out loss exceeds that of the best possible weights (half the trace of H · covariance). */
  excess: number;
  /** Rows are H⁻¹'s, recentred: influence · gradient of a position is how far it pulls each weight, see pulls(). */
  influence: SymmetricMatrix;
  /** Sum over games of the square of their gradient. */
  squares: SymmetricMatrix;
  /** Of each position's loss by its evaluation, and the result expected of it. */
  derivatives: Derivatives;
  expected: Float64Array;
}

export interface StandardErrorSettings {
  weights: Float64Array;
  /** As in the fit: penalty · Σ (weight − prior)² on the mean loss, so many games. */
  penalty: number;
  games: number;
  /** 0 for weights held at their prior. */
  free: Uint8Array;
  /** Chooses among vectors of equal evaluation; errors are those of the chosen ones. */
  recentre?: (mg: Float64Array, eg: Float64Array) => void;
}

/** Returns the standard errors of fitted weights from the positions they were fitted to. */
export function standardErrorsOf(observations: Observations, settings: StandardErrorSettings): StandardErrors {
  const { dataset, k } = observations;
  const { weights, penalty, games, free } = settings;
  const centre = settings.recentre ?? recentre;
  const size = weights.length;
  const terms = size / 2;
  const expected = expectations(evaluations(dataset, weights), k);
  const derivatives = derivativesAt(observations, expected);
  const { slopes, curvatures, total } = derivatives;

  const coordinates = coordinatesOf(free);
  const sums = emptySums(terms);
  addPositions(sums, dataset, curvatures);
  const inverse = matrixOf(sums, terms, coordinates);
  const pull = 2 * penalty * total;
  const ridge = pull + smallestRidge(inverse);
  for (let a = 0; a < inverse.size; a++) inverse.values[a * inverse.size + a] += ridge;
  if (!factorize(inverse)) throw new Error('the normal matrix is not positive definite');
  invertFactorized(inverse);

  // The variance that the penalty stands for: penalty = noise / (games · variance)
  const noise = squaredMiss(observations, expected);
  const priorVariance = penalty > 0 ? noise / (penalty * games) : 0;
  const squares = gameSquares(dataset, slopes, terms, coordinates);
  const spare = pull * pull * priorVariance;

  const influence: SymmetricMatrix = { size, values: new Float64Array(size * size) };
  const variances = new Float64Array(size);
  const line = new Float64Array(size);
  let trace = 0;
  let plain = 0;
  eachProductRow(squares, inverse, (a, product) => {
    const row = inverse.values.subarray(a * inverse.size, (a + 1) * inverse.size);
    const centred = influence.values.subarray(coordinates[a] * size, (coordinates[a] + 1) * size);
    line.fill(0);
    trace += product[a] + spare * row[a];
    for (let b = 0; b < row.length; b++) {
      const value = product[b] + spare * row[b];
      plain += row[b] * value;
      line[coordinates[b]] = value;
      centred[coordinates[b]] = row[b];
    }
    centre(line.subarray(0, terms), line.subarray(terms));
    centre(centred.subarray(0, terms), centred.subarray(terms));
    for (let i = 0; i < size; i++) variances[i] += centred[i] * line[i];
  });
  const heldError = priorVariance > 0 ? Math.sqrt(priorVariance) : Number.NaN;
  const errors = variances.map((variance, i) => (free[i] === 1 ? Math.sqrt(Math.max(0, variance)) : heldError));
  const excess = (trace - pull * plain) / (2 * total);
  return { errors, excess, influence, squares: spreadOut(squares, coordinates, size), derivatives, expected };
}

/** Returns by how many centipawns each position pulls the weight of a coordinate: without it, the weight would be that much less. */
export function pulls(dataset: Dataset, { influence, derivatives }: StandardErrors, coordinate: number): Float64Array {
  const { size, values } = influence;
  const column = Float64Array.from({ length: size }, (_, j) => values[j * size + coordinate]);
  const directions = evaluations(dataset, column);
  return directions.map((direction, row) => -direction * derivatives.slopes[row]);
}

/** Returns in how many positions and in how many games each term counts among the rows that count by their `positionWeights`. */
export function occurrencesOf(dataset: Dataset, positionWeights: Float64Array, terms = TERM_COUNT) {
  const { offsets, packed, game } = dataset;
  const positions = new Uint32Array(terms);
  const games = new Uint32Array(terms);
  const latest = new Int32Array(terms).fill(-1);
  for (let row = 0; row < positionCount(dataset); row++) {
    if (positionWeights[row] === 0) continue;
    for (let at = offsets[row]; at < offsets[row + 1]; at++) {
      const term = entryTerm(packed[at]);
      positions[term]++;
      if (latest[term] === game[row]) continue;
      latest[term] = game[row];
      games[term]++;
    }
  }
  return { positions, games };
}

/** Gradients of games waiting to be added, and the rows of the matrix that they are added to at a time: both fit a cache. */
const WAITING = 2 ** 20;
const ROWS_AT_A_TIME = 64;

/** Sum over games of the outer product of their gradient with itself, for the given coordinates. */
function gameSquares(dataset: Dataset, slopes: Float64Array, terms: number, coordinates: Uint32Array): SymmetricMatrix {
  const { offsets, packed, phase, game } = dataset;
  const size = coordinates.length;
  const values = new Float64Array(size * size);
  const placeOf = new Int32Array(2 * terms).fill(-1);
  coordinates.forEach((coordinate, place) => {
    placeOf[coordinate] = place;
  });
  const gradient = new Float64Array(size);
  const isTouched = new Uint8Array(size);
  const touched = new Uint32Array(size);
  let count = 0;
  const add = (place: number, value: number): void => {
    if (place < 0) return;
    if (isTouched[place] === 0) touched[count++] = place;
    isTouched[place] = 1;
    gradient[place] += value;
  };
  const places = new Uint32Array(WAITING + size);
  const slopesAt = new Float64Array(WAITING + size);
  let ends = [0];
  const addWaiting = (): void => {
    const next = ends.slice();
    for (let band = 0; band < size; band += ROWS_AT_A_TIME) {
      for (let index = 0; index + 1 < ends.length; index++) {
        const [first, last] = [ends[index], ends[index + 1]];
        let a = next[index];
        for (; a < last && places[a] < band + ROWS_AT_A_TIME; a++) {
          const row = places[a] * size;
          const value = slopesAt[a];
          for (let b = first; b <= a; b++) values[row + places[b]] += value * slopesAt[b];
        }
        next[index] = a;
      }
    }
    ends = [0];
  };
  for (let row = 0; row < slopes.length; row++) {
    const mg = (slopes[row] * phase[row]) / 24;
    for (let at = offsets[row]; slopes[row] !== 0 && at < offsets[row + 1]; at++) {
      const coefficient = (packed[at] << 23) >> 23;
      add(placeOf[packed[at] >> 9], coefficient * mg);
      add(placeOf[terms + (packed[at] >> 9)], coefficient * (slopes[row] - mg));
    }
    if (row + 1 < slopes.length && game[row + 1] === game[row]) continue;
    let end = ends[ends.length - 1];
    for (const place of touched.subarray(0, count).sort()) {
      places[end] = place;
      slopesAt[end++] = gradient[place];
      gradient[place] = 0;
      isTouched[place] = 0;
    }
    count = 0;
    ends.push(end);
    if (end >= WAITING) addWaiting();
  }
  addWaiting();
  for (let i = 0; i < size; i++) for (let j = 0; j < i; j++) values[j * size + i] = values[i * size + j];
  return { size, values };
}

/** Returns the matrix among all coordinates, zero for those it does not speak of. */
function spreadOut(matrix: SymmetricMatrix, coordinates: Uint32Array, size: number): SymmetricMatrix {
  const values = new Float64Array(size * size);
  for (let a = 0; a < matrix.size; a++) {
    const row = coordinates[a] * size;
    for (let b = 0; b < matrix.size; b++) values[row + coordinates[b]] = matrix.values[a * matrix.size + b];
  }
  return { size, values };
}

function squaredMiss({ targets, positionWeights }: Observations, expected: Float64Array): number {
  let sum = 0;
  let total = 0;
  for (let row = 0; row < expected.length; row++) {
    sum += positionWeights[row] * (expected[row] - targets[row]) ** 2;
    total += positionWeights[row];
  }
  return sum / total;
}
