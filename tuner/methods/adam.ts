// adam: Adam (Kingma and Ba): each value moves by about `rate` centipawns a step whatever the size of its gradient, so that
// rare terms arrive as early as frequent ones.

import { cosineDecay, type FirstOrderState, firstOrder } from './first-order.js';

interface AdamState extends FirstOrderState {
  mean: Float64Array;
  square: Float64Array;
}

// Longer than usual for gradients, which have no noise on the whole data, and shorter for squares, which shrink with them
const BETA1 = 0.95;
const BETA2 = 0.99;
// Gradients by centipawn are about 1e-6; the usual 1e-8 would slow the rare terms down.
const EPSILON = 1e-12;

/** Adam; the rate falls along half a cosine wave. */
export const adam = firstOrder<AdamState>(
  { rate: 5, decay: 0, batch: 0 },
  ({ dimension }) => ({ mean: new Float64Array(dimension), square: new Float64Array(dimension) }),
  (state, settings) => {
    const { weights, gradient, mean, square, updates, epoch } = state;
    const rate = (settings.rate * cosineDecay(state, settings)) / (1 + settings.decay * epoch);
    const meanScale = 1 / (1 - BETA1 ** updates);
    const squareScale = 1 / (1 - BETA2 ** updates);
    for (let i = 0; i < weights.length; i++) {
      mean[i] = BETA1 * mean[i] + (1 - BETA1) * gradient[i];
      square[i] = BETA2 * square[i] + (1 - BETA2) * gradient[i] * gradient[i];
      weights[i] -= (rate * mean[i] * meanScale) / (Math.sqrt(square[i] * squareScale) + EPSILON);
    }
  },
);
