// tune(): one tuning run, from settings to weights with their provenance. The command line and the loop call it.

import { createHash } from 'node:crypto';
import type { WeightSet } from '../../engine/eval/weight-set.js';
import { identityOf } from '../../selfplay/common/options.js';
import { programVersion } from '../../selfplay/common/program.js';
import { weightsHash } from '../../selfplay/common/weights.js';
import { datasetHash, positionCount } from '../dataset/dataset.js';
import type { Model } from '../model/model.js';
import { endOfRange, isAtEnd } from '../objective/fit-k.js';
import { derivativesAt, evaluations, expectations, type Losses, type LossKind, observe } from '../objective/loss.js';
import { type LearntPrior, nameOf } from '../priors/strengths.js';
import type { Producer } from '../rows/producer.js';
import { tracedGames } from '../rows/traced-games.js';
import type { DataSummary } from '../trace/data-summary.js';
import { FILTER_OPTIONS } from '../trace/sample.js';
import { fromVector, toVector } from '../weights/weights-file.js';
import { Checkpoint } from './checkpoint.js';
import { type Claim, claimOf, oneSided, resultsOf } from './claim.js';
import { type FitProgress, type FitResult, fitWeights } from './fit.js';
import { type Gain, gainOf, lossFalls, MIN_OBSERVATIONS } from './gain.js';
import { fitInRounds, type RoundsProgress, type RoundsResult } from './resolve-rounds.js';
import {
  type FitSetup,
  fitSettings,
  knownDeviations,
  observationsOf,
  prepareFit,
  startWeights,
  type TuneObserver,
} from './setup.js';
import { TUNE_OPTIONS, type TuneSettings } from './tune-settings.js';

export interface TuneResult {
  model: Model;
  before: WeightSet;
  weights: WeightSet;
  fit: FitResult;
  /** Expected gain on other games; null if `--l2` sets the prior. */
  gain: Gain | null;
  /** Whether the fitted weights are kept, and why; null if `--l2` sets the prior. */
  claim: Claim | null;
  /** Faults of the data that no claim mentions. */
  warnings: string[];
  prior: LearntPrior | null;
  k: number;
  dataSummary: DataSummary;
  trainGames: number;
  heldOutGames: number;
  trainPositions: number;
  heldOutPositions: number;
  /** Error of the weights on the held-out games that the method never saw; null where it saw none of them anyway. */
  untouched: number | null;
  seconds: number;
}

/**
 * Reads the data and fits the weights. Nothing is written but the checkpoint file, if one is named: a fit that is
 * interrupted leaves it behind, and continues from it.
 */
export async function tune(
  settings: TuneSettings,
  observer: TuneObserver = {},
  checkpointFile: string | null = null,
  producer: Producer = tracedGames(settings),
): Promise<TuneResult> {
  const began = performance.now();
  const fitted = await fitWith(settings, producer, observer, checkpointFile);
  try {
    const seconds = (performance.now() - began) / 1000;
    const judged = judge(settings, fitted);
    // What chance may bring is not worth a change
    if (judged.claim?.isProven === false && fitted.fit.stopped !== 'interrupted') fitted.fit = unchanged(fitted);
    await observer.onFitted?.(fitted.setup, fitted.fit);
    return resultOf(settings, fitted, judged, seconds);
  } finally {
    await fitted.setup.objective.close();
  }
}

/** Fits once, or in rounds with new resolutions; the objective is still open. */
async function fitWith(
  settings: TuneSettings,
  producer: Producer,
  observer: TuneObserver,
  file: string | null,
): Promise<RoundsResult> {
  const weights = startWeights(settings, producer);
  if (settings.reResolve > 0) {
    const identity = runIdentity(settings, producer, weights);
    const checkpoint = file === null ? null : new Checkpoint<RoundsProgress>(file, identity);
    return fitInRounds(settings, producer, observer, checkpoint);
  }
  const setup = await prepareFit(settings, observer, producer, weights);
  try {
    const identity = runIdentity(settings, producer, weights, datasetHash(setup.loaded.dataset), String(setup.k));
    const checkpoint = file === null ? null : new Checkpoint<FitProgress>(file, identity);
    const saved = checkpoint?.read() ?? null;
    if (saved !== null) observer.onContinue?.(saved.state.epoch);
    const onProgress = (progress: FitProgress): void => checkpoint?.keep(progress, observer.signal?.aborted === true);
    const guess = setup.learnt?.weights;
    const fitted = { ...fitSettings(setup, settings), ...(guess && { guess }) };
    const fit = await fitWeights(setup.objective, fitted, { ...observer, onProgress }, saved);
    return { setup, before: setup.given.before, fit };
  } catch (error) {
    await setup.objective.close();
    throw error;
  }
}

type Judged = Pick<TuneResult, 'gain' | 'claim' | 'warnings'>;

function judge(settings: TuneSettings, { setup, before, fit }: RoundsResult): Judged {
  const { producer, loaded, split, learnt } = setup;
  const results = resultsOf(loaded.dataset, split.heldOut);
  const side = oneSided(results);
  const warnings = side === null ? [] : [`${side}: a fit learns little from results of one kind`];
  if (settings.k === undefined && isAtEnd(setup.k)) warnings.push(endOfRange(setup.k));
  if (learnt === null) return { gain: null, claim: null, warnings };
  const scaled = settings.rescale === undefined ? before : setup.before;
  const training = observationsOf(setup, settings, 0);
  const falls = lossFalls(training, toVector(producer.model, scaled), fit.weights);
  const gain = gainOf(falls, training, learnt.optimism, loaded.firstSame);
  const heldOut = split.heldOutGames === 0 ? null : gainOf(falls, observationsOf(setup, settings, 1), 0);
  const claim = claimOf({
    gain,
    heldOut,
    results,
    certainty: settings.certainty,
    usesResultsOnly: settings.blend === 0,
    trainGames: split.trainGames,
    games: split.trainGames + split.heldOutGames,
  });
  const isEnough = gain.observations >= MIN_OBSERVATIONS;
  return { gain: isEnough ? gain : { ...gain, error: null }, claim, warnings };
}

/** The fit with the weights that it began with, and their losses; its best epoch remains for the reader. */
function unchanged({ setup, before, fit }: RoundsResult): FitResult {
  return { ...fit, weights: toVector(setup.producer.model, before), rounded: fit.start };
}

function resultOf(
  settings: TuneSettings,
  { setup, before, fit }: RoundsResult,
  judged: Judged,
  seconds: number,
): TuneResult {
  const { producer, loaded, split, objective, k } = setup;
  const { model } = producer;
  const { trainGames, heldOutGames } = split;
  const { trainPositions, heldOutPositions } = objective;
  const counts = { trainGames, heldOutGames, trainPositions, heldOutPositions };
  const untouched = untouchedError(setup, fit.weights, settings.loss);
  const provenance = {
    ...provenanceOf(settings, { setup, before, fit }, counts),
    ...(untouched !== null && { untouched: rounded(untouched) }),
  };
  const weights = fromVector(model, fit.weights, provenance);
  return {
    model,
    before,
    weights,
    fit,
    ...judged,
    prior: setup.learnt,
    k,
    dataSummary: loaded.dataSummary,
    ...counts,
    untouched,
    seconds,
  };
}

function untouchedError({ loaded, untouched, targets, k }: FitSetup, weights: Float64Array, kind: LossKind) {
  if (untouched === null) return null;
  const plain = observe(loaded.dataset, untouched, 1, k, kind);
  const observations = targets === undefined ? plain : { ...plain, targets: Float64Array.from(targets.target) };
  const expected = expectations(evaluations(loaded.dataset, weights), k);
  const { loss, total } = derivativesAt(observations, expected);
  return total > 0 ? loss / total : null;
}

/** Returns the options that the weights depend on; rows that were chosen elsewhere depend on no filter. */
export function optionsOf({ samples }: Producer, settings: TuneSettings): Record<string, unknown> {
  const options = identityOf(TUNE_OPTIONS, settings);
  if (samples) return options;
  const { seed: _, ...filters } = FILTER_OPTIONS;
  return Object.fromEntries(Object.entries(options).filter(([name]) => !(name in filters)));
}

/** A hash of everything that the steps of a fit depend on. */
function runIdentity(
  settings: TuneSettings,
  producer: Producer,
  { before, prior }: ReturnType<typeof startWeights>,
  ...data: string[]
): string {
  const { terms } = producer.model;
  const options = optionsOf(producer, settings);
  const known = settings.l2 === undefined ? [...knownDeviations(before)] : [];
  const hashes = [weightsHash(before, terms), weightsHash(prior, terms), ...data];
  const parts = [options, settings.k, known, ...hashes, programVersion()];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Everything that the weights depend on, and nothing else: no dates, durations or worker counts. */
function provenanceOf(
  settings: TuneSettings,
  { setup, before, fit }: RoundsResult,
  counts: Record<string, number>,
): Record<string, unknown> {
  const { producer, given, loaded, k } = setup;
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
    kFitted: settings.k === undefined,
    epochsRun: fit.epochs,
    bestEpoch: fit.bestEpoch,
    stopped: fit.stopped,
    start: weightsHash(before, setup.producer.model.terms),
    prior: weightsHash(given.prior, setup.producer.model.terms),
    startLosses: roundedLosses(fit.start),
    bestLosses: roundedLosses(fit.best),
    losses: roundedLosses(fit.rounded),
    ...(setup.learnt && { families: provenanceOfPrior(setup.learnt) }),
  };
}

/** Expected deviation (cp) and effective parameters by family. */
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
