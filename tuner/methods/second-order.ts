// What the methods that know curvature share: the diagonal of the Gauss–Newton matrix, which makes terms of all
// frequencies comparable, and the test that nothing more is to be gained.

import type { Problem, State } from './method.js';

export interface CurvedState extends State {
  /** Train loss plus penalty, and its gradient. */
  value: number;
  gradient: Float64Array;
  /** Epochs in a row that gained next to nothing. */
  idle: number;
}

/** Rows for each free coordinate, with which the sampled matrix is good to a few per cent. */
const ROWS_PER_COORDINATE = 64;
const MIN_ROWS = 32_768;

/** A gain below this is noise; three in a row end the fit. */
const MIN_GAIN = 1e-9;
const IDLE_EPOCHS = 3;

/** Returns n for a sample of every n-th row that is large enough for the matrix. */
export function sampleStride({ free, heldOut }: Problem): number {
  const rows = Math.max(MIN_ROWS, ROWS_PER_COORDINATE * free.reduce((sum, flag) => sum + flag, 0));
  return Math.max(1, Math.floor(heldOut.length / rows));
}

/** Returns 1 / diagonal; 0 where not free, and no more than a millionth of the largest entry would give. */
export function inverseDiagonal(problem: Problem, diagonal: Float64Array): Float64Array {
  const least = 1e-6 * diagonal.reduce((max, value) => Math.max(max, value), 0);
  return diagonal.map((value, i) => (problem.free[i] === 1 && least > 0 ? 1 / Math.max(value, least) : 0));
}

/** Takes the next point; `gained` null means that none was found. */
export function advance(
  state: CurvedState,
  next: Pick<CurvedState, 'weights' | 'losses' | 'value' | 'gradient'> | null,
): void {
  if (next === null) {
    state.done = true;
    return;
  }
  state.idle = state.value - next.value < MIN_GAIN ? state.idle + 1 : 0;
  state.done = state.idle >= IDLE_EPOCHS;
  state.weights = next.weights;
  state.losses = next.losses;
  state.value = next.value;
  state.gradient = next.gradient;
}
