// prepareFit() and fitSettings(): data, objective and settings of a fit. Loads and splits the data, starts the workers, fits K, and turns
// options into the settings of a fit.

import type { WeightSet } from '../../engine/eval/weight-set.js';
import { UserError } from '../../selfplay/common/errors.js';
import { UNSCORED } from '../../selfplay/records/record.js';
import { countOccurrences } from '../dataset/dataset.js';
import { firstOnSide } from '../dataset/repeats.js';
import { halfOfHeldOut, type Split, splitByOpening } from '../dataset/split.js';
import { METHODS } from '../methods/methods.js';
import { sampleStride } from '../methods/problem.js';
import { type Act, byWeight, type Model } from '../model/model.js';
import { fitK } from '../objective/fit-k.js';
import { type Observations, observe } from '../objective/loss.js';
import { type Objective, startObjective } from '../objective/objective.js';
import { blendScores, type Targets, targetsOf } from '../objective/targets.js';
import { familiesOf } from '../priors/families.js';
import { even, type Penalty, penaltyOf, ridge, tiesOf } from '../priors/penalty.js';
import { makeRise } from '../priors/rising.js';
import { type LearntPrior, learnPrior, TIE_STRENGTH } from '../priors/strengths.js';
import type { Producer } from '../rows/producer.js';
import { tracedGames } from '../rows/traced-games.js';
import type { DataSummary } from '../trace/data-summary.js';
import type { Loaded } from '../trace/load.js';
import { fromVector, toVector } from '../weights/weights-file.js';
import { type FitObserver, type FitResult, type FitSettings, freeCoordinates, roundWeights } from './fit.js';
import { frozenTerms, type TuneSettings } from './tune-settings.js';

/** Data and start of a fit, the same for every method. */
export interface FitSetup {
  /** Where the rows come from, and what they are of. */
  producer: Producer;
  /** The weights as they were given; `before` and `prior` are these at the scale of the fit. */
  given: Pick<FitSetup, 'before' | 'prior'>;
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
  /** Training positions by term. */
  occurrences: Uint32Array;
  penalty: Penalty;
  /** How the penalty was found; null where `--l2` sets it. */
  learnt: LearntPrior | null;
}

/** Told of the stages of a tuning run; `signal` ends it with the best weights so far. */
export interface TuneObserver extends Omit<FitObserver, 'onProgress'> {
  onReading?: (dataSummary: DataSummary) => void;
  onData?: (dataSummary: DataSummary, split: Split) => void;
  onStart?: (k: number) => void;
  /** Called after each of at most PRIOR_ROUNDS rounds. */
  onPriorRound?: (round: number) => void;
  onPrior?: (learnt: LearntPrior) => void;
  /** The fit goes on from where a checkpoint left it. */
  onContinue?: (epoch: number) => void;
  /** Called before the workers end, for what needs the data as well as the fit. */
  onFitted?: (setup: FitSetup, fit: FitResult) => Promise<void>;
}

/** Returns the weights that the settings start from and those they pull towards. */
export function startWeights(
  { start, prior }: TuneSettings,
  { weights, usualStart }: Producer,
): Pick<FitSetup, 'before' | 'prior'> {
  const before = weights(start ?? usualStart);
  return { before, prior: prior === undefined ? before : weights(prior) };
}

/** Returns the deviations that the fit of the given weights learnt, to begin with, by family and kind. */
export function knownDeviations({ provenance }: WeightSet): ReadonlyMap<string, number> {
  const { families } = provenance;
  const known = new Map<string, number>();
  if (typeof families !== 'object' || families === null) return known;
  for (const [name, values] of Object.entries(families)) {
    const deviation: unknown = Array.isArray(values) ? values[0] : null;
    if (typeof deviation === 'number' && deviation > 0 && Number.isFinite(deviation)) known.set(name, deviation);
  }
  return known;
}

/** Reads the data, splits it, starts the workers, fits K and learns the prior; whoever calls it closes the objective. */
export async function prepareFit(
  settings: TuneSettings,
  observer: TuneObserver = {},
  producer: Producer = tracedGames(settings),
  given = startWeights(settings, producer),
): Promise<FitSetup> {
  const { model } = producer;
  checkMethod(settings, model);
  frozenTerms(model, settings);
  const asGiven = toVector(model, given.before);

  const { workers, loss, seed } = settings;
  const loaded = await producer.load(asGiven, observer);
  const { dataset } = loaded;
  if (!producer.samples) checkColumns(settings, loaded);
  const split = splitByOpening(dataset, settings.holdout, seed);
  observer.onData?.(loaded.dataSummary, split);

  const chooses = METHODS[settings.method].choosesByHeldOut === true;
  const untouched = chooses ? halfOfHeldOut(dataset, split, seed) : null;
  const first = firstOnSide(loaded.firstSame, split.heldOut);
  const targets = targetsOf(dataset, settings, first, untouched ?? undefined);
  const objective = startObjective(dataset, split.heldOut, {
    terms: model.size,
    workers,
    loss,
    ...(targets && { targets }),
  });
  const suited = settings.k ?? (await fitStartK(objective, asGiven));
  const k = settings.rescale ?? suited;
  const before = rescaled(model, given.before, suited / k);
  const prior = given.prior === given.before ? before : rescaled(model, given.prior, suited / k);
  if (targets !== undefined) {
    await blendScores(targets, dataset, split.heldOut, settings.blend);
    objective.takeTargets();
  }
  observer.onStart?.(k);
  const occurrences = countOccurrences(dataset, model.size, split.heldOut);
  const parts = { producer, given, before, prior, loaded, split, untouched, objective, targets, k, occurrences };
  if (settings.l2 !== undefined) return { ...parts, penalty: await weakPenalty(parts, settings.l2), learnt: null };
  const free = freeCoordinates(fitted(parts, settings));
  const learnt = await learnPrior(objective, {
    ...{
      model,
      start: toVector(model, before),
      prior: toVector(model, prior),
      free,
      observations: observationsOf(parts, settings, 0),
    },
    stride: sampleStride(split.heldOut.length, free),
    known: knownDeviations(given.before),
    onRound: (round) => observer.onPriorRound?.(round),
    ...(observer.signal && { signal: observer.signal }),
  });
  observer.onPrior?.(learnt);
  return { ...parts, penalty: learnt.penalty, learnt };
}

/** Refuses what the method or the rows cannot do. */
function checkMethod({ method }: TuneSettings, { terms }: Model): void {
  const untapered = terms.find(({ isUntapered }) => isUntapered === true);
  if (untapered !== undefined && METHODS[method].integral === true)
    throw new UserError(
      `--method ${method} moves one value at a time, but ${untapered.name} is untapered; use gauss-newton`,
      2,
    );
}

/** Refuses targets that rows without these columns cannot have. */
function checkColumns({ blend, repeats }: TuneSettings, { dataset, dataSummary }: Loaded): void {
  if (blend > 0 && dataset.score.every((score) => score === UNSCORED))
    throw new UserError('--blend needs the column score; print it, or leave the option out', 2);
  if (repeats === 'once' && dataSummary.distinct === 0)
    throw new UserError('--repeats once needs the column fen; print it, or leave the option out', 2);
}

/** With what power of centipawns weights grow: danger acts by its square, and a factor has no unit. */
const POWERS: Record<Act, number> = { sum: 1, danger: 0.5, factor: 0 };

function rescaled(model: Model, weights: WeightSet, factor: number): WeightSet {
  if (factor === 1) return weights;
  const powers = byWeight(model, ({ act }) => POWERS[act]);
  const scaled = toVector(model, weights).map((value, i) => value * factor ** powers[i % model.size]);
  return fromVector(model, roundWeights(scaled, model.recentre, model.limit), weights.provenance);
}

type Parts = Omit<FitSetup, 'penalty' | 'learnt'>;

/** Returns the penalty l2 / games · Σ (K · difference / 400)²; each game counts as one error. */
export async function weakPenalty(
  { producer: { model }, split, objective, k, before, prior }: Parts,
  l2 = 1,
): Promise<Penalty> {
  const { train } = await objective.evaluate(toVector(model, before), k);
  const free = new Uint8Array(2 * model.size).fill(1);
  const noise = train / split.trainGames;
  const strength = (l2 / split.trainGames) * (k / 400) ** 2;
  const ties = tiesOf(model, free);
  if (ties.length === 0) return ridge(toVector(model, prior), strength, noise);
  const distances = familiesOf(model, free).filter(({ kind }) => kind === 'distance');
  return penaltyOf(toVector(model, prior), noise, [
    { strength: strength / noise, contrasts: distances.flatMap(({ contrasts }) => contrasts) },
    { strength: TIE_STRENGTH, contrasts: ties },
  ]);
}

/** Returns the positions of a side (0 train, 1 held-out) with the targets of the fit. */
export function observationsOf(
  { loaded, split, k, targets }: Parts,
  { loss }: TuneSettings,
  side: 0 | 1,
): Observations {
  const observations = observe(loaded.dataset, split.heldOut, side, k, loss);
  if (targets === undefined) return observations;
  const positionWeights = observations.positionWeights.map((share, row) => share * targets.weight[row]);
  return { ...observations, targets: Float64Array.from(targets.target), positionWeights };
}

/** Returns the set-up of a fit to these data. */
export function fitSettings(setup: FitSetup, settings: TuneSettings): FitSettings {
  return { ...fitted(setup, settings), penalty: setup.penalty };
}

function fitted(
  { producer: { model }, k, before, prior, occurrences }: Parts,
  settings: TuneSettings,
): Omit<FitSettings, 'penalty'> {
  const frozen = frozenTerms(model, settings);
  // Means that move into other terms would move frozen values too
  const keepsValues = settings.freeze.length > 0 || settings.only.length > 0;
  return {
    ...settings,
    model,
    method: METHODS[settings.method],
    k,
    start: toVector(model, before),
    occurrences,
    frozen,
    order(weights) {
      makeRise(model, weights, toVector(model, prior), occurrences, frozen);
      even(model, weights);
    },
    recentre: keepsValues ? () => {} : model.recentre,
  };
}

/** Returns the K that suits the weights best on the training side. */
export function fitStartK(objective: Objective, weights: Float64Array): Promise<number> {
  return fitK(async (k) => (await objective.evaluate(weights, k)).train);
}
