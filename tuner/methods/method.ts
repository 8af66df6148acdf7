// The interface of a fitting method: a state that can be stored, and a step from one epoch's state to the next. The driver in fit.ts
// decides when to stop and which point was best, so a method needs neither files nor patience nor progress bars. All it remembers is
// in its state, so a stored state continues to the same result.

import type { Losses } from '../objective/objective.js';

/** The function to be minimised over a weight vector (all middlegame values, then all endgame values). */
export interface Problem {
  readonly dimension: number;
  /** 0 for coordinates that must keep their starting value. */
  readonly free: Uint8Array;
  /** Marks with 1 the rows that are held out; a method may only learn from the others. */
  readonly heldOut: Uint8Array;
  /** Data losses at the weights, without the penalty. */
  losses(weights: Float64Array): Promise<Losses>;
  /** Losses at the weights, and the gradient of train loss plus penalty into `gradient`; 0 where not free. */
  gradient(weights: Float64Array, gradient: Float64Array): Promise<Losses>;
  /** The penalty on top of the train loss. */
  penalty(weights: Float64Array): number;
  /** As gradient(), estimated from the given training rows only. */
  batchGradient(weights: Float64Array, rows: Uint32Array, gradient: Float64Array): Promise<void>;
  /** The Gauss–Newton matrix at the weights, estimated from every `stride`-th row; valid until the next call. */
  curvature(weights: Float64Array, stride: number): Promise<Curvature>;
  /** Changes of single coordinates from the weights on. */
  search(weights: Float64Array): Promise<CoordinateSearch>;
}

/** The Gauss–Newton matrix JᵀJ of the train loss plus penalty, without ever being written out. */
export interface Curvature {
  readonly diagonal: Float64Array;
  /** Matrix times vector; 0 where not free. */
  product(vector: Float64Array, out: Float64Array): Promise<void>;
}

/** How losses change when one coordinate moves, at the cost of that term's positions. */
export interface CoordinateSearch {
  /** Changes of the losses, the train side with its penalty, for the coordinate moved by +step and by −step. */
  try(coordinate: number, step: number): Promise<{ up: Losses; down: Losses }>;
  /** Moves the coordinate for good. */
  move(coordinate: number, by: number): Promise<void>;
}

/**
 * A point with its data losses, and how it was reached. Methods add what they must remember, in anything that
 * structured cloning keeps.
 */
export interface State {
  weights: Float64Array;
  losses: Losses;
  /** Epochs done so far. */
  epoch: number;
  /** True when the method itself sees no further gain. */
  done: boolean;
}

export interface MethodSettings {
  /** Step size; in centipawns where the method moves by a fixed amount. */
  rate: number;
  /** The rate is divided by 1 + decay · epoch. */
  decay: number;
  /** Rows of a mini-batch; 0 for the whole data at once. */
  batch: number;
  /** Length of the schedule; the driver stops there at the latest. */
  epochs: number;
  /** Of the mini-batches. */
  seed: number;
}

export interface Method<S extends State = State> {
  /** Used where the user names none. */
  readonly defaults: Pick<MethodSettings, 'rate' | 'decay' | 'batch'>;
  /** Values are whole numbers at every epoch, so that nothing is left to be rounded. */
  readonly integral?: boolean;
  /** Chooses between weights by the held-out error, which is then no honest one: a half of the held-out games is kept from it. */
  readonly choosesByHeldOut?: boolean;
  /** Returns the state before the first epoch. */
  start(problem: Problem, weights: Float64Array, settings: MethodSettings): Promise<S>;
  /** Moves the state on by one epoch, in place; `state.epoch` is the driver's. */
  step(problem: Problem, state: S, settings: MethodSettings): Promise<void>;
}
