// One tuning run: data in, weights out. The command line and the loop both call this, `tune compare` its two halves.

import { createHash } from 'node:crypto';
import { recentre, TERM_COUNT } from '../engine/eval/terms.js';
import type { WeightSet } from '../engine/eval/weight-set.js';
import { programVersion } from '../selfplay/version.js';
import { loadWeights, weightsHash } from '../selfplay/weights.js';
import { Checkpoint } from './checkpoint.js';
import { countOccurrences, datasetHash, positionCount } from './dataset.js';
import { type FitObserver, type FitProgress, type FitResult, type FitSettings, fitWeights } from './fit.js';
import { fitK } from './fit-k.js';
import { type Freedom, stagesOf } from './freedom.js';
import { blendScores, type LabelSettings, type Labels, labelsOf } from './labels.js';
import { type Loaded, loadData } from './load.js';
import { METHODS } from './methods.js';
import { type Losses, type LossKind, type Objective, startObjective } from './objective.js';
import type { Portrait } from './portrait.js';
import type { FilterSettings } from './sample.js';
import { type Split, splitByOpening } from './split.js';
import { fromVector, toVector } from './weights-file.js';

export interface TuneSettings {
  data: readonly string[];
  /** A name in METHODS. */
  method: string;
  /** Names of weights or weight files; prior null: the start. */
  start: string;
  prior: string | null;
  /** Share of the openings whose games are held out. */
  holdout: number;
  filter: FilterSettings;
  epochs: number;
  patience: number;
  /** See MethodSettings. */
  rate: number;
  decay: number;
  batch: number;
  /**
   * Pull towards the prior: l2 / games · Σ (K · (weight − prior) / 400)² is added to the train loss. It is the variance
   * of results over the variance expected of a weight in logits, so it suits any scale of weights and any amount of data.
   */
  l2: number;
  /** As l2, with absolute values in place of squares. */
  l1: number;
  freedom: Freedom;
  labels: LabelSettings;
  /** null: fitted to the start weights. */
  k: number | null;
  /** Positions of the training side below which a term keeps its prior value. */
  leastOccurrences: number;
  loss: LossKind;
  workers: number;
}

export interface TuneResult {
  before: WeightSet;
  weights: WeightSet;
  fit: FitResult;
  k: number;
  portrait: Portrait;
  trainGames: number;
  heldOutGames: number;
  trainPositions: number;
  heldOutPositions: number;
  seconds: number;
}

/** Told of the stages of a run; `isInterrupted` ends it with the best weights so far. */
export interface TuneObserver extends Omit<FitObserver, 'onProgress'> {
  onReading?: (portrait: Portrait) => void;
  onData?: (portrait: Portrait, split: Split) => void;
  onStart?: (k: number) => void;
  /** The fit goes on from where a checkpoint left it. */
  onContinue?: (epoch: number) => void;
  /** Called before the workers end, for what needs the data as well as the fit. */
  onFitted?: (bench: FitBench, fit: FitResult) => Promise<void>;
}

export const DEFAULTS = {
  method: 'adam',
  start: 'shipped',
  prior: null,
  holdout: 0.1,
  epochs: 400,
  patience: 100,
  rate: METHODS['adam'].defaults.rate,
  decay: 0,
  batch: 0,
  l2: 1,
  l1: 0,
  freedom: { freeze: [], only: [], unfreeze: [] },
  labels: { blend: 0, count: 'positions', balancePhases: false },
  k: null,
  leastOccurrences: 1,
  loss: 'mse',
  filter: { skipPlies: 0, maxScore: null, decided: null, perGame: 12, resolve: 'none', seed: 1 },
} as const satisfies Omit<TuneSettings, 'data' | 'workers'>;

/**
 * Reads the data and fits the weights. Nothing is written but the checkpoint file, if one is named: a fit that is
 * interrupted leaves it behind, and continues from it.
 */
export async function tune(
  settings: TuneSettings,
  observer: TuneObserver = {},
  checkpointFile: string | null = null,
): Promise<TuneResult> {
  const began = performance.now();
  const bench = await prepareFit(settings, observer);
  const { before, prior, loaded, objective, k, split } = bench;
  try {
    const checkpoint = checkpointFile === null ? null : new Checkpoint(checkpointFile, identityOf(settings, bench));
    const saved = checkpoint?.read() ?? null;
    if (saved !== null) observer.onContinue?.(saved.state.epoch);
    const onProgress = (progress: FitProgress): void => checkpoint?.keep(progress, observer.isInterrupted?.() === true);
    const fit = await fitWeights(objective, fitSettings(bench, settings), { ...observer, onProgress }, saved);
    const seconds = (performance.now() - began) / 1000;
    await observer.onFitted?.(bench, fit);
    const { trainGames, heldOutGames } = split;
    const { trainPositions, heldOutPositions } = objective;
    const counts = { trainGames, heldOutGames, trainPositions, heldOutPositions };
    const provenance = provenanceOf(settings, { before, prior, loaded, fit, k, counts });
    const weights = fromVector(fit.weights, provenance);
    return { before, weights, fit, k, portrait: loaded.portrait, ...counts, seconds };
  } finally {
    await objective.close();
  }
}

/** Data and start of a fit, the same for every method. */
export interface FitBench {
  before: WeightSet;
  prior: WeightSet;
  loaded: Loaded;
  split: Split;
  objective: Objective;
  /** undefined: results, each counted once. */
  labels: Labels | undefined;
  k: number;
}

/** Reads the data, splits it, starts the workers and fits K; whoever calls it closes the objective. */
export async function prepareFit(settings: TuneSettings, observer: TuneObserver = {}): Promise<FitBench> {
  const before = loadWeights(settings.start);
  const prior = settings.prior === null ? before : loadWeights(settings.prior);
  const start = toVector(before);

  const { data, filter, workers, loss } = settings;
  const { isInterrupted = () => false, onReading = () => {} } = observer;
  const loaded = await loadData({ data, filter, weights: start, workers }, { onProgress: onReading, isInterrupted });
  const { dataset } = loaded;
  const split = splitByOpening(dataset, settings.holdout, filter.seed);
  observer.onData?.(loaded.portrait, split);

  const labels = labelsOf(dataset, settings.labels);
  const objective = startObjective(dataset, split.heldOut, {
    terms: TERM_COUNT,
    workers,
    loss,
    ...(labels && { labels }),
  });
  const k = settings.k ?? (await fitStartK(objective, start));
  if (labels !== undefined) await blendScores(labels, dataset, split.heldOut, settings.labels.blend);
  observer.onStart?.(k);
  return { before, prior, loaded, split, objective, labels, k };
}

/** Returns what the settings come to on these data. */
export function fitSettings(bench: FitBench, settings: TuneSettings): FitSettings {
  const { k, split, loaded } = bench;
  const { freedom, filter, l2, l1 } = settings;
  // Means that move into other terms would move frozen values too
  const keepsValues = freedom.freeze.length > 0 || freedom.only.length > 0;
  return {
    method: METHODS[settings.method],
    k,
    epochs: settings.epochs,
    patience: settings.patience,
    rate: settings.rate,
    decay: settings.decay,
    batch: settings.batch,
    seed: filter.seed,
    penalty: (l2 / split.trainGames) * (k / 400) ** 2,
    absolute: (l1 / split.trainGames) * (k / 400),
    start: toVector(bench.before),
    prior: toVector(bench.prior),
    occurrences: countOccurrences(loaded.dataset, TERM_COUNT, split.heldOut).map((count) =>
      count >= settings.leastOccurrences ? count : 0,
    ),
    stages: stagesOf(freedom),
    recentre: keepsValues ? () => {} : recentre,
  };
}

/** Returns the K that suits the weights best on the training side. */
export function fitStartK(objective: Objective, weights: Float64Array): Promise<number> {
  return fitK(async (k) => (await objective.evaluate(weights, k)).train);
}

interface Facts {
  before: WeightSet;
  prior: WeightSet;
  loaded: Loaded;
  fit: FitResult;
  k: number;
  counts: Record<string, number>;
}

/** A hash of everything that the steps of a fit depend on. */
function identityOf(settings: TuneSettings, { before, prior, loaded, k }: FitBench): string {
  const { data: _, workers: __, start: ___, prior: ____, ...rest } = settings;
  const parts = [rest, k, weightsHash(before), weightsHash(prior), datasetHash(loaded.dataset), programVersion()];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Everything that the weights depend on, and nothing else: no dates, durations or worker counts. */
function provenanceOf(settings: TuneSettings, facts: Facts): Record<string, unknown> {
  const { before, prior, loaded, fit, k, counts } = facts;
  const {
    method,
    holdout,
    filter,
    epochs,
    patience,
    rate,
    decay,
    batch,
    l2,
    l1,
    freedom,
    labels,
    loss,
    leastOccurrences,
  } = settings;
  return {
    generator: `heft tune ${programVersion()}`,
    data: loaded.files,
    dataset: datasetHash(loaded.dataset),
    games: loaded.portrait.games,
    positions: positionCount(loaded.dataset),
    ...counts,
    filter,
    holdout,
    method,
    loss,
    k: rounded(k),
    kFitted: settings.k === null,
    epochs,
    epochsRun: fit.epochs,
    bestEpoch: fit.bestEpoch,
    stopped: fit.stopped,
    patience,
    rate,
    decay,
    batch,
    l2,
    l1,
    leastOccurrences,
    ...freedom,
    ...labels,
    start: weightsHash(before),
    prior: weightsHash(prior),
    startLosses: roundedLosses(fit.start),
    bestLosses: roundedLosses(fit.best),
    losses: roundedLosses(fit.rounded),
  };
}

const rounded = (value: number): number => Number(value.toFixed(8));

const roundedLosses = ({ train, heldOut }: Losses): { train: number; heldOut: number | null } => ({
  train: rounded(train),
  heldOut: Number.isFinite(heldOut) ? rounded(heldOut) : null,
});
