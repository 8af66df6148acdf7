// beginAt() and advance(): first and next points of the methods that use curvature, and their test that nothing more is to be gained.

import { type Point, pointAt } from './line-search.js';
import type { State } from './method.js';
import type { Problem } from './problem.js';

export interface CurvedState extends State, Point {
  /** Epochs in a row that gained next to nothing. */
  idle: number;
}

/** A gain below this is noise; three in a row end the fit. */
const MIN_GAIN = 1e-9;
const IDLE_EPOCHS = 3;

/** Returns the state at the weights before the first epoch. */
export async function beginAt(problem: Problem, weights: Float64Array): Promise<CurvedState> {
  return { ...(await pointAt(problem, weights.slice())), epoch: 0, done: false, idle: 0 };
}

/** Takes the next point; null means that none was found. */
export function advance(state: CurvedState, next: Point | null): void {
  if (next === null) {
    state.done = true;
    return;
  }
  state.idle = state.value - next.value < MIN_GAIN ? state.idle + 1 : 0;
  state.done = state.idle >= IDLE_EPOCHS;
  const { weights, losses, value, gradient } = next;
  Object.assign(state, { weights, losses, value, gradient });
}
