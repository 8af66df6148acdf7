// gaussNewton: damped Gauss–Newton (Levenberg and Marquardt). The gradient is exact; the matrix JᵀJ comes from a sample of the rows
// that is large enough for the number of weights, and is never written out: the damped system is solved by conjugate
// gradients on the sparse rows, to the accuracy that a step is worth (Dembo, Eisenstat and Steihaug).

import { along, dot, pointAt } from './line-search.js';
import type { Method } from './method.js';
import type { Curvature } from './problem.js';
import { advance, beginAt, type CurvedState } from './second-order.js';

interface GaussNewtonState extends CurvedState {
  damping: number;
}

const INITIAL_DAMPING = 1e-3;
const MIN_DAMPING = 1e-6;
const RETRIES = 8;
const ACCURACY = 0.1;
const PRODUCTS = 60;

export const gaussNewton: Method<GaussNewtonState> = {
  defaults: { rate: 1, decay: 0, batch: 0 },
  async start(problem, start) {
    return { ...(await beginAt(problem, start)), damping: INITIAL_DAMPING };
  },
  async step(problem, state, settings) {
    const curvature = await problem.curvature(state.weights);
    for (let retry = 0; retry < RETRIES; retry++) {
      const { direction, gain } = await solve(curvature, state.gradient, state.damping);
      const point = await pointAt(problem, along(state.weights, direction, settings.rate));
      const kept = (state.value - point.value) / gain;
      if (kept > 0.75) state.damping = Math.max(MIN_DAMPING, state.damping / 10);
      else if (!(kept > 0.25)) state.damping *= 10;
      if (point.value < state.value) return advance(state, point);
    }
    advance(state, null);
  },
};

/** Solves (H + damping · diagonal) direction = −gradient, and returns the gain that the quadratic model expects. */
async function solve(
  { diagonal, inverse: scale, product }: Curvature,
  gradient: Float64Array,
  damping: number,
): Promise<{ direction: Float64Array; gain: number }> {
  const direction = new Float64Array(gradient.length);
  const residual = gradient.map((value) => -value);
  const image = new Float64Array(gradient.length);
  let search = residual.map((value, i) => scale[i] * value);
  let size = dot(residual, search);
  const goal = ACCURACY * ACCURACY * size;
  for (let i = 0; i < PRODUCTS && size > goal; i++) {
    await product(search, image);
    for (let j = 0; j < image.length; j++) image[j] += damping * diagonal[j] * search[j];
    const length = size / dot(search, image);
    if (!(length > 0)) break;
    for (let j = 0; j < image.length; j++) {
      direction[j] += length * search[j];
      residual[j] -= length * image[j];
    }
    const before = size;
    size = residual.reduce((sum, value, j) => sum + scale[j] * value * value, 0);
    const last = search;
    search = residual.map((value, j) => scale[j] * value + (size / before) * last[j]);
  }
  return { direction, gain: (dot(direction, residual) - dot(direction, gradient)) / 2 };
}
