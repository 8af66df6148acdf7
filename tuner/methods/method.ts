// Method: the interface of a fitting method. A method has a state, which can be stored, and a step that advances the state by one epoch.
// The state is complete, so a resumed fit has the same result. The driver (fit/fit.ts) decides when to stop, and selects the best point.

import type { Losses } from '../objective/loss.js';
import type { Surface } from './surface.js';

/** A point with its losses. Methods add fields, whose types must support structured cloning. */
export interface State {
  weights: Float64Array;
  losses: Losses;
  /** Epochs done so far. */
  epoch: number;
  /** True when the method has converged. */
  done: boolean;
}

export interface MethodSettings {
  /** Step size: in centipawns for adam, a multiple of the method's own step for the others. */
  rate: number;
  /** In gd and adam, the rate is divided by 1 + decay · epoch. */
  decay: number;
  /** Rows of a mini-batch; 0 for all data. */
  batch: number;
  /** Maximum number of epochs, over which adam's rate decays. */
  epochs: number;
  /** Seed of the mini-batches. */
  seed: number;
}

export interface Method<S extends State = State> {
  /** The usual rate. */
  readonly rate: number;
  /** Whether it moves single values by integers, and therefore cannot move both phases of an untapered value together. */
  readonly integral?: boolean;
  /** Whether it scales each coordinate by its own slopes or curvature, and therefore needs evened() for untapered values. */
  readonly scales?: boolean;
  /** Whether it selects by held-out error. This biases the error, so half of the held-out games are hidden from the method. */
  readonly choosesByHeldOut?: boolean;
  /** Whether it usually runs for all epochs instead of ending on convergence. */
  readonly takesAllEpochs?: boolean;
  /** Whether `batch` and `decay` affect it. */
  readonly takesBatches?: boolean;
  /** Returns the state before the first epoch. */
  start(surface: Surface, weights: Float64Array, settings: MethodSettings): Promise<S>;
  /** Advances the state by one epoch, in place; the driver updates `state.epoch`. */
  step(surface: Surface, state: S, settings: MethodSettings): Promise<void>;
}
