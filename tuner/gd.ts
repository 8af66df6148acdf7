// Gradient descent on random mini-batches with a falling rate, as chess4j's tuner: the plainest method, and the
// yardstick of the others.

import { firstOrder } from './first-order.js';

// Gradients by centipawn become those by hundreds of centipawns, where a rate near 100 suits.
const UNIT = 1e4;

/** Gradient descent; a step is `rate` times the gradient, weights counted in units of 100 centipawns. */
export const gd = firstOrder(
  { rate: 100, decay: 0.05, batch: 10_000 },
  () => ({}),
  ({ weights, gradient, epoch }, settings) => {
    const rate = (UNIT * settings.rate) / (1 + settings.decay * epoch);
    for (let i = 0; i < weights.length; i++) weights[i] -= rate * gradient[i];
  },
);
