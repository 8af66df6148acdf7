// evened(): the surface for methods that scale each coordinate by its own slopes or curvature. A strong tie in the penalty keeps the two
// coordinates of an untapered value equal. In such a method, the tie would exceed every other curvature by far, and the coordinates would
// hardly move. On this surface, both coordinates have the same slope and the same curvature without the tie, and therefore stay equal.

import { type Contrast, entryAt, type Penalty } from '../priors/penalty.js';
import { inverseOf, type Surface } from './surface.js';

/** Returns the surface with tied coordinates that move together. The start weights must be equal at both coordinates of a tie. */
export function evened(surface: Surface, penalty: Penalty, ties: readonly Contrast[]): Surface {
  const pairs = ties.map(([[a], [b]]) => [a, b] as const);
  const even = (vector: Float64Array): void => {
    for (const [a, b] of pairs) vector[a] = vector[b] = (vector[a] + vector[b]) / 2;
  };
  return {
    ...surface,
    async gradient(weights, gradient) {
      const losses = await surface.gradient(weights, gradient);
      even(gradient);
      return losses;
    },
    async batchGradient(weights, rows, gradient) {
      await surface.batchGradient(weights, rows, gradient);
      even(gradient);
    },
    async curvature(weights) {
      const { diagonal, product } = await surface.curvature(weights);
      for (const [a, b] of pairs) {
        // No other contrast combines the two
        const tie = -2 * entryAt(penalty, a, b);
        diagonal[a] -= tie;
        diagonal[b] -= tie;
      }
      even(diagonal);
      return {
        diagonal,
        inverse: inverseOf(diagonal, surface.free),
        async product(vector, out) {
          await product(vector, out);
          even(out);
        },
      };
    },
  };
}
