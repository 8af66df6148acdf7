// gaussNewton: damped Gauss–Newton (Levenberg and Marquardt). The gradient is exact; the matrix JᵀJ comes from a sample of the rows
// that is large enough for the number of weights. Priors that tie neighbours make it so stiff that it is factorised and not iterated on.

import { factorize, solveFactorized } from '../matrix/cholesky.js';
import { addRidge } from '../matrix/normal-matrix.js';
import { advance, along, beginAt, type CurvedState, dot, pointAt } from './line-search.js';
import type { Method } from './method.js';

interface GaussNewtonState extends CurvedState {
  damping: number;
}

const INITIAL_DAMPING = 1e-3;
const MIN_DAMPING = 1e-6;
const RETRIES = 8;
/** A gain below this would not show in any weight: chance moves the error of 40,000 games by several times as much. */
const MIN_GAIN = 1e-7;

export const gaussNewton: Method<GaussNewtonState> = {
  defaults: { rate: 1, decay: 0, batch: 0 },
  async start(problem, start) {
    return { ...(await beginAt(problem, start)), damping: INITIAL_DAMPING };
  },
  async step(problem, state, settings) {
    const { coordinates } = problem;
    const matrix = await problem.matrix(state.weights);
    const { size } = matrix;
    addRidge(matrix);
    const slopes = Float64Array.from(coordinates, (coordinate) => -state.gradient[coordinate]);
    for (let retry = 0; retry < RETRIES; retry++) {
      const damped = { size, values: matrix.values.slice() };
      for (let i = 0; i < size; i++) damped.values[i * size + i] *= 1 + state.damping;
      if (!factorize(damped)) {
        state.damping *= 10;
        continue;
      }
      const step = solveFactorized(damped, slopes);
      const gain = dot(step, slopes) / 2;
      const direction = new Float64Array(state.weights.length);
      for (const [place, coordinate] of coordinates.entries()) direction[coordinate] = step[place];
      const point = await pointAt(problem, along(state.weights, direction, settings.rate));
      const kept = (state.value - point.value) / gain;
      if (kept > 0.75) state.damping = Math.max(MIN_DAMPING, state.damping / 10);
      else if (!(kept > 0.25)) state.damping *= 10;
      if (!(point.value < state.value)) continue;
      advance(state, point);
      state.done ||= gain < MIN_GAIN;
      return;
    }
    advance(state, null);
  },
};
