// The function that methods minimise: the objective at a fixed K plus a penalty for leaving the prior, over the
// coordinates that are free.

import type { Losses, Objective } from '../objective/objective.js';
import type { Problem } from './method.js';

export interface PenaltySettings {
  /** Adds penalty · Σ (weight − prior)² to the train loss. */
  penalty: number;
  prior: Float64Array;
}

/** Returns the problem; coordinates not marked in `free` have gradient 0. */
export function problemOf(objective: Objective, k: number, penalties: PenaltySettings, free: Uint8Array): Problem {
  const { penalty, prior } = penalties;
  const penaltyAt = (i: number, weight: number): number => penalty * (weight - prior[i]) * (weight - prior[i]);
  const addPenalty = (weights: Float64Array, gradient: Float64Array): void => {
    for (let i = 0; i < gradient.length; i++) {
      gradient[i] = free[i] === 1 ? gradient[i] + 2 * penalty * (weights[i] - prior[i]) : 0;
    }
  };

  return {
    dimension: free.length,
    free,
    heldOut: objective.heldOut,
    losses: (weights) => objective.evaluate(weights, k),
    async gradient(weights, gradient) {
      const losses = await objective.evaluate(weights, k, gradient);
      addPenalty(weights, gradient);
      return losses;
    },
    penalty: (weights) => weights.reduce((sum, weight, i) => sum + penaltyAt(i, weight), 0),
    async batchGradient(weights, rows, gradient) {
      await objective.batchGradient(weights, k, rows, gradient);
      addPenalty(weights, gradient);
    },
    async curvature(weights, stride) {
      const diagonal = new Float64Array(free.length);
      await objective.linearise(weights, k, stride, diagonal);
      for (let i = 0; i < diagonal.length; i++) diagonal[i] = free[i] === 1 ? diagonal[i] + 2 * penalty : 0;
      return {
        diagonal,
        async product(vector, out) {
          await objective.product(vector, out);
          for (let i = 0; i < out.length; i++) out[i] = free[i] === 1 ? out[i] + 2 * penalty * vector[i] : 0;
        },
      };
    },
    async search(start) {
      const weights = start.slice();
      await objective.beginSearch(weights, k);
      return {
        async try(coordinate, step) {
          const { up, down } = await objective.tryMove(coordinate, step);
          const added = (by: number): number =>
            penaltyAt(coordinate, weights[coordinate] + by) - penaltyAt(coordinate, weights[coordinate]);
          const penalised = (losses: Losses, by: number): Losses => ({ ...losses, train: losses.train + added(by) });
          return { up: penalised(up, step), down: penalised(down, -step) };
        },
        async move(coordinate, by) {
          weights[coordinate] += by;
          await objective.move(coordinate, by);
        },
      };
    },
  };
}
