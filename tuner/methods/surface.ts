// surfaceOf(): the function that methods minimise, which is the train loss at a fixed K plus a penalty for the distance from the prior. A
// point is a weight vector: all middlegame values, then all endgame values. Only the free coordinates change.

import type { SymmetricMatrix } from '../matrix/cholesky.js';
import { coordinatesOf } from '../matrix/normal-matrix.js';
import type { Losses } from '../objective/loss.js';
import type { CoordinateSearch, Objective } from '../objective/objective.js';
import { addPenalty, entryAt, type Penalty, penaltyAt, productAt } from '../priors/penalty.js';

export type Surface = ReturnType<typeof surfaceOf>;

/** Rows per free coordinate with which a sampled matrix is accurate to a few per cent. */
const ROWS_PER_COORDINATE = 64;
const MIN_ROWS = 32_768;

/** Returns the largest n such that every n-th row is a large enough sample for the matrix. */
export function sampleStride(rows: number, free: Uint8Array): number {
  const wanted = Math.max(MIN_ROWS, ROWS_PER_COORDINATE * free.reduce((sum, flag) => sum + flag, 0));
  return Math.max(1, Math.floor(rows / wanted));
}

/**
 * Returns 1 / diagonal, at most 1e6 / (the largest entry); 0 for fixed coordinates. Used as a scale of steps, it makes rare and frequent
 * terms comparable.
 */
export function inverseOf(diagonal: Float64Array, free: Uint8Array): Float64Array {
  const least = 1e-6 * diagonal.reduce((max, value) => Math.max(max, value), 0);
  return diagonal.map((value, i) => (free[i] === 1 && least > 0 ? 1 / Math.max(value, least) : 0));
}

/** Returns the surface. Coordinates with 0 in `free` are fixed: their gradient is 0. */
export function surfaceOf(objective: Objective, k: number, penalty: Penalty, free: Uint8Array) {
  const { heldOut } = objective;
  const { prior } = penalty;
  const stride = sampleStride(heldOut.length, free);
  const coordinates = coordinatesOf(free);
  const distanceOf = (weights: Float64Array): Float64Array => weights.map((weight, i) => weight - prior[i]);
  const addSlopes = (weights: Float64Array, gradient: Float64Array): void => {
    const distance = distanceOf(weights);
    for (let i = 0; i < gradient.length; i++) {
      gradient[i] = free[i] === 1 ? gradient[i] + 2 * productAt(penalty, distance, i) : 0;
    }
  };

  return {
    dimension: free.length,
    free,
    coordinates,
    /** 1 for held-out rows, which a method may not use for gradients. */
    heldOut,
    /** Returns the losses at the weights, without the penalty. */
    losses: (weights: Float64Array): Promise<Losses> => objective.evaluate(weights, k),
    /** Returns the losses at the weights, and fills the gradient of train loss plus penalty. */
    async gradient(weights: Float64Array, gradient: Float64Array): Promise<Losses> {
      const losses = await objective.evaluate(weights, k, gradient);
      addSlopes(weights, gradient);
      return losses;
    },
    penalty: (weights: Float64Array): number => penaltyAt(penalty, weights),
    /** Fills the gradient of train loss plus penalty, estimated from these training rows. */
    async batchGradient(weights: Float64Array, rows: Uint32Array, gradient: Float64Array): Promise<void> {
      await objective.batchGradient(weights, k, rows, gradient);
      addSlopes(weights, gradient);
    },
    /** Returns the Gauss–Newton matrix of loss plus penalty at the weights for the free coordinates, from a sample of the rows. */
    async matrix(weights: Float64Array): Promise<SymmetricMatrix> {
      const matrix = await objective.matrix(weights, k, stride, coordinates);
      addPenalty(matrix, penalty, coordinates, 2);
      return matrix;
    },
    /**
     * Returns the same matrix over all coordinates: its diagonal, and a function for its products with vectors, which are valid until
     * another call scores the rows.
     */
    async curvature(weights: Float64Array) {
      const matrix = await objective.curvature(weights, k, stride);
      const diagonal = matrix.diagonal.map((value, i) => (free[i] === 1 ? value + 2 * entryAt(penalty, i) : 0));
      return {
        diagonal,
        inverse: inverseOf(diagonal, free),
        /** Fills `out` with the matrix times the vector. */
        async product(vector: Float64Array, out: Float64Array): Promise<void> {
          await matrix.product(vector, out);
          for (let i = 0; i < out.length; i++) {
            out[i] = free[i] === 1 ? out[i] + 2 * productAt(penalty, vector, i) : 0;
          }
        },
      };
    },
    /** Begins a search at the weights that moves one coordinate at a time. Its train loss includes the penalty. */
    async search(start: Float64Array): Promise<CoordinateSearch> {
      const distance = distanceOf(start);
      const search = await objective.search(start, k);
      return {
        try: async (coordinate, step) => {
          const { up, down } = await search.try(coordinate, step);
          const slope = 2 * step * productAt(penalty, distance, coordinate);
          const bend = step * step * entryAt(penalty, coordinate);
          return { up: { ...up, train: up.train + bend + slope }, down: { ...down, train: down.train + bend - slope } };
        },
        move: async (coordinate, by) => {
          distance[coordinate] += by;
          await search.move(coordinate, by);
        },
      };
    },
  };
}
