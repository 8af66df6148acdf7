// The effects of a screening: least squares of two responses, the error of the score and the agreement of the move with deep searches, on the
// levels of all factors. Differences between positions are removed first. An effect is expressed in doublings of nodes.

import { dot, factorize, invertFactorized } from '../../tuner/matrix/cholesky.js';
import { type Factor, levelsOf } from './design.js';
import type { ScreeningAnswer } from './worker.js';

/** The searches of one position, those other than references by their round. */
export interface Searched {
  position: number;
  references: readonly ScreeningAnswer[];
  rounds: ReadonlyMap<number, ScreeningAnswer>;
}

/** An effect with its standard error. */
export interface Estimate {
  effect: number;
  error: number;
}

/** Centipawns by which the odds of a win grow e-fold. */
const SCALE = 300;
/** Errors are relative to the spread of the references, which is at least LEAST_SPREAD in winning probability, and at most MOST_ERROR. */
const LEAST_SPREAD = 0.03;
const MOST_ERROR = 3;

const winning = (score: number): number => 1 / (1 + Math.exp(-Math.max(-2000, Math.min(2000, score)) / SCALE));

/** The responses of a search to be large: minus the error of its score, and the share of the references with its move. */
const RESPONSES: readonly ((searches: Searched) => (answer: ScreeningAnswer) => number)[] = [
  ({ references }) => {
    const chances = references.map(([, score]) => winning(score));
    const mean = chances.reduce((sum, chance) => sum + chance, 0) / chances.length;
    const variance = chances.reduce((sum, chance) => sum + (chance - mean) ** 2, 0) / chances.length;
    const unit = LEAST_SPREAD + Math.sqrt(variance);
    return ([, score]) => -Math.min(MOST_ERROR, Math.abs(winning(score) - mean) / unit);
  },
  ({ references }) =>
    ([move]) =>
      references.filter(([best]) => best === move).length / references.length,
];

/**
 * Returns the estimates of each response for each factor, in doublings of nodes, with the nodes themselves first; null for a response that
 * does not show the effect of the nodes by three standard errors.
 */
export function effectsOf(
  searches: readonly Searched[],
  factors: readonly Factor[],
  seed: number,
): (Estimate[] | null)[] {
  const size = factors.length;
  const values = new Float64Array(size * size);
  const sums = RESPONSES.map(() => ({ right: new Float64Array(size), square: 0 }));
  let freedom = -size;
  for (const searched of searches) {
    const { position, rounds } = searched;
    const rows = centred(Array.from(rounds.keys(), (round) => levelsOf(factors, seed, position, round)));
    for (const row of rows) addSquare(values, row);
    for (const [at, responseOf] of RESPONSES.entries()) {
      const response = responseOf(searched);
      const [column] = transposed(centred(Array.from(rounds.values(), (answer) => Float64Array.of(response(answer)))));
      const { right } = sums[at];
      for (const [at, row] of rows.entries()) for (let i = 0; i < size; i++) right[i] += row[i] * column[at];
      sums[at].square += dot(column, column);
    }
    freedom += rounds.size - 1;
  }
  if (freedom <= 0 || !factorize({ size, values })) return RESPONSES.map(() => null);
  invertFactorized({ size, values });
  return sums.map(({ right, square }) => {
    const effects = factors.map((_, i) => dot(values.subarray(i * size, (i + 1) * size), right));
    const variance = (square - dot(Float64Array.from(effects), right)) / freedom;
    const errors = factors.map((_, i) => Math.sqrt(variance * values[i * size + i]));
    const [doubling] = effects;
    if (!(doubling > 3 * errors[0])) return null;
    return effects.map((effect, i) => ({ effect: effect / doubling, error: errors[i] / doubling }));
  });
}

/** Returns the mean of estimates of the same effect, weighted by their precision. */
export function combined(estimates: readonly Estimate[]): Estimate {
  const weights = estimates.map(({ error }) => error ** -2);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const effect = estimates.reduce((sum, estimate, i) => sum + weights[i] * estimate.effect, 0) / total;
  return { effect, error: total ** -0.5 };
}

function centred(rows: readonly Float64Array[]): Float64Array[] {
  const means = transposed(rows).map((column) => column.reduce((sum, value) => sum + value, 0) / column.length);
  return rows.map((row) => row.map((value, i) => value - means[i]));
}

const transposed = (rows: readonly Float64Array[]): Float64Array[] =>
  Array.from(rows[0] ?? [], (_, i) => Float64Array.from(rows, (row) => row[i]));

function addSquare(values: Float64Array, row: Float64Array): void {
  const { length } = row;
  for (let i = 0; i < length; i++) for (let k = 0; k <= i; k++) values[i * length + k] += row[i] * row[k];
}
