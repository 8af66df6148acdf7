// gd: gradient descent. The coordinates are scaled by the diagonal of the Gauss–Newton matrix. Otherwise, frequent terms would limit the
// steps, and rare terms would converge slowly. Steps on all data use Nesterov's momentum, which is restarted when it leads uphill
// (O'Donoghue and Candès). Mini-batches, as in chess4j's tuner, are too noisy for momentum.

import { dot } from '../matrix/cholesky.js';
import { type FirstOrderState, firstOrder } from './first-order.js';
import type { Surface } from './surface.js';

interface GdState extends FirstOrderState {
  /** Step of each coordinate per unit of gradient (see safeSteps()). */
  scale: Float64Array;
  /** The previous point, before momentum was added. */
  last: Float64Array;
  /** Steps since the last restart of momentum. */
  run: number;
}

/** Number of matrix products, which determine the largest eigenvalue to a few per cent. */
const PRODUCTS = 12;

/** Gradient descent. `rate` is a multiple of the safe step. */
export const gd = firstOrder<GdState>(
  1,
  async (surface, weights) => ({ scale: await safeSteps(surface, weights), last: weights.slice(), run: 0 }),
  (state, settings) => {
    const { weights, gradient, scale, last, epoch } = state;
    const rate = settings.rate / (1 + settings.decay * epoch);
    const next = weights.map((value, i) => value - rate * scale[i] * gradient[i]);
    const isUphill = gradient.reduce((sum, slope, i) => sum + slope * (next[i] - last[i]), 0) > 0;
    state.run = settings.batch > 0 || isUphill ? 0 : state.run + 1;
    const momentum = state.run / (state.run + 3);
    for (let i = 0; i < weights.length; i++) weights[i] = next[i] + momentum * (next[i] - last[i]);
    state.last = next;
  },
);

/** Returns 1 / diagonal, divided by the largest eigenvalue of the scaled matrix. Power iteration finds the eigenvalue. */
async function safeSteps(surface: Surface, weights: Float64Array): Promise<Float64Array> {
  const { inverse: scale, product } = await surface.curvature(weights);
  const image = new Float64Array(scale.length);
  let vector = scale.map(Math.sqrt);
  let largest = 0;
  for (let i = 0; i < PRODUCTS; i++) {
    await product(vector, image);
    largest =
      dot(vector, image) / vector.reduce((sum, value, j) => sum + (scale[j] > 0 ? value ** 2 / scale[j] : 0), 0);
    const scaled = image.map((value, j) => scale[j] * value);
    const length = Math.sqrt(dot(image, scaled));
    vector = scaled.map((value) => value / length);
  }
  return scale.map((value) => (largest > 0 ? value / largest : 0));
}
