// learnPrior(): the strengths of the prior's families from the training games, by the evidence. Positions of a game share its result, so how
// much they tell is measured by the scatter of whole games' gradients (the sandwich's trace), not counted.

import { createRandom } from '../../engine/kernel/random.js';
import type { SymmetricMatrix } from '../matrix/cholesky.js';
import { coordinatesOf } from '../matrix/normal-matrix.js';
import {
  derivativesAt,
  evaluations,
  expectations,
  gradientOf,
  linearise,
  type Observations,
} from '../objective/loss.js';
import type { Objective } from '../objective/objective.js';
import { MAX_STRENGTH, maximiseEvidence, type QuadraticModel } from './evidence.js';
import { type Family, familiesOf, type Kind } from './families.js';
import { type Contrast, type Penalty, penaltyOf } from './penalty.js';
import { fallsOf, risesOf } from './rising.js';

/** What was learnt of a family. */
export interface LearntFamily {
  name: string;
  kind: Kind;
  /** Standard deviation of its contrasts that the prior expects, in centipawns. */
  deviation: number;
  /** Number of contrasts, and of the free parameters that they amount to. */
  contrasts: number;
  effective: number;
}

export interface LearntPrior {
  penalty: Penalty;
  families: LearntFamily[];
  /** How much larger the mean loss is expected to be on other games than on those of the fit. */
  optimism: number;
  /** Weights near the best for this prior. */
  weights: Float64Array;
}

export interface PriorSettings {
  observations: Observations;
  start: Float64Array;
  prior: Float64Array;
  free: Uint8Array;
  /** Of the matrix: every so many rows. */
  stride: number;
  /** Ends the search with what was found so far. */
  signal?: AbortSignal;
}

/** Deviations of evaluations in centipawns; one contrast of this size is added to each family, and they are the first guess. */
const USUAL_DEVIATIONS: Record<Kind, number> = { distance: 40, mirror: 6, curvature: 6 };
const ROUNDS = 7;
/** Of ties between neighbours of a table that would fall. */
const TIE_STRENGTH = MAX_STRENGTH;
/** Games and positions whose gradients are looked at, and how often signs are drawn for them: what they add is then known to a few per cent. */
const GAMES = 4000;
const ROWS = 20_000;
const DRAWS = 16;
const TOLERANCE = 0.01;

/** Returns the most likely prior around `prior` for the training side. */
export async function learnPrior(
  objective: Objective,
  { observations, start, prior, free, stride, signal }: PriorSettings,
  families: readonly Family[] = familiesOf(free),
  rises: readonly Contrast[] = risesOf(free),
): Promise<LearntPrior> {
  const { k, dataset } = observations;
  const coordinates = coordinatesOf(free);
  const sets = families.map(({ contrasts }) => placed(contrasts, coordinates, free.length));
  const games = sampledGames(dataset.game, observations.positionWeights);
  const usual = Float64Array.from(families, ({ kind }) => USUAL_DEVIATIONS[kind]);
  let strengths: Float64Array = usual.map((deviation) => deviation ** -2);
  let ties: Contrast[] = [];
  let weights = start;
  let noise = Number.NaN;
  let effective = 0;

  for (let round = 1; ; round++) {
    const gradient = new Float64Array(start.length);
    const { train } = await objective.evaluate(weights, k, gradient);
    const matrix = await objective.matrix(weights, k, stride, coordinates);
    // As if the games' positions told as much as three
    if (Number.isNaN(noise)) noise = train / (3 * games.total);
    const distances = Float64Array.from(coordinates, (i) => weights[i] - prior[i]);
    const slopes = Float64Array.from(coordinates, (i) => gradient[i]);
    const draws = drawsOf(observations, weights, coordinates, games);
    const model = { ...modelOf(matrix, distances, slopes, 2 * noise), draws };
    const tied = placed(ties, coordinates, free.length);
    const evidence = maximiseEvidence(model, [...sets, tied], Float64Array.of(...strengths, TIE_STRENGTH), {
      usual,
      fixed: 1,
    });
    strengths = evidence.strengths.subarray(0, sets.length);
    const parameters = evidence.effective.subarray(0, sets.length).reduce((sum, value) => sum + value, 0);
    const before = effective;
    effective = parameters;
    weights = weights.slice();
    for (const [place, i] of coordinates.entries()) weights[i] = prior[i] + evidence.distances[place];
    const falls = fallsOf(rises, weights, prior, ties);
    const isSettled = Math.abs(parameters - before) < TOLERANCE * parameters + 0.1 && isSame(falls, ties);
    if (isSettled || round === ROUNDS || signal?.aborted === true) {
      const strong = families.map(({ contrasts }, set) => ({ contrasts, strength: strengths[set] }));
      strong.push({ contrasts: ties, strength: TIE_STRENGTH });
      return {
        penalty: penaltyOf(prior, noise, strong),
        families: families.map(({ name, kind, contrasts }, set) => ({
          ...{ name, kind, contrasts: contrasts.length },
          ...{ deviation: strengths[set] ** -0.5, effective: evidence.effective[set] },
        })),
        optimism: evidence.groupTrace / (2 * noise),
        weights,
      };
    }
    ties = falls;
    if (parameters > TOLERANCE) noise = evidence.groupTrace / (4 * noise * parameters);
  }
}

/** Whether two lists, in the same order, have the same members. */
const isSame = (some: readonly Contrast[], others: readonly Contrast[]): boolean =>
  some.length === others.length && some.every((contrast, i) => contrast === others[i]);

/** Returns the model of the misfit over `scale`, whose minimum is where the mean loss has its own. */
function modelOf({ size, values }: SymmetricMatrix, distances: Float64Array, slopes: Float64Array, scale: number) {
  const matrix = { size, values: values.map((value) => value / scale) };
  const pull = slopes.map((slope, i) => {
    const row = matrix.values.subarray(i * size, (i + 1) * size);
    return distances.reduce((sum, distance, j) => sum + row[j] * distance, -slope / scale);
  });
  return { matrix, pull };
}

/** Returns contrasts of coordinates as such of the coordinates' places. */
function placed(contrasts: readonly Contrast[], coordinates: Uint32Array, size: number): Contrast[] {
  const placeOf = new Int32Array(size);
  for (const [place, coordinate] of coordinates.entries()) placeOf[coordinate] = place;
  return contrasts.map((contrast) => contrast.map(([coordinate, factor]) => [placeOf[coordinate], factor] as const));
}

/** Marks every n-th of the games that count. */
function sampledGames(game: Uint32Array, positionWeights: Float64Array) {
  const all = [...new Set(game.filter((_, row) => positionWeights[row] > 0))];
  const stride = Math.max(1, Math.floor(all.length / GAMES));
  const isSampled = new Set(all.filter((_, index) => index % stride === 0));
  return { total: all.length, isSampled };
}

/** Returns the gradients of the mean loss of as many games as there are, under random signs: those of each game, and of each position. */
function drawsOf(
  observations: Observations,
  weights: Float64Array,
  coordinates: Uint32Array,
  { total, isSampled }: ReturnType<typeof sampledGames>,
): NonNullable<QuadraticModel['draws']> {
  const { dataset, k } = observations;
  const derivatives = derivativesAt(observations, expectations(evaluations(dataset, weights), k));
  const rows = linearise(dataset, weights);
  const random = createRandom(DRAWS);
  const drawn = (isDrawn: (row: number) => boolean, numberOf: ArrayLike<number>, count: number, share: number) =>
    Array.from({ length: DRAWS }, () => {
      const signs = Int8Array.from({ length: count }, () => 1 - 2 * (random() & 1));
      const scale = 1 / (Math.sqrt(share) * derivatives.total);
      const slopes = derivatives.slopes.map((slope, row) => (isDrawn(row) ? scale * slope * signs[numberOf[row]] : 0));
      const gradient = gradientOf(rows, slopes, weights.length / 2);
      return Float64Array.from(coordinates, (coordinate) => gradient[coordinate]);
    });
  const { game, opening } = dataset;
  const each = Uint32Array.from(game.keys());
  const every = Math.max(1, Math.floor(each.length / ROWS));
  return {
    groups: drawn((row) => isSampled.has(game[row]), game, opening.length, isSampled.size / total),
    errors: drawn((row) => row % every === 0, each, each.length, 1 / every),
  };
}
