// tune() performs one tuning run, from settings to weights with their provenance. The command line and the loop call it.

import type { WeightSet } from '../../engine/eval/weight-set.js';
import { identityOf } from '../../selfplay/common/options.js';
import { programVersion } from '../../selfplay/common/program.js';
import { sha256 } from '../../selfplay/common/run-files.js';
import { weightsHash } from '../../selfplay/common/weights.js';
import { datasetHash, positionCount } from '../dataset/dataset.js';
import { endOfRange, isAtEnd, K_UNKNOWN } from '../objective/fit-k.js';
import type { Losses } from '../objective/loss.js';
import { type LearntPrior, nameOf } from '../priors/strengths.js';
import type { Producer } from '../rows/producer.js';
import { tracedGames } from '../rows/traced-games.js';
import { FILTER_OPTIONS } from '../trace/sample.js';
import { fromVector, toVector } from '../weights/weights-file.js';
import { Checkpoint } from './checkpoint.js';
import { claimOf, oneSided, resultsOf } from './claim.js';
import type { StageObserver } from './data.js';
import { averageIfFew } from './few-games.js';
import type { FitProgress, FitResult } from './fit.js';
import { gainOf, isEmpty, lossFalls, MIN_OBSERVATIONS } from './gain.js';
import { fitToLeaves, type LeafObserver, untouchedError } from './leaf-rounds.js';
import {
  knownDeviations,
  observationsOf,
  type Problem,
  prepare,
  type Start,
  solve,
  startWeights,
  unseenOf,
} from './problem.js';
import { fitInRounds, type RoundsProgress, type Solution } from './resolve-rounds.js';
import type { Judged, TuneResult } from './result.js';
import { isKFitted, TUNE_OPTIONS, type TuneSettings } from './tune-settings.js';

/** Callbacks for the stages of a tuning run. `signal` ends it with the best weights so far. */
export interface TuneObserver extends StageObserver, LeafObserver {
  /** Called after the fit, while the objective is still open. */
  onFitted?: (problem: Problem, fit: FitResult) => Promise<void>;
}

/** Reads the data and fits the weights. Writes only the checkpoint file (null: none), from which an interrupted fit continues. */
export async function tune(
  settings: TuneSettings,
  observer: TuneObserver = {},
  checkpointFile: string | null = null,
  producer: Producer = tracedGames(settings),
): Promise<TuneResult> {
  const began = performance.now();
  const fitted = await fitWith(settings, producer, observer, checkpointFile);
  try {
    fitted.fit = await averageIfFew(fitted.problem, fitted.fit, settings, observer);
    let judged = judge(settings, fitted);
    // An insignificant gain does not justify new weights
    const isKept = judged.claim?.isProven !== false;
    if (isKept) fitted.fit = await fitToLeaves(fitted.problem, fitted.fit, settings, observer);
    if (fitted.fit.stopped === 'interrupted') judged = { ...judged, claim: null };
    const seconds = (performance.now() - began) / 1000;
    // With --rescale, the K of the fit applies to the rescaled start weights, not to the given ones
    const atK = isKept ? fitted.fit : withWeights(fitted, startAtK(settings, fitted));
    await observer.onFitted?.(fitted.problem, atK);
    const isAsGiven = !isKept && settings.rescale !== undefined;
    const k = isAsGiven ? fitted.problem.givenK : fitted.problem.task.k;
    if (!isKept) fitted.fit = withWeights(fitted, fitted.before);
    if (isAsGiven) {
      const losses = await fitted.problem.objective.evaluate(fitted.fit.weights, k);
      fitted.fit = { ...fitted.fit, start: losses, rounded: losses };
    }
    const untouched = untouchedError(fitted, fitted.fit.weights, k);
    const untouchedStart = isKept ? untouchedError(fitted, startVector(settings, fitted), k) : untouched;
    return resultOf(settings, fitted, { ...judged, untouched, untouchedStart, seconds, k });
  } finally {
    await fitted.problem.objective.close();
  }
}

/** Fits once, or in rounds with --re-resolve. Leaves the objective open. */
async function fitWith(
  settings: TuneSettings,
  producer: Producer,
  observer: TuneObserver,
  file: string | null,
): Promise<Solution> {
  const weights = startWeights(settings, producer);
  if (settings.reResolve > 0) {
    const identity = runIdentity(settings, producer, weights);
    const checkpoint = file === null ? null : new Checkpoint<RoundsProgress>(file, identity);
    return fitInRounds(settings, producer, weights, observer, checkpoint);
  }
  const problem = await prepare(settings, observer, producer, weights);
  try {
    const { data, task, given, learnt } = problem;
    const identity = runIdentity(settings, producer, weights, datasetHash(data.loaded.dataset), String(task.k));
    const checkpoint = file === null ? null : new Checkpoint<FitProgress>(file, identity);
    const saved = checkpoint?.read() ?? null;
    if (saved !== null) observer.onContinue?.(saved.state.epoch);
    // If learning the prior was interrupted, no checkpoint is written, because the continued fit would have a different penalty
    const kept = observer.signal?.aborted === true ? null : checkpoint;
    const onProgress = (progress: FitProgress): void => kept?.keep(progress, observer.signal?.aborted === true);
    const fit = await solve(problem, settings, { ...observer, onProgress }, saved, learnt?.weights);
    return { problem, before: given.before, fit };
  } catch (error) {
    await problem.objective.close();
    throw error;
  }
}

/** Returns the start weights at the scale of the fit, which are rescaled with --rescale. */
const startAtK = ({ rescale }: TuneSettings, { problem, before }: Solution): WeightSet =>
  rescale === undefined ? before : problem.before;

const startVector = (settings: TuneSettings, solution: Solution): Float64Array =>
  toVector(solution.problem.task.model, startAtK(settings, solution));

function judge(settings: TuneSettings, solution: Solution): Judged {
  const { problem, fit } = solution;
  const { data, task, learnt } = problem;
  const { loaded, split } = data;
  const results = resultsOf(loaded.dataset, split.heldOut);
  const fault = oneSided(results);
  const ofResults = fault === null ? [] : [`${fault}: a fit needs a mix of results`];
  const ofK = isKFitted(settings) && isAtEnd(task.k) ? [endOfRange(task.k)] : [];
  if (learnt === null) return { gain: null, claim: null, warnings: [...ofResults, ...ofK] };
  const training = observationsOf(problem, 0);
  const falls = lossFalls(training, startVector(settings, solution), fit.weights);
  const gain = gainOf(falls, training, learnt, loaded.firstSame);
  const unseen = unseenOf(problem);
  const heldOut = isEmpty(unseen) ? null : gainOf(falls, unseen);
  const isEnough = gain.observations >= MIN_OBSERVATIONS;
  const shown = isEnough ? gain : { ...gain, error: null };
  // The weights of an interrupted fit are kept without a claim, because the fit can be continued
  if (fit.stopped === 'interrupted') return { gain: shown, claim: null, warnings: [...ofResults, ...ofK] };
  const claim = claimOf({
    gain,
    heldOut,
    results,
    certainty: settings.certainty,
    usesResultsOnly: settings.blend === 0,
    isResolvedAnew: settings.reResolve > 0,
    trainGames: split.trainGames,
    games: split.trainGames + split.heldOutGames,
  });
  // If the fit is not kept, the claim mentions one-sided results, unless the targets are blended with scores
  const warnings = claim.isProven ? [...ofResults, ...ofK] : ofK;
  return { gain: shown, claim, warnings };
}

/** Returns the fit with the start weights and their losses as its result. `best` is unchanged, for reports. */
function withWeights({ problem, fit: { averaged: _, ...fit } }: Solution, start: WeightSet): FitResult {
  return { ...fit, weights: toVector(problem.task.model, start), rounded: fit.start };
}

function resultOf(
  settings: TuneSettings,
  { problem, before, fit }: Solution,
  { untouched, k, ...judged }: Judged & Pick<TuneResult, 'untouched' | 'untouchedStart' | 'seconds' | 'k'>,
): TuneResult {
  const { data, objective, task, learnt } = problem;
  const { loaded, split } = data;
  const { model } = task;
  const { trainGames, heldOutGames } = split;
  const { trainPositions, heldOutPositions } = objective;
  const counts = { trainGames, heldOutGames, trainPositions, heldOutPositions };
  const provenance = {
    ...provenanceOf(settings, { problem, before, fit }, counts, k),
    ...(untouched !== null && { untouched: rounded(untouched) }),
  };
  const weights = fromVector(model, fit.weights, provenance);
  const { dataSummary } = loaded;
  return { model, before, weights, fit, ...judged, prior: learnt, k, dataSummary, ...counts, untouched };
}

/** Returns the options that affect the weights. Filter options have no effect on rows from files, and are left out for them. */
export function optionsOf({ samples }: Producer, settings: TuneSettings): Record<string, unknown> {
  const options = identityOf(TUNE_OPTIONS, settings);
  if (samples) return options;
  const { seed: _, ...filters } = FILTER_OPTIONS;
  return Object.fromEntries(Object.entries(options).filter(([name]) => !(name in filters)));
}

/** Returns a hash of everything that affects the result of a fit. */
function runIdentity(settings: TuneSettings, producer: Producer, { before, prior }: Start, ...data: string[]): string {
  const { terms } = producer.model;
  // The prior depends on the declarations of the terms
  const declared = terms.map(({ title: _, places: __, ...declaration }) => declaration);
  const options = optionsOf(producer, settings);
  const known = settings.l2 === undefined ? [...knownDeviations(before)] : [];
  const hashes = [weightsHash(before, terms), weightsHash(prior, terms), ...data];
  const parts = [options, settings.k, known, declared, ...hashes, programVersion()];
  return sha256(JSON.stringify(parts));
}

/** Returns the provenance: settings, data and results. It has no dates, durations or worker counts, so equal fits have equal files. */
function provenanceOf(
  settings: TuneSettings,
  { problem, before, fit }: Solution,
  counts: Record<string, number>,
  k: number,
): Record<string, unknown> {
  const { data, given, task, learnt } = problem;
  const { producer, loaded } = data;
  const { model } = task;
  return {
    generator: `heft tune ${programVersion()}`,
    ...producer.provenance,
    data: loaded.files,
    dataset: datasetHash(loaded.dataset),
    games: loaded.dataSummary.games,
    positions: positionCount(loaded.dataset),
    ...counts,
    ...optionsOf(producer, settings),
    k: rounded(k),
    kFitted: k !== K_UNKNOWN && (k === task.k ? isKFitted(settings) : settings.k === undefined),
    epochsRun: fit.epochs,
    bestEpoch: fit.bestEpoch,
    stopped: fit.stopped,
    start: weightsHash(before, model.terms),
    prior: weightsHash(given.prior, model.terms),
    startLosses: roundedLosses(fit.start),
    bestLosses: roundedLosses(fit.best),
    losses: roundedLosses(fit.rounded),
    ...(fit.averaged && { averaged: fit.averaged }),
    ...(learnt && { families: provenanceOfPrior(learnt) }),
  };
}

/** Returns the expected deviation (cp) and the effective number of parameters of each family. */
const provenanceOfPrior = ({ families }: LearntPrior): Record<string, [number, number]> =>
  Object.fromEntries(
    families.map(({ name, kind, deviation, effective }) => [
      nameOf({ name, kind }),
      [Number(deviation.toPrecision(3)), Number(effective.toFixed(1))],
    ]),
  );

const rounded = (value: number): number => Number(value.toFixed(8));

const roundedLosses = ({ train, heldOut }: Losses): { train: number; heldOut: number | null } => ({
  train: rounded(train),
  heldOut: Number.isFinite(heldOut) ? rounded(heldOut) : null,
});
