// fitWeights() runs a method from the start weights, keeps the point with the smallest sum of training error and penalty, and stops when
// this sum has not improved for some epochs. Methods that select by held-out error use that error instead; for the others, the prior
// prevents overfitting. The weights are rounded only at the end, because rounding after every epoch would undo steps below half a
// centipawn. The state after an epoch is a single object, which can be stored, and from which the fit can be resumed.

import { evened } from '../methods/evened.js';
import type { MethodSettings, State } from '../methods/method.js';
import type { AnyMethod } from '../methods/methods.js';
import { surfaceOf } from '../methods/surface.js';
import { byWeight, type Model } from '../model/model.js';
import type { Losses } from '../objective/loss.js';
import type { Objective } from '../objective/objective.js';
import { type Penalty, tiesOf } from '../priors/penalty.js';

/** Minimum gain that resets the patience. A match could not detect a smaller one. */
const MIN_GAIN = 1e-6;

/** Weights that a fit may change: those that occur in the training positions and are not frozen. */
export interface Coordinates {
  model: Model;
  /** Number of coefficients in the training positions, by weight. A weight without coefficients gets its prior value. */
  occurrences: Uint32Array;
  /** Weights marked 1 keep their start values; default: none. */
  frozen?: Uint8Array;
}

/** The settings of a fit apart from method and penalty. */
export interface FitTask extends Coordinates {
  k: number;
  /** Starting point: all middlegame values, then all endgame values. */
  start: Float64Array;
  /** Function of the model, called before rounding; a no-op with `--freeze` or `--only`. */
  recentre: Model['recentre'];
  /** Called before `recentre`. Limits falls in danger tables to those of the prior, and makes both phases of untapered weights equal. */
  order?: (weights: Float64Array) => void;
}

export interface FitSettings extends FitTask, Partial<MethodSettings> {
  penalty: Penalty;
  method: AnyMethod;
  epochs: number;
  /** The fit stops after this many epochs without a gain. */
  patience: number;
  /** Starting point of the first epoch; default: the start weights. */
  guess?: Float64Array;
}

/** Mean losses after an epoch. `heldOut` is null if no positions are held out. `seconds` counts from the start of the fit. */
export interface CurvePoint {
  epoch: number;
  train: number;
  heldOut: number | null;
  seconds: number;
}

/** The `--l2` of a second fit, and its share in the mean. */
export interface SecondFit {
  l2: number;
  share: number;
}

export interface FitResult {
  /** All middlegame values, then all endgame values; integers, except for frozen values of other engines. */
  weights: Float64Array;
  start: Losses;
  /** Losses at the best epoch, before rounding. */
  best: Losses;
  /** Losses of `weights`. */
  rounded: Losses;
  /** The second fit that was averaged into `weights`, if any (few-games.ts). */
  averaged?: SecondFit;
  /** The leaf rounds after the fit, and the losses of its whole-number weights before them (leaf-rounds.ts). */
  leafRounds?: { rounds: number; before: Losses; recorded: Float32Array };
  bestEpoch: number;
  epochs: number;
  stopped: 'converged' | 'epochs' | 'interrupted';
  curve: CurvePoint[];
}

/** State of a fit after an epoch. */
export interface FitProgress {
  state: State;
  best: { weights: Float64Array; losses: Losses; epoch: number };
  /** The last gain that reset the patience: its epoch, and the value of the criterion (`worth`) after it. */
  gain: { epoch: number; loss: number };
  curve: CurvePoint[];
}

/** Progress of a running fit, and its stop signal. */
export interface FitObserver {
  onEpoch?: (point: CurvePoint, bestEpoch: number) => void;
  signal?: AbortSignal;
}

export interface ProgressObserver extends FitObserver {
  /** Called before the first epoch, after each epoch and on interruption, with the state to resume from. */
  onProgress?: (progress: FitProgress) => void;
}

/** Fits the weights, from the state `saved` if given. If interrupted, returns the best weights so far. */
export async function fitWeights(
  objective: Objective,
  settings: FitSettings,
  observer: ProgressObserver = {},
  saved: FitProgress | null = null,
): Promise<FitResult> {
  const { method, epochs } = settings;
  const { rate = method.rate, decay = 0, batch = 0, seed = 1 } = settings;
  const methodSettings: MethodSettings = { rate, decay, batch, epochs, seed };
  const { occurrences, penalty, frozen } = settings;
  const start = settings.start.map((value, i) => {
    const weight = i % occurrences.length;
    return occurrences[weight] > 0 || frozen?.[weight] === 1 ? value : penalty.prior[i];
  });
  const free = freeCoordinates(settings);
  const plain = surfaceOf(objective, settings.k, penalty, free);
  const surface = method.scales === true ? evened(plain, penalty, tiesOf(settings.model, free)) : plain;
  const byHeldOut = method.choosesByHeldOut === true && objective.heldOutPositions > 0;
  const worth = ({ weights, losses }: Pick<State, 'weights' | 'losses'>): number =>
    byHeldOut ? losses.heldOut : losses.train + surface.penalty(weights);
  const secondsBefore = saved?.curve.at(-1)?.seconds ?? 0;
  const began = performance.now();

  const record = (progress: FitProgress): void => {
    const { state, curve, best, gain } = progress;
    const { weights, losses, epoch } = state;
    if (worth(state) < worth(best)) progress.best = { weights: weights.slice(), losses, epoch };
    if (worth(state) < gain.loss - MIN_GAIN) progress.gain = { epoch, loss: worth(state) };
    const seconds = secondsBefore + (performance.now() - began) / 1000;
    const point = { epoch, train: losses.train, heldOut: finiteOrNull(losses.heldOut), seconds };
    curve.push(point);
    observer.onEpoch?.(point, progress.best.epoch);
  };

  const begin = async (): Promise<FitProgress> => {
    const state: State = await method.start(surface, start, methodSettings);
    const { weights, losses } = state;
    const gain = { epoch: 0, loss: worth(state) };
    const progress: FitProgress = { state, best: { weights: weights.slice(), losses, epoch: 0 }, gain, curve: [] };
    record(progress);
    if (settings.guess !== undefined) progress.state = await method.start(surface, settings.guess, methodSettings);
    observer.onProgress?.(progress);
    return progress;
  };
  const progress = saved ?? (await begin());

  let stopped: FitResult['stopped'] | null = null;
  while (stopped === null) {
    const { state, gain } = progress;
    if (observer.signal?.aborted === true) {
      stopped = 'interrupted';
      observer.onProgress?.(progress);
    } else if (state.done || state.epoch - gain.epoch >= settings.patience) {
      stopped = 'converged';
    } else if (state.epoch >= settings.epochs) {
      stopped = 'epochs';
    } else {
      await method.step(surface, state, methodSettings);
      state.epoch++;
      record(progress);
      observer.onProgress?.(progress);
    }
  }

  const { best, curve } = progress;
  const ordered = best.weights.slice();
  settings.order?.(ordered);
  const weights = roundWeights(ordered, settings.recentre, settings.model.limit, frozen);
  const rounded = await surface.losses(weights);
  const { train, heldOut } = curve[0];
  return {
    weights,
    start: { train, heldOut: heldOut ?? Number.NaN },
    best: best.losses,
    rounded,
    bestEpoch: best.epoch,
    epochs: progress.state.epoch,
    stopped,
    curve,
  };
}

/** Returns the weights recentred, rounded and clamped to ±limit. Frozen weights, which may have fractions, are unchanged. */
export function roundWeights(
  weights: Float64Array,
  recentre: Model['recentre'],
  limit: number,
  frozen?: Uint8Array,
): Float64Array {
  const rounded = weights.slice();
  const terms = rounded.length / 2;
  recentre(rounded.subarray(0, terms), rounded.subarray(terms), weights.every(Number.isInteger));
  // Adding 0 turns -0 into 0
  return rounded.map((value, i) =>
    frozen?.[i % terms] === 1 ? value : Math.round(Math.max(-limit, Math.min(limit, value))) + 0,
  );
}

/** Returns a flag per coordinate: 1 if its weight occurs and is not frozen, and the coordinate affects the evaluation. */
export function freeCoordinates({ model, occurrences, frozen }: Coordinates): Uint8Array {
  const terms = occurrences.length;
  // Scale factors affect only the endgame, so their middlegame values are unused
  const isFactor = byWeight(model, ({ act }) => act === 'factor');
  return Uint8Array.from({ length: 2 * terms }, (_, i) => {
    return occurrences[i % terms] > 0 && frozen?.[i % terms] !== 1 && !(i < terms && isFactor[i]) ? 1 : 0;
  });
}

/** Returns the loss, or null if it is NaN because there are no positions. */
export const finiteOrNull = (value: number): number | null => (Number.isFinite(value) ? value : null);
