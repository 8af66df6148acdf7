// How sure a fit is of each weight. Positions of one game share its result, so games are the observations: the sandwich
// H⁻¹ S H⁻¹ (Huber, White, clustered by game) with H from Gauss–Newton and S the sum over games of their gradients' squares. The
// prior counts as what it stands for, one more observation of each weight, so a weight no position speaks about is as
// uncertain as the prior itself.

import { recentre, TERM_COUNT } from '../engine/eval/terms.js';
import { type Dataset, entryTerm, positionCount } from './dataset.js';
import { smallestRidge } from './newton.js';
import {
  addPositions,
  emptySums,
  factorize,
  invertFactorized,
  matrixOf,
  type SymmetricMatrix,
} from './normal-matrix.js';
import { derivativesAt, type Observations } from './observations.js';
import { evaluations, expectations } from './prediction.js';

export interface Certainty {
  /** Standard error in centipawns by weight, NaN where neither data nor prior say anything. */
  errors: Float64Array;
  /** By how much the mean held-out loss exceeds that of the best possible weights (half the trace of H · covariance). */
  excess: number;
  /** Rows are H⁻¹'s, recentred: influence · gradient of a position is how far it pulls each weight, see pulls(). */
  influence: SymmetricMatrix;
  /** Sum over games of the square of their gradient. */
  squares: SymmetricMatrix;
  /** By position: slope of its loss by its evaluation. */
  slopes: Float64Array;
}

export interface CertaintySettings {
  weights: Float64Array;
  /** As in the fit: penalty · Σ (weight − prior)² on the mean loss, so many games. */
  penalty: number;
  games: number;
  /** 0 for weights held at their prior. */
  free: Uint8Array;
  /** Chooses among vectors of equal evaluation; errors are those of the chosen ones. */
  recentre?: (mg: Float64Array, eg: Float64Array) => void;
}

/** Returns the certainty of fitted weights from the positions they were fitted to. */
export function certaintyOf(observations: Observations, settings: CertaintySettings): Certainty {
  const { dataset, k } = observations;
  const { weights, penalty, games, free } = settings;
  const centre = settings.recentre ?? recentre;
  const size = weights.length;
  const terms = size / 2;
  const expected = expectations(evaluations(dataset, weights), k);
  const { slopes, curvatures, total } = derivativesAt(observations, expected);

  const sums = emptySums(terms);
  addPositions(sums, dataset, curvatures);
  const inverse = matrixOf(sums, terms);
  const pull = 2 * penalty * total;
  const ridge = pull + smallestRidge(inverse.values, size);
  for (let i = 0; i < size; i++) inverse.values[i * size + i] += ridge;
  hold(inverse, free);
  if (!factorize(inverse)) throw new Error('the normal matrix is not positive definite');
  invertFactorized(inverse);
  hold(inverse, free, 0);

  // The variance that the penalty stands for: penalty = noise / (games · variance)
  const noise = squaredMiss(observations, expected);
  const priorVariance = penalty > 0 ? noise / (penalty * games) : 0;
  const squares = gameSquares(dataset, slopes, terms);
  const spare = pull * pull * priorVariance;
  let trace = 0;
  for (let i = 0; i < size * size; i++) trace += squares.values[i] * inverse.values[i];
  for (let i = 0; i < size; i++) trace += spare * inverse.values[i * size + i];

  const spread = { squares, spare, eachGradient: gameGradients(dataset, slopes, terms) };
  const plain = sandwichDiagonal(inverse, spread).reduce((sum, value) => sum + value, 0);
  for (let j = 0; j < size; j++) {
    const row = inverse.values.subarray(j * size, (j + 1) * size);
    centre(row.subarray(0, terms), row.subarray(terms));
  }
  const variances = sandwichDiagonal(inverse, spread);
  const heldError = priorVariance > 0 ? Math.sqrt(priorVariance) : Number.NaN;
  const errors = variances.map((variance, i) => (free[i] === 1 ? Math.sqrt(Math.max(0, variance)) : heldError));
  return { errors, excess: (trace - pull * plain) / (2 * total), influence: inverse, squares, slopes };
}

/** Returns by how many centipawns each position pulls the weight of a coordinate: without it, the weight would be that much less. */
export function pulls(dataset: Dataset, { influence, slopes }: Certainty, coordinate: number): Float64Array {
  const { size, values } = influence;
  const column = Float64Array.from({ length: size }, (_, j) => values[j * size + coordinate]);
  const directions = evaluations(dataset, column);
  return directions.map((direction, row) => -direction * slopes[row]);
}

/** Returns in how many positions and in how many games each term counts among the rows that `shares` includes. */
export function occurrencesOf(dataset: Dataset, shares: Float64Array, terms = TERM_COUNT) {
  const { offsets, packed, game } = dataset;
  const positions = new Uint32Array(terms);
  const games = new Uint32Array(terms);
  const latest = new Int32Array(terms).fill(-1);
  for (let row = 0; row < positionCount(dataset); row++) {
    if (shares[row] === 0) continue;
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

/** Takes the held coordinates out of the matrix. */
function hold({ size, values }: SymmetricMatrix, free: Uint8Array, diagonal = 1): void {
  for (let i = 0; i < size; i++) {
    if (free[i] === 1) continue;
    for (let j = 0; j < size; j++) {
      values[i * size + j] = 0;
      values[j * size + i] = 0;
    }
    values[i * size + i] = diagonal;
  }
}

/** The variance of the gradient: squares by game, and what the prior adds to the diagonal. */
interface Spread {
  squares: SymmetricMatrix;
  spare: number;
  eachGradient: GameGradients;
}

/** Calls `visit` with each game's gradient and the coordinates it touches; both are used again for the next. */
type GameGradients = (visit: (gradient: Float64Array, touched: readonly number[]) => void) => void;

/** Returns the diagonal of Bᵀ · spread · B, B being the matrix: by games where they are few, else by the squares' sum. */
function sandwichDiagonal({ size, values }: SymmetricMatrix, { squares, spare, eachGradient }: Spread): Float64Array {
  const diagonal = new Float64Array(size);
  for (let j = 0; j < size; j++) {
    for (let i = 0; i < size; i++) diagonal[i] += spare * values[j * size + i] ** 2;
  }
  const line = new Float64Array(size);
  let work = 0;
  eachGradient((_, touched) => {
    work += touched.length;
  });
  if (work < size * size) {
    eachGradient((gradient, touched) => {
      line.fill(0);
      for (const j of touched) addRow(line, values, j * size, gradient[j]);
      for (let i = 0; i < size; i++) diagonal[i] += line[i] * line[i];
    });
    return diagonal;
  }
  for (let j = 0; j < size; j++) {
    line.fill(0);
    for (let other = 0; other < size; other++) {
      const factor = squares.values[j * size + other];
      if (factor !== 0) addRow(line, values, other * size, factor);
    }
    for (let i = 0; i < size; i++) diagonal[i] += values[j * size + i] * line[i];
  }
  return diagonal;
}

function addRow(line: Float64Array, values: Float64Array, from: number, factor: number): void {
  for (let i = 0; i < line.length; i++) line[i] += factor * values[from + i];
}

/** Sum over games of the outer product of their gradient with itself. */
function gameSquares(dataset: Dataset, slopes: Float64Array, terms: number): SymmetricMatrix {
  const size = 2 * terms;
  const values = new Float64Array(size * size);
  gameGradients(
    dataset,
    slopes,
    terms,
  )((gradient, touched) => {
    for (const i of touched) {
      const value = gradient[i];
      for (const j of touched) values[i * size + j] += value * gradient[j];
    }
  });
  return { size, values };
}

function gameGradients(dataset: Dataset, slopes: Float64Array, terms: number): GameGradients {
  const { offsets, packed, phase, game } = dataset;
  const gradient = new Float64Array(2 * terms);
  const touched: number[] = [];
  const add = (coordinate: number, value: number): void => {
    if (gradient[coordinate] === 0) touched.push(coordinate);
    // A sum that cancels must not be listed twice
    gradient[coordinate] += value === 0 ? Number.MIN_VALUE : value;
    if (gradient[coordinate] === 0) gradient[coordinate] = Number.MIN_VALUE;
  };
  return (visit) => {
    for (let row = 0; row < slopes.length; row++) {
      const mg = (slopes[row] * phase[row]) / 24;
      for (let at = offsets[row]; slopes[row] !== 0 && at < offsets[row + 1]; at++) {
        const count = (packed[at] << 23) >> 23;
        add(packed[at] >> 9, count * mg);
        add(terms + (packed[at] >> 9), count * (slopes[row] - mg));
      }
      if (row + 1 < slopes.length && game[row + 1] === game[row]) continue;
      visit(gradient, touched);
      for (const i of touched) gradient[i] = 0;
      touched.length = 0;
    }
  };
}

function squaredMiss({ targets, shares }: Observations, expected: Float64Array): number {
  let sum = 0;
  let total = 0;
  for (let row = 0; row < expected.length; row++) {
    sum += shares[row] * (expected[row] - targets[row]) ** 2;
    total += shares[row];
  }
  return sum / total;
}
