// cg: nonlinear conjugate gradients (Polak–Ribière, restarted if the coefficient is negative). The coordinates are scaled by the diagonal
// of the Gauss–Newton matrix. Otherwise, frequent terms would limit the steps, and rare terms would converge slowly.

import { dot } from '../matrix/cholesky.js';
import { advance, beginAt, type CurvedState, lineSearch } from './line-search.js';
import type { Method } from './method.js';

interface CgState extends CurvedState {
  scale: Float64Array;
  direction: Float64Array;
  /** First step of the next line search, and the slope along `direction`. */
  step: number;
  slope: number;
}

/** Maximum absolute slope after a step, as a share of the slope before it. Conjugate gradients need a nearly exact line search. */
const FLATNESS = 0.2;

export const cg: Method<CgState> = {
  rate: 1,
  scales: true,
  async start(surface, start, settings) {
    const state = await beginAt(surface, start);
    const { inverse: scale } = await surface.curvature(start);
    const direction = state.gradient.map((value, i) => -scale[i] * value);
    const slope = dot(state.gradient, direction);
    return { ...state, scale, direction, step: settings.rate, slope };
  },
  async step(surface, state) {
    const { scale, gradient: before } = state;
    const found = await lineSearch(surface, state, state.direction, state.step, FLATNESS);
    advance(state, found?.point ?? null);
    if (found === null) return;

    const { gradient } = found.point;
    const length = before.reduce((sum, value, i) => sum + scale[i] * value * value, 0);
    const turn = gradient.reduce((sum, value, i) => sum + scale[i] * value * (value - before[i]), 0);
    const kept = Math.max(0, turn / length);
    state.direction = state.direction.map((value, i) => kept * value - scale[i] * gradient[i]);
    let slope = dot(gradient, state.direction);
    if (slope >= 0) {
      state.direction = gradient.map((value, i) => -scale[i] * value);
      slope = dot(gradient, state.direction);
    }
    // Assumes that the next step gains as much as this one (Nocedal and Wright, section 3.5)
    state.step = Math.min(10 * found.step, found.step * (state.slope / slope));
    state.slope = slope;
  },
};
