// adagrad: AdaGrad (Duchi, Hazan and Singer) on mini-batches, as Ethereal's tuner: each value's step shrinks with the gradients
// it has seen, so rare terms keep long steps. The rate falls besides, or the noise of the batches would stay in the weights.

import { cosineDecay, type FirstOrderState, firstOrder } from './first-order.js';

interface AdaGradState extends FirstOrderState {
  squares: Float64Array;
}

const EPSILON = 1e-12;

/** AdaGrad; `rate` is the length of the first step in centipawns. */
export const adagrad = firstOrder<AdaGradState>(
  { rate: 40, decay: 0, batch: 16_384 },
  ({ dimension }) => ({ squares: new Float64Array(dimension) }),
  (state, settings) => {
    const { weights, gradient, squares, epoch } = state;
    const rate = (settings.rate * cosineDecay(state, settings)) / (1 + settings.decay * epoch);
    for (let i = 0; i < weights.length; i++) {
      squares[i] += gradient[i] * gradient[i];
      weights[i] -= (rate * gradient[i]) / (Math.sqrt(squares[i]) + EPSILON);
    }
  },
);
