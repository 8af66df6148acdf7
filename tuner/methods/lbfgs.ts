// lbfgs: L-BFGS (Nocedal): a quasi-Newton method that keeps the last few steps instead of a matrix, starting from the diagonal of the
// Gauss–Newton matrix.

import { dot, lineSearch, type Point } from './line-search.js';
import type { Method } from './method.js';
import { advance, beginAt, type CurvedState } from './second-order.js';

interface LbfgsState extends CurvedState {
  scale: Float64Array;
  pairs: { step: Float64Array; change: Float64Array }[];
}

const MEMORY = 16;
const FLATNESS = 0.9;

export const lbfgs: Method<LbfgsState> = {
  defaults: { rate: 1, decay: 0, batch: 0 },
  async start(problem, start) {
    const state = await beginAt(problem, start);
    return { ...state, scale: (await problem.curvature(start)).inverse, pairs: [] };
  },
  async step(problem, state, settings) {
    const direction = directionOf(state);
    const found = await lineSearch(problem, state, direction, settings.rate, FLATNESS);
    if (found !== null) remember(state, found.point);
    advance(state, found?.point ?? null);
  },
};

/** The two loops of Nocedal's recursion. */
function directionOf({ gradient, scale, pairs }: LbfgsState): Float64Array {
  const direction = gradient.map((value) => -value);
  const shares: number[] = [];
  for (const { step, change } of [...pairs].reverse()) {
    const share = dot(step, direction) / dot(step, change);
    shares.push(share);
    for (let i = 0; i < direction.length; i++) direction[i] -= share * change[i];
  }
  for (let i = 0; i < direction.length; i++) direction[i] *= scale[i];
  for (const { step, change } of pairs) {
    const share = (shares.pop() ?? 0) - dot(change, direction) / dot(step, change);
    for (let i = 0; i < direction.length; i++) direction[i] += share * step[i];
  }
  return direction;
}

function remember(state: LbfgsState, { weights, gradient }: Point): void {
  const step = weights.map((value, i) => value - state.weights[i]);
  const change = gradient.map((value, i) => value - state.gradient[i]);
  // Without this the matrix would not stay positive definite.
  if (dot(step, change) <= 0) return;
  state.pairs.push({ step, change });
  if (state.pairs.length > MEMORY) state.pairs.shift();
}
