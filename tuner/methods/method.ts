// Method: the interface of a fitting method. A method has a state that can be stored, and a step from one epoch's state to the next. The
// driver in fit.ts decides when to stop and which point is best, so a method needs no files, patience or progress display. A resumed fit
// has the same result, because the state is complete.

import type { Losses } from '../objective/loss.js';
import type { Surface } from './surface.js';

/** A point with its losses and the path to it. Methods add fields of types supported by structured cloning. */
export interface State {
  weights: Float64Array;
  losses: Losses;
  /** Epochs done so far. */
  epoch: number;
  /** True when the method has converged. */
  done: boolean;
}

export interface MethodSettings {
  /** Step size; in centipawns for methods with fixed step lengths. */
  rate: number;
  /** The rate is divided by 1 + decay · epoch. */
  decay: number;
  /** Rows of a mini-batch; 0 for all data. */
  batch: number;
  /** Length of the schedule, and the maximum number of epochs. */
  epochs: number;
  /** Seed of the mini-batches. */
  seed: number;
}

export interface Method<S extends State = State> {
  readonly defaults: Pick<MethodSettings, 'rate' | 'decay' | 'batch'>;
  /** Whether values are integers at every epoch, so that no rounding is needed. */
  readonly integral?: boolean;
  /** Whether it selects by held-out error, which is then biased; half of the held-out games are hidden from it. */
  readonly choosesByHeldOut?: boolean;
  /** Whether it uses all epochs; other methods end on convergence. */
  readonly takesAllEpochs?: boolean;
  /** Returns the state before the first epoch. */
  start(surface: Surface, weights: Float64Array, settings: MethodSettings): Promise<S>;
  /** Advances the state by one epoch, in place; the driver updates `state.epoch`. */
  step(surface: Surface, state: S, settings: MethodSettings): Promise<void>;
}
