// cg: nonlinear conjugate gradients (Polak–Ribière with automatic restart when the product is negative). The coordinates are scaled by the
// diagonal of the Gauss–Newton matrix, because rare terms would otherwise slow down frequent ones.

import { dot } from '../matrix/cholesky.js';
import { advance, beginAt, type CurvedState, lineSearch } from './line-search.js';
import type { Method } from './method.js';

interface CgState extends CurvedState {
  scale: Float64Array;
  direction: Float64Array;
  /** Length and slope of the last step. */
  step: number;
  slope: number;
}

const FLATNESS = 0.2;

export const cg: Method<CgState> = {
  defaults: { rate: 1, decay: 0, batch: 0 },
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
    // Assumes that the next step gains as much as this one.
    state.step = Math.min(10 * found.step, found.step * (state.slope / slope));
    state.slope = slope;
  },
};
