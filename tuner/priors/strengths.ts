// learnPrior() learns the strengths of the prior's families from the training games by maximising the evidence. Positions of a game share
// its result, so their information is estimated from the variance of the gradients of whole games (the trace of the sandwich estimator).

import { setImmediate } from 'node:timers/promises';
import { dot, type SymmetricMatrix } from '../matrix/cholesky.js';
import { coordinatesOf } from '../matrix/normal-matrix.js';
import type { Model } from '../model/model.js';
import type { Observations } from '../objective/loss.js';
import type { Objective } from '../objective/objective.js';
import { type DrawsAt, SignDraws } from './draws.js';
import { type Evidence, evidenceAt, MAX_STRENGTH, type QuadraticModel } from './evidence.js';
import { familiesOf, type Kind, type PriorFamily } from './families.js';
import { type Contrast, type Penalty, penaltyOf, tiesOf } from './penalty.js';
import { fallsOf, risesOf } from './rising.js';

/** Learnt parameters of a family. */
export interface LearntFamily {
  name: string;
  kind: Kind;
  /** Expected standard deviation of its contrasts, in centipawns. */
  deviation: number;
  /** Number of contrasts, and effective number of parameters. */
  contrasts: number;
  effective: number;
}

export interface LearntPrior {
  penalty: Penalty;
  families: LearntFamily[];
  /** Expected mean loss on other games minus the mean loss on the games of the fit, and its standard deviation. */
  optimism: number;
  optimismError: number;
  /** Weights near the optimum for this prior. */
  weights: Float64Array;
}

export interface PriorSettings {
  model: Model;
  observations: Observations;
  start: Float64Array;
  prior: Float64Array;
  free: Uint8Array;
  /** Stride of the rows in the matrix. */
  stride: number;
  /** Initial deviations by name and kind, see nameOf(); default: typical ones. */
  known?: ReadonlyMap<string, number>;
  onRound?: (round: number) => void;
  /** Ends the search for the strengths with the result so far. */
  signal?: AbortSignal;
}

/** Typical deviations in centipawns: the initial values, and the deviations of the additional contrasts per family. */
const USUAL_DEVIATIONS: Record<Kind, number> = { distance: 30, mirror: 6, curvature: 6 };
/** Additional contrasts per family. With only one for distances, fits to 100 games overfit. */
const EXTRA_CONTRASTS: Record<Kind, number> = { distance: 3, mirror: 1, curvature: 1 };
export const PRIOR_ROUNDS = 8;
/** From this round on, the search may end even if the ties are still changing. */
const LATE_ROUND = 4;
/** Strength of ties between neighbours of a monotone table, and between the phases of untapered values. */
export const TIE_STRENGTH = MAX_STRENGTH;
const TOLERANCE = 0.03;
/** Lower bound on the error from which the noise is computed. With all-zero weights, drawn games have no error. */
const MIN_ERROR = 1e-4;
/**
 * Maximum error of the predicted loss, relative to the loss. The second derivatives are costly to compute, and usually valid for several
 * rounds. They are computed again if the error is larger.
 */
const MAX_DEVIATION = 0.002;
/** Maximum change of the log strengths per update at which the search may end. With smaller changes, hardly any weight moves. */
const MAX_MOVEMENT = 0.15;

/** Returns the prior, centred on `prior`, that makes the training games most likely. */
export async function learnPrior(
  objective: Objective,
  { model, observations, start, prior, free, stride, known, onRound, signal }: PriorSettings,
  families: readonly PriorFamily[] = familiesOf(model, free),
  rises: readonly Contrast[] = risesOf(model, free),
): Promise<LearntPrior> {
  const { k } = observations;
  const coordinates = coordinatesOf(free);
  const sets = families.map(({ contrasts }) => placed(contrasts, coordinates, free.length));
  const draws = new SignDraws(observations, coordinates);
  const usual = Float64Array.from(families, ({ kind }) => USUAL_DEVIATIONS[kind]);
  const extra = Float64Array.from(families, ({ kind }) => EXTRA_CONTRASTS[kind]);
  let strengths: Float64Array = usual.map((deviation, i) => (known?.get(nameOf(families[i])) ?? deviation) ** -2);
  const untapered = tiesOf(model, free);
  let ties = untapered;
  let weights = start;
  // Initially each opening counts as three independent positions
  const noiseAt = (error: number): number => error / (3 * draws.openings);
  let noise = Number.NaN;
  let before = 0;
  let curvature: Curvature | null = null;

  for (let round = 1; ; round++) {
    const gradient = new Float64Array(start.length);
    const { train } = await objective.evaluate(weights, k, gradient);
    if (Number.isNaN(noise)) noise = noiseAt(Math.max(train, MIN_ERROR));
    const slopes = Float64Array.from(coordinates, (i) => gradient[i]);
    const distances = Float64Array.from(coordinates, (i) => weights[i] - prior[i]);
    if (curvature === null || Math.abs(train - lossAt(curvature, distances)) > MAX_DEVIATION * train) {
      const squares = objective.matrix(weights, k, stride, coordinates);
      // This thread computes the gradients with random signs while the workers compute the matrix
      await setImmediate();
      const drawn = draws.at(weights);
      curvature = { train, slopes, distances, draws: drawn, matrix: await squares, scale: 1 };
    }
    // M = (H / (2 noise) + S)⁻¹ is 2 noise times the inverse of the second derivatives
    const scale = 2 * noise;
    const quadratic = quadraticAt(curvature, distances, slopes, scale);
    const tied = placed(ties, coordinates, free.length);
    const allStrengths = Float64Array.of(...strengths, TIE_STRENGTH);
    const evidence = evidenceAt(allStrengths, quadratic, [...sets, tied], { usual, extra });
    onRound?.(round);
    const parameters = evidence.effective.subarray(0, sets.length).reduce((sum, value) => sum + value, 0);
    weights = weights.slice();
    for (const [place, i] of coordinates.entries()) weights[i] = prior[i] + evidence.distances[place];
    const leverage = draws.leverageOf(
      curvature.draws,
      evidence.groupSteps.map((step) => step.map((value) => value / scale)),
    );
    const groupTrace = evidence.groupTrace / (1 - leverage);
    const falls = [...untapered, ...fallsOf(rises, weights, prior, ties)];
    const isStill = isSame(falls, ties) || round >= LATE_ROUND;
    const isSettled =
      Math.abs(parameters - before) < TOLERANCE * parameters + 0.1 && movement(evidence) < MAX_MOVEMENT && isStill;
    if (isSettled || round === PRIOR_ROUNDS || signal?.aborted === true) {
      const strong = families.map(({ contrasts }, set) => ({ contrasts, strength: strengths[set] }));
      strong.push({ contrasts: ties, strength: TIE_STRENGTH });
      return {
        penalty: penaltyOf(prior, noise, strong),
        families: families.map((family, set) => learntFamily(family, set, evidence)),
        optimism: groupTrace / scale,
        optimismError: Math.sqrt(evidence.groupSquare) / scale,
        weights,
      };
    }
    before = parameters;
    ties = falls;
    strengths = evidence.next.subarray(0, sets.length);
    if (parameters > 0.01) noise = Math.max(groupTrace / (2 * scale * parameters), noiseAt(MIN_ERROR));
  }
}

/** Returns the mean change of the log strengths in an update, weighted by their parameters. */
function movement({ strengths, next, effective }: Evidence): number {
  const total = effective.reduce((sum, value) => sum + value, 0);
  return (
    effective.reduce((sum, value, set) => sum + value * Math.abs(Math.log(next[set] / strengths[set])), 0) / total || 0
  );
}

/** Returns the name and kind of a family as one key. */
export const nameOf = ({ name, kind }: Pick<PriorFamily, 'name' | 'kind'>): string => `${name}, ${kind}`;

/** Returns whether two lists, in the same order, have the same members. */
const isSame = (some: readonly Contrast[], others: readonly Contrast[]): boolean =>
  some.length === others.length && some.every((contrast, i) => contrast === others[i]);

/** Loss, slopes, signed gradients and second derivatives (divided by `scale`) at some distances from the prior. */
interface Curvature {
  train: number;
  slopes: Float64Array;
  distances: Float64Array;
  draws: DrawsAt;
  matrix: SymmetricMatrix;
  scale: number;
}

/** Returns the loss at other distances from the prior, to second order. */
function lossAt({ train, slopes, distances, matrix, scale }: Curvature, others: Float64Array): number {
  const step = others.map((distance, place) => distance - distances[place]);
  return train + dot(slopes, step) + (scale / 2) * dot(step, productWith(matrix, step));
}

/** Returns the misfit around some distances with these slopes, divided by `scale`. Changes the divisor of the curvature in place. */
function quadraticAt(
  curvature: Curvature,
  distances: Float64Array,
  slopes: Float64Array,
  scale: number,
): QuadraticModel {
  const { matrix, draws } = curvature;
  const factor = curvature.scale / scale;
  for (let i = 0; i < matrix.values.length; i++) matrix.values[i] *= factor;
  curvature.scale = scale;
  const pull = productWith(matrix, distances).map((value, place) => value - slopes[place] / scale);
  return { matrix, pull, draws };
}

const learntFamily = (
  { name, kind, contrasts }: PriorFamily,
  set: number,
  { strengths, effective }: Evidence,
): LearntFamily => ({
  name,
  kind,
  contrasts: contrasts.length,
  deviation: strengths[set] ** -0.5,
  effective: effective[set],
});

function productWith({ size, values }: SymmetricMatrix, vector: Float64Array): Float64Array {
  return vector.map((_, i) => dot(values.subarray(i * size, (i + 1) * size), vector));
}

/** Converts contrasts of coordinates to contrasts of their places. */
function placed(contrasts: readonly Contrast[], coordinates: Uint32Array, size: number): Contrast[] {
  const placeOf = new Int32Array(size);
  for (const [place, coordinate] of coordinates.entries()) placeOf[coordinate] = place;
  return contrasts.map((contrast) => contrast.map(([coordinate, factor]) => [placeOf[coordinate], factor] as const));
}
