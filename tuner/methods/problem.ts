// problemOf(): the function that methods minimise, the objective at a fixed K plus a penalty for leaving the prior, over the coordinates
// that are free. A point is a weight vector: all middlegame values, then all endgame values.

import type { Losses, Objective } from '../objective/objective.js';

export interface PenaltySettings {
  /** Adds penalty · Σ (weight − prior)² to the train loss. */
  penalty: number;
  prior: Float64Array;
}

export type Problem = ReturnType<typeof problemOf>;
export type Curvature = Awaited<ReturnType<Problem['curvature']>>;
export type CoordinateSearch = Awaited<ReturnType<Problem['search']>>;

/** Rows for each free coordinate, with which a sampled matrix is good to a few per cent. */
const ROWS_PER_COORDINATE = 64;
const MIN_ROWS = 32_768;

/** Returns n for a sample of every n-th of the rows that is large enough for the matrix. */
export function sampleStride(rows: number, free: Uint8Array): number {
  const wanted = Math.max(MIN_ROWS, ROWS_PER_COORDINATE * free.reduce((sum, flag) => sum + flag, 0));
  return Math.max(1, Math.floor(rows / wanted));
}

/** Returns the problem; coordinates that are 0 in `free` keep their starting value: their gradient is 0. */
export function problemOf(objective: Objective, k: number, { penalty, prior }: PenaltySettings, free: Uint8Array) {
  const { heldOut } = objective;
  const stride = sampleStride(heldOut.length, free);
  const penaltyAt = (i: number, weight: number): number => penalty * (weight - prior[i]) * (weight - prior[i]);
  const addPenalty = (weights: Float64Array, gradient: Float64Array): void => {
    for (let i = 0; i < gradient.length; i++) {
      gradient[i] = free[i] === 1 ? gradient[i] + 2 * penalty * (weights[i] - prior[i]) : 0;
    }
  };

  return {
    dimension: free.length,
    free,
    /** Marks with 1 the rows that are held out; a method may only learn from the others. */
    heldOut,
    /** Returns the losses at the weights, without the penalty. */
    losses: (weights: Float64Array): Promise<Losses> => objective.evaluate(weights, k),
    /** Returns the losses at the weights, and fills the gradient of train loss plus penalty. */
    async gradient(weights: Float64Array, gradient: Float64Array): Promise<Losses> {
      const losses = await objective.evaluate(weights, k, gradient);
      addPenalty(weights, gradient);
      return losses;
    },
    penalty: (weights: Float64Array): number => weights.reduce((sum, weight, i) => sum + penaltyAt(i, weight), 0),
    /** Fills the gradient as gradient() does, estimated from the given training rows only. */
    async batchGradient(weights: Float64Array, rows: Uint32Array, gradient: Float64Array): Promise<void> {
      await objective.batchGradient(weights, k, rows, gradient);
      addPenalty(weights, gradient);
    },
    /** Returns the Gauss–Newton matrix of loss plus penalty at the weights, from a sample of the rows; valid until the next call. */
    async curvature(weights: Float64Array) {
      const matrix = await objective.curvature(weights, k, stride);
      const diagonal = matrix.diagonal.map((value, i) => (free[i] === 1 ? value + 2 * penalty : 0));
      const least = 1e-6 * diagonal.reduce((max, value) => Math.max(max, value), 0);
      return {
        diagonal,
        /** 1 / diagonal, at most 1e6 / its largest entry, 0 where not free: a scale that makes terms of all frequencies comparable. */
        inverse: diagonal.map((value, i) => (free[i] === 1 && least > 0 ? 1 / Math.max(value, least) : 0)),
        /** Fills `out` with the matrix times the vector. */
        async product(vector: Float64Array, out: Float64Array): Promise<void> {
          await matrix.product(vector, out);
          for (let i = 0; i < out.length; i++) out[i] = free[i] === 1 ? out[i] + 2 * penalty * vector[i] : 0;
        },
      };
    },
    /** Begins changes of single coordinates from the weights on. */
    async search(start: Float64Array) {
      const weights = start.slice();
      const search = await objective.search(weights, k);
      return {
        /** Returns the changes of the losses, the train side with its penalty, for the coordinate moved by +step and by −step. */
        async try(coordinate: number, step: number): Promise<{ up: Losses; down: Losses }> {
          const { up, down } = await search.try(coordinate, step);
          const at = weights[coordinate];
          const penalised = (losses: Losses, to: number): Losses => ({
            ...losses,
            train: losses.train + (penaltyAt(coordinate, to) - penaltyAt(coordinate, at)),
          });
          return { up: penalised(up, at + step), down: penalised(down, at - step) };
        },
        /** Moves the coordinate for good. */
        async move(coordinate: number, by: number): Promise<void> {
          weights[coordinate] += by;
          await search.move(coordinate, by);
        },
      };
    },
  };
}
