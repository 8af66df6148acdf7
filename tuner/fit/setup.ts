// prepareFit() and fitSettings(): data, objective and settings of a fit. Loads and splits the data, starts the workers, fits K, and turns
// options into the settings of a fit.

import { recentre, TERM_COUNT } from '../../engine/eval/terms.js';
import type { WeightSet } from '../../engine/eval/weight-set.js';
import { loadWeights } from '../../selfplay/common/weights.js';
import { countOccurrences } from '../dataset/dataset.js';
import { firstOnSide } from '../dataset/repeats.js';
import { halfOfHeldOut, type Split, splitByOpening } from '../dataset/split.js';
import { METHODS } from '../methods/methods.js';
import { fitK } from '../objective/fit-k.js';
import { type Objective, startObjective } from '../objective/objective.js';
import { blendScores, type Targets, targetsOf } from '../objective/targets.js';
import type { DataSummary } from '../trace/data-summary.js';
import { type Loaded, loadData } from '../trace/load.js';
import { toVector } from '../weights/weights-file.js';
import type { FitObserver, FitResult, FitSettings } from './fit.js';
import { frozenTerms } from './frozen-terms.js';
import type { TuneSettings } from './tune-settings.js';

/** Data and start of a fit, the same for every method. */
export interface FitSetup {
  before: WeightSet;
  prior: WeightSet;
  loaded: Loaded;
  split: Split;
  /** Marks with 1 the held-out rows that a method which chooses by the held-out error never sees; null for other methods. */
  untouched: Uint8Array | null;
  objective: Objective;
  /** undefined: results, each counted once. */
  targets: Targets | undefined;
  k: number;
}

/** Told of the stages of a tuning run; `signal` ends it with the best weights so far. */
export interface TuneObserver extends Omit<FitObserver, 'onProgress'> {
  onReading?: (dataSummary: DataSummary) => void;
  onData?: (dataSummary: DataSummary, split: Split) => void;
  onStart?: (k: number) => void;
  /** The fit goes on from where a checkpoint left it. */
  onContinue?: (epoch: number) => void;
  /** Called before the workers end, for what needs the data as well as the fit. */
  onFitted?: (setup: FitSetup, fit: FitResult) => Promise<void>;
}

/** Returns the weights that the settings start from and those they pull towards. */
export function startWeights(settings: TuneSettings): Pick<FitSetup, 'before' | 'prior'> {
  const before = loadWeights(settings.start);
  return { before, prior: settings.prior === undefined ? before : loadWeights(settings.prior) };
}

/** Reads the data, splits it, starts the workers and fits K; whoever calls it closes the objective. */
export async function prepareFit(
  settings: TuneSettings,
  observer: TuneObserver = {},
  { before, prior } = startWeights(settings),
): Promise<FitSetup> {
  const start = toVector(before);

  const { data, workers, loss, seed } = settings;
  const loaded = await loadData({ data, filter: settings, weights: start, workers }, observer);
  const { dataset } = loaded;
  const split = splitByOpening(dataset, settings.holdout, seed);
  observer.onData?.(loaded.dataSummary, split);

  const chooses = METHODS[settings.method].choosesByHeldOut === true;
  const untouched = chooses ? halfOfHeldOut(dataset, split, seed) : null;
  const first = firstOnSide(loaded.firstSame, split.heldOut);
  const targets = targetsOf(dataset, settings, first, untouched ?? undefined);
  const objective = startObjective(dataset, split.heldOut, {
    terms: TERM_COUNT,
    workers,
    loss,
    ...(targets && { targets }),
  });
  const k = settings.k ?? (await fitStartK(objective, start));
  if (targets !== undefined) {
    await blendScores(targets, dataset, split.heldOut, settings.blend);
    objective.takeTargets();
  }
  observer.onStart?.(k);
  return { before, prior, loaded, split, untouched, objective, targets, k };
}

/** Returns what the settings come to on these data. */
export function fitSettings({ k, split, loaded, before, prior }: FitSetup, settings: TuneSettings): FitSettings {
  // Means that move into other terms would move frozen values too
  const keepsValues = settings.freeze.length > 0 || settings.only.length > 0;
  return {
    ...settings,
    method: METHODS[settings.method],
    k,
    penalty: (settings.l2 / split.trainGames) * (k / 400) ** 2,
    start: toVector(before),
    prior: toVector(prior),
    occurrences: countOccurrences(loaded.dataset, TERM_COUNT, split.heldOut),
    frozen: frozenTerms(settings),
    recentre: keepsValues ? () => {} : recentre,
  };
}

/** Returns the K that suits the weights best on the training side. */
export function fitStartK(objective: Objective, weights: Float64Array): Promise<number> {
  return fitK(async (k) => (await objective.evaluate(weights, k)).train);
}
