// One tuning run: data in, weights out. The command line and the loop both call this, `tune compare` its two halves.

import { createHash } from 'node:crypto';
import type { WeightSet } from '../../engine/eval/weight-set.js';
import { programVersion } from '../../selfplay/common/version.js';
import { weightsHash } from '../../selfplay/common/weights.js';
import { datasetHash, positionCount } from '../dataset/dataset.js';
import { METHODS } from '../methods/methods.js';
import type { Losses, LossKind } from '../objective/objective.js';
import { derivativesAt, observe } from '../objective/observations.js';
import { evaluations, expectations } from '../objective/prediction.js';
import type { Loaded } from '../trace/load.js';
import type { Portrait } from '../trace/portrait.js';
import { fromVector } from '../weights/weights-file.js';
import { Checkpoint } from './checkpoint.js';
import { type FitProgress, type FitResult, fitWeights } from './fit.js';
import { type FitBench, fitSettings, prepareFit } from './fit-bench.js';
import { fitInRounds } from './rounds.js';
import type { TuneObserver } from './tune-observer.js';
import type { TuneSettings } from './tune-settings.js';

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
  /** Error of the weights on the held-out games that the method never saw; null where it saw none of them anyway. */
  untouched: number | null;
  seconds: number;
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
  labels: { blend: 0, count: 'positions', balancePhases: false, repeats: 'all' },
  k: null,
  reresolve: 0,
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
  if (settings.reresolve > 0) return tuneInRounds(settings, observer);
  const began = performance.now();
  const bench = await prepareFit(settings, observer);
  try {
    const checkpoint = checkpointFile === null ? null : new Checkpoint(checkpointFile, identityOf(settings, bench));
    const saved = checkpoint?.read() ?? null;
    if (saved !== null) observer.onContinue?.(saved.state.epoch);
    const onProgress = (progress: FitProgress): void => checkpoint?.keep(progress, observer.isInterrupted?.() === true);
    const fit = await fitWeights(bench.objective, fitSettings(bench, settings), { ...observer, onProgress }, saved);
    const seconds = (performance.now() - began) / 1000;
    await observer.onFitted?.(bench, fit);
    return resultOf(settings, bench, bench.before, fit, seconds);
  } finally {
    await bench.objective.close();
  }
}

/** The fit with positions resolved anew now and then (rounds.ts). */
async function tuneInRounds(settings: TuneSettings, observer: TuneObserver): Promise<TuneResult> {
  const began = performance.now();
  const { bench, before, fit } = await fitInRounds(settings, observer);
  try {
    const seconds = (performance.now() - began) / 1000;
    await observer.onFitted?.(bench, fit);
    return resultOf(settings, bench, before, fit, seconds);
  } finally {
    await bench.objective.close();
  }
}

function resultOf(
  settings: TuneSettings,
  bench: FitBench,
  before: WeightSet,
  fit: FitResult,
  seconds: number,
): TuneResult {
  const { prior, loaded, split, objective, k } = bench;
  const { trainGames, heldOutGames } = split;
  const { trainPositions, heldOutPositions } = objective;
  const counts = { trainGames, heldOutGames, trainPositions, heldOutPositions };
  const untouched = untouchedError(bench, fit.weights, settings.loss);
  const provenance = {
    ...provenanceOf(settings, { before, prior, loaded, fit, k, counts }),
    ...(untouched !== null && { untouched: rounded(untouched) }),
  };
  const weights = fromVector(fit.weights, provenance);
  return { before, weights, fit, k, portrait: loaded.portrait, ...counts, untouched, seconds };
}

function untouchedError({ loaded, untouched, labels, k }: FitBench, weights: Float64Array, kind: LossKind) {
  if (untouched === null) return null;
  const plain = observe(loaded.dataset, untouched, 1, k, kind);
  const observations = labels === undefined ? plain : { ...plain, targets: Float64Array.from(labels.target) };
  const expected = expectations(evaluations(loaded.dataset, weights), k);
  const { loss, total } = derivativesAt(observations, expected);
  return total > 0 ? loss / total : null;
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
    reresolve,
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
    reresolve,
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
