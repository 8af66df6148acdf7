// AdaGrad (Duchi, Hazan and Singer) on mini-batches, as Ethereal's tuner: each value's step shrinks with the gradients
// it has seen, so rare terms keep long steps and no schedule is needed.

import { type FirstOrderState, firstOrder } from './first-order.js';

interface AdaGradState extends FirstOrderState {
  squares: Float64Array;
}

const EPSILON = 1e-12;

/** AdaGrad; `rate` is the length of the first step in centipawns. */
export const adagrad = firstOrder<AdaGradState>(
  { rate: 15, decay: 0, batch: 16_384 },
  (dimension) => ({ squares: new Float64Array(dimension) }),
  ({ weights, gradient, squares, epoch }, settings) => {
    const rate = settings.rate / (1 + settings.decay * epoch);
    for (let i = 0; i < weights.length; i++) {
      squares[i] += gradient[i] * gradient[i];
      weights[i] -= (rate * gradient[i]) / (Math.sqrt(squares[i]) + EPSILON);
    }
  },
);
