// Method: the interface of a fitting method, a state that can be stored, and a step from one epoch's state to the next. The driver in
// fit.ts decides when to stop and which point was best, so a method needs neither files nor patience nor progress bars. All it remembers is
// in its state, so a stored state continues to the same result.

import type { Losses } from '../objective/loss.js';
import type { Surface } from './problem.js';

/**
 * A point with its data losses, and how it was reached. Methods add what they must remember, in anything that
 * structured cloning keeps.
 */
export interface State {
  weights: Float64Array;
  losses: Losses;
  /** Epochs done so far. */
  epoch: number;
  /** True when the method has converged. */
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
  /** Takes all the epochs that it is given; others end when they are done. */
  readonly takesAllEpochs?: boolean;
  /** Returns the state before the first epoch. */
  start(problem: Surface, weights: Float64Array, settings: MethodSettings): Promise<S>;
  /** Moves the state on by one epoch, in place; `state.epoch` is the driver's. */
  step(problem: Surface, state: S, settings: MethodSettings): Promise<void>;
}
