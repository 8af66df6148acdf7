// Adam (Kingma and Ba) on the full batch: each value moves by about `rate` centipawns an epoch whatever the size of
// its gradient, so that rare terms arrive as early as frequent ones.

import type { Iterate, MethodSettings, Problem } from './method.js';

const BETA1 = 0.9;
const BETA2 = 0.999;
// Gradients by centipawn are about 1e-6; the usual 1e-8 would slow the rare terms down.
const EPSILON = 1e-12;
const FINAL_RATE = 0.01;

/** Adam; the rate falls along half a cosine wave to a hundredth at the last epoch. */
export async function* adam(problem: Problem, start: Float64Array, settings: MethodSettings): AsyncGenerator<Iterate> {
  const weights = start.slice();
  const gradient = new Float64Array(problem.dimension);
  const mean = new Float64Array(problem.dimension);
  const square = new Float64Array(problem.dimension);

  for (let epoch = 1; ; epoch++) {
    yield { weights, losses: await problem.gradient(weights, gradient) };

    const wave = (1 + Math.cos(Math.PI * Math.min(1, epoch / settings.epochs))) / 2;
    const rate = settings.rate * (FINAL_RATE + (1 - FINAL_RATE) * wave);
    const meanScale = 1 / (1 - BETA1 ** epoch);
    const squareScale = 1 / (1 - BETA2 ** epoch);
    for (let i = 0; i < weights.length; i++) {
      mean[i] = BETA1 * mean[i] + (1 - BETA1) * gradient[i];
      square[i] = BETA2 * square[i] + (1 - BETA2) * gradient[i] * gradient[i];
      weights[i] -= (rate * mean[i] * meanScale) / (Math.sqrt(square[i] * squareScale) + EPSILON);
    }
  }
}
