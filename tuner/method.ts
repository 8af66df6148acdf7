// What a fitting method is: an endless sequence of points in weight space. The driver in fit.ts decides when to stop
// and which point was best, so a method is one file that knows nothing about files, patience or progress bars.

import type { Losses } from './objective.js';

/** The function to be minimised over a weight vector (all middlegame values, then all endgame values). */
export interface Problem {
  readonly dimension: number;
  /** 0 for coordinates that must keep their starting value. */
  readonly free: Uint8Array;
  /** Data losses at the weights, without the penalty. */
  losses(weights: Float64Array): Promise<Losses>;
  /** Losses at the weights, and the gradient of train loss plus penalty into `gradient`; 0 where not free. */
  gradient(weights: Float64Array, gradient: Float64Array): Promise<Losses>;
}

/** A point with its data losses; `weights` is valid until the method is asked for the next one. */
export interface Iterate {
  weights: Float64Array;
  losses: Losses;
}

export interface MethodSettings {
  /** Step size in centipawns. */
  rate: number;
  /** Length of the schedule; the driver stops there at the latest. */
  epochs: number;
}

/** Yields the starting point first, then one point an epoch. */
export type Method = (problem: Problem, start: Float64Array, settings: MethodSettings) => AsyncGenerator<Iterate>;
