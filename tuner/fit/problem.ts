// prepare() loads the data and sets up the problem of a fit. It determines the targets and K, rescales the start and prior weights with
// --rescale, learns the prior unless --l2 is given, and determines the values that may change.

import type { WeightSet } from '../../engine/eval/weight-set.js';
import { UserError } from '../../selfplay/common/errors.js';
import { countOccurrences } from '../dataset/dataset.js';
import { firstOnSide } from '../dataset/repeats.js';
import { METHODS } from '../methods/methods.js';
import { sampleStride } from '../methods/surface.js';
import { type Act, byWeight, type Model } from '../model/model.js';
import { fitK } from '../objective/fit-k.js';
import { type LossKind, type Observations, observe } from '../objective/loss.js';
import { Objective } from '../objective/objective.js';
import { blendScores, type Targets, targetsOf } from '../objective/targets.js';
import { familiesOf } from '../priors/families.js';
import { even, type Penalty, penaltyOf, tiesOf } from '../priors/penalty.js';
import { makeRise } from '../priors/rising.js';
import { type LearntPrior, learnPrior, TIE_STRENGTH } from '../priors/strengths.js';
import type { Producer } from '../rows/producer.js';
import { tracedGames } from '../rows/traced-games.js';
import { fromVector, toVector } from '../weights/weights-file.js';
import { checkColumns, type Data, loadData, type StageObserver } from './data.js';
import {
  type FitProgress,
  type FitResult,
  type FitTask,
  fitWeights,
  freeCoordinates,
  type ProgressObserver,
  roundWeights,
} from './fit.js';
import { frozenTerms, type MethodOptions, type ProblemOptions, type ProblemSettings } from './tune-settings.js';

/** Start weights of a fit, and the weights at the centre of its prior. */
export interface Start {
  before: WeightSet;
  prior: WeightSet;
}

/** The part of a problem that does not depend on the penalty. */
interface Posed extends Start {
  data: Data;
  /** The weights as given. `before` and `prior` are these weights at the scale of the fit. */
  given: Start;
  /** K of the weights as given. */
  givenK: number;
  objective: Objective;
  /** Undefined if the target of each position is the result of its game, and all positions have weight 1. */
  targets: Targets | undefined;
  /** Weights of the held-out positions that are hidden from the method, whose weight in `targets` is 0; undefined if all are 1. */
  unseenWeight: Float32Array | undefined;
  loss: LossKind;
  workers: number;
  task: FitTask;
}

export interface Problem extends Posed {
  penalty: Penalty;
  /** The learnt prior; null with `--l2`. */
  learnt: LearntPrior | null;
}

/** Returns the start and prior weights that the settings select. By default, the prior is centred on the start weights. */
export function startWeights({ start, prior }: ProblemSettings, { weights, usualStart }: Producer): Start {
  const before = weights(start ?? usualStart);
  return { before, prior: prior === undefined ? before : weights(prior) };
}

/** Returns the deviations by family and kind in the provenance of the weights, from which learning the prior starts. */
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

/** Loads the data and sets up the problem. The caller must close the objective. */
export async function prepare(
  settings: ProblemSettings,
  observer: StageObserver = {},
  producer: Producer = tracedGames(settings),
  given = startWeights(settings, producer),
): Promise<Problem> {
  // These checks come before the data are read
  frozenTerms(producer.model, settings);
  if ((settings.leafRounds ?? 0) > 0 && settings.blend === 0)
    throw new UserError('--leaf-rounds needs scores in the target; add --blend', 2);
  const data = await loadData(producer, settings, toVector(producer.model, given.before), observer);
  return poseProblem(data, given, settings, observer);
}

/** Starts the workers, and fits K and learns the prior unless the options give them. */
async function poseProblem(
  data: Data,
  given: Start,
  options: ProblemOptions,
  observer: StageObserver,
): Promise<Problem> {
  const { producer, loaded, split, untouched } = data;
  const { model } = producer;
  const { dataset } = loaded;
  const { workers, loss } = options;
  checkColumns(options, loaded, producer);
  const asGiven = toVector(model, given.before);

  // The results of hidden games must not enter the targets of the others
  const sides = split.heldOut.map((side, row) => side + (untouched?.[row] ?? 0));
  const first = firstOnSide(loaded.firstSame, sides);
  const targets = targetsOf(dataset, options, first, untouched ?? undefined);
  const unseenWeight = untouched === null ? undefined : targetsOf(dataset, options, first)?.weight;
  const shown = { terms: model.size, workers, loss, ...(targets && { targets }) };
  const objective = new Objective(dataset, split.heldOut, shown);
  try {
    const givenK = options.k ?? (await fitStartK(objective, asGiven));
    const k = options.rescale ?? givenK;
    const before = rescaled(model, given.before, givenK / k);
    const prior = given.prior === given.before ? before : rescaled(model, given.prior, givenK / k);
    if (targets !== undefined) {
      await blendScores(targets, dataset, split.heldOut, options.blend);
      objective.takeTargets();
    }
    observer.onStart?.(k);
    const occurrences = countOccurrences(dataset, model.size, split.heldOut);
    const task = taskOf(model, { before, prior }, k, occurrences, options);
    const posed: Posed = { data, given, givenK, before, prior, objective, targets, unseenWeight, loss, workers, task };
    if (options.l2 !== undefined) return { ...posed, penalty: await weakPenalty(posed, options.l2), learnt: null };
    const free = freeCoordinates(task);
    const learnt = await learnPrior(objective, {
      model,
      start: task.start,
      prior: toVector(model, prior),
      free,
      observations: observationsOf(posed, 0),
      stride: sampleStride(split.heldOut.length, free),
      known: knownDeviations(given.before),
      onRound: (round) => observer.onPriorRound?.(round),
      ...(observer.signal && { signal: observer.signal }),
    });
    observer.onPrior?.(learnt);
    return { ...posed, penalty: learnt.penalty, learnt };
  } catch (error) {
    await objective.close();
    throw error;
  }
}

/**
 * Exponents of the factor by which --rescale multiplies a weight. King danger grows roughly with the square of its weights, and the endgame
 * factor is dimensionless.
 */
const POWERS: Record<Act, number> = { sum: 1, danger: 0.5, factor: 0 };

function rescaled(model: Model, weights: WeightSet, factor: number): WeightSet {
  if (factor === 1) return weights;
  const powers = byWeight(model, ({ act }) => POWERS[act]);
  const scaled = toVector(model, weights).map((value, i) => value * factor ** powers[i % model.size]);
  return fromVector(model, roundWeights(scaled, model.recentre, model.limit), weights.provenance);
}

function taskOf(
  model: Model,
  { before, prior }: Start,
  k: number,
  occurrences: Uint32Array,
  { freeze, only }: ProblemOptions,
): FitTask {
  const frozen = frozenTerms(model, { freeze, only });
  // Recentring would also move frozen values
  const keepsValues = freeze.length > 0 || only.length > 0;
  return {
    model,
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

/** Returns the penalty l2 / games · Σ (K · difference / 400)² of `--l2`. One game counts as one observation. */
export async function weakPenalty({ data, objective, before, prior, task }: Posed, l2 = 1): Promise<Penalty> {
  const { model, k } = task;
  const { trainGames } = data.split;
  const { train } = await objective.evaluate(toVector(model, before), k);
  const free = new Uint8Array(2 * model.size).fill(1);
  const noise = train / trainGames;
  const strength = (l2 / trainGames) * (k / 400) ** 2;
  const ties = tiesOf(model, free);
  const distances = familiesOf(model, free).filter(({ kind }) => kind === 'distance');
  return penaltyOf(toVector(model, prior), noise, [
    { strength: strength / noise, contrasts: distances.flatMap(({ contrasts }) => contrasts) },
    { strength: TIE_STRENGTH, contrasts: ties },
  ]);
}

/** Returns the positions of a side (0 train, 1 held-out) with the targets of the fit. */
export function observationsOf({ data, task, targets, loss }: Posed, side: 0 | 1): Observations {
  const observations = observe(data.loaded.dataset, data.split.heldOut, side, task.k, loss);
  if (targets === undefined) return observations;
  const positionWeights = observations.positionWeights.map((share, row) => share * targets.weight[row]);
  return { ...observations, targets: Float64Array.from(targets.target), positionWeights };
}

/**
 * Returns the held-out positions that the method did not use: all, or only the positions hidden from a method that selects by held-out
 * error. If there are none, all weights are 0.
 */
export function unseenOf(posed: Posed): Observations {
  const { data, task, targets, unseenWeight, loss } = posed;
  if (data.untouched === null) return observationsOf(posed, 1);
  const observations = observe(data.loaded.dataset, data.untouched, 1, task.k, loss);
  if (targets === undefined) return observations;
  const positionWeights = observations.positionWeights.map((share, row) => share * (unseenWeight?.[row] ?? 1));
  return { ...observations, targets: Float64Array.from(targets.target), positionWeights };
}

/** Returns the K with the smallest training loss at these weights. */
export function fitStartK(objective: Objective, weights: Float64Array): Promise<number> {
  return fitK(async (k) => (await objective.evaluate(weights, k)).train);
}

/** Fits the weights, from the state `saved` if given. `guess` is the starting point of the first epoch; default: the start weights. */
export function solve(
  { task, penalty, data, objective }: Problem,
  options: MethodOptions,
  observer: ProgressObserver = {},
  saved: FitProgress | null = null,
  guess?: Float64Array,
): Promise<FitResult> {
  const method = METHODS[options.method];
  const settings = { ...options, ...task, penalty, method, seed: data.seed, ...(guess && { guess }) };
  return fitWeights(objective, settings, observer, saved);
}
