// fitInRounds() minimises the error of the score at the end of a quiescence search (Texel's qScore) or of a shallow search. The end
// position depends on the weights. Each round therefore resolves the positions with the current weights and fits for some epochs. Rounds
// are compared by the error of their weights on the positions resolved with these weights.

import type { WeightSet } from '../../engine/eval/weight-set.js';
import { datasetHash } from '../dataset/dataset.js';
import type { Losses } from '../objective/loss.js';
import type { Producer } from '../rows/producer.js';
import { fromVector, toVector } from '../weights/weights-file.js';
import type { Checkpoint } from './checkpoint.js';
import type { StageObserver } from './data.js';
import type { CurvePoint, FitProgress, FitResult, ProgressObserver } from './fit.js';
import { type Problem, prepare, type Start, solve } from './problem.js';
import type { TuneSettings } from './tune-settings.js';

/** Minimum gain of a round; a smaller gain ends the fit. */
const MIN_GAIN = 1e-6;

/** A fit and its problem, with an open objective. `before` contains the weights before the first round. */
export interface Solution {
  problem: Problem;
  before: WeightSet;
  fit: FitResult;
}

/** State of the fit at the beginning of a round, or within it. */
export interface RoundsProgress {
  /** Weights that resolve the positions of the round, and the hash of the resulting dataset. */
  weights: Float64Array;
  dataset: string;
  k: number;
  /** Losses of the start weights, and the best weights so far, compared between rounds. */
  start: Losses;
  best: { weights: Float64Array; losses: Losses; epoch: number };
  /** Epochs and curve of earlier rounds. */
  epochs: number;
  curve: CurvePoint[];
  stopped: FitResult['stopped'] | null;
  /** State within the round; null at its beginning. */
  fit: FitProgress | null;
}

/** Fits for at most `settings.epochs` epochs, in rounds of `settings.reResolve` epochs. All rounds use the K of the first one. */
export async function fitInRounds(
  settings: TuneSettings,
  producer: Producer,
  given: Start,
  observer: StageObserver,
  checkpoint: Checkpoint<RoundsProgress> | null,
): Promise<Solution> {
  const saved = checkpoint?.read() ?? null;
  let { problem, progress } = await beginOrContinue(settings, producer, given, observer, saved);
  const { k, start } = progress;
  // If learning the prior was interrupted, no checkpoint is written, because the continued fit would have a different penalty
  const kept = observer.signal?.aborted === true ? null : checkpoint;
  const resolveAnew = async (weights: Float64Array): Promise<void> => {
    await problem.objective.close();
    const resolving = { ...given, before: fromVector(producer.model, weights, {}) };
    problem = await prepare({ ...settings, k }, {}, producer, resolving);
  };

  try {
    while (progress.stopped === null) {
      const { epochs, best } = progress;
      const round = { ...settings, epochs: Math.min(settings.reResolve, settings.epochs - epochs) };
      const roundObserver: ProgressObserver = {
        ...observer,
        onEpoch: (point, bestEpoch) =>
          observer.onEpoch?.({ ...point, epoch: epochs + point.epoch }, epochs + bestEpoch),
        onProgress: (inRound) => kept?.keep({ ...progress, fit: inRound }, observer.signal?.aborted === true),
      };
      const fit = await solve(problem, round, roundObserver, progress.fit);
      const isCut = fit.stopped === 'interrupted';
      await resolveAnew(fit.weights);
      const losses = await problem.objective.evaluate(fit.weights, k);
      const seconds = progress.curve.at(-1)?.seconds ?? 0;
      // The first point of a round repeats the end of the previous round, on newly resolved positions
      const points = fit.curve
        .slice(epochs === 0 ? 0 : 1)
        .map((point) => ({ ...point, epoch: epochs + point.epoch, seconds: seconds + point.seconds }));
      const next = epochs + fit.epochs;
      const hasGained = losses.train <= best.losses.train - MIN_GAIN;
      progress = {
        weights: fit.weights,
        dataset: datasetHash(problem.data.loaded.dataset),
        k,
        start,
        best: losses.train < best.losses.train ? { weights: fit.weights, losses, epoch: next } : best,
        epochs: next,
        curve: [...progress.curve, ...points],
        stopped: isCut ? 'interrupted' : !hasGained ? 'converged' : next >= settings.epochs ? 'epochs' : null,
        fit: null,
      };
      // The checkpoint of an interrupted round is already written
      if (!isCut) checkpoint?.keep(progress, true);
    }
    if (progress.best.epoch !== progress.epochs) await resolveAnew(progress.best.weights);
  } catch (error) {
    await problem.objective.close();
    throw error;
  }
  const { best, epochs, curve, stopped } = progress;
  const { weights, losses, epoch: bestEpoch } = best;
  const { before } = given;
  return { problem, before, fit: { weights, start, best: losses, rounded: losses, bestEpoch, epochs, stopped, curve } };
}

/** Returns the problem and progress of the saved round, or of a new fit if nothing is saved or the data have changed. */
async function beginOrContinue(
  settings: TuneSettings,
  producer: Producer,
  given: Start,
  observer: StageObserver,
  saved: RoundsProgress | null,
) {
  const { model } = producer;
  if (saved !== null) {
    // In the first round, learning the prior starts from the deviations in the provenance of the start weights
    const provenance = saved.epochs === 0 ? given.before.provenance : {};
    const resolving = { ...given, before: fromVector(model, saved.weights, provenance) };
    const problem = await prepare({ ...settings, k: saved.k }, observer, producer, resolving);
    if (datasetHash(problem.data.loaded.dataset) === saved.dataset) {
      observer.onContinue?.(saved.epochs + (saved.fit?.state.epoch ?? 0));
      return { problem, progress: saved };
    }
    await problem.objective.close();
  }
  const problem = await prepare(settings, observer, producer, given);
  const weights = toVector(model, given.before);
  const start = await problem.objective.evaluate(weights, problem.task.k);
  const progress: RoundsProgress = {
    weights,
    dataset: datasetHash(problem.data.loaded.dataset),
    k: problem.task.k,
    start,
    best: { weights, losses: start, epoch: 0 },
    epochs: 0,
    curve: [],
    fit: null,
    stopped: settings.epochs > 0 ? null : 'epochs',
  };
  return { problem, progress };
}
