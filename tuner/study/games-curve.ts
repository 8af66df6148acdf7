// Would more games help? Fits on growing shares of the training games, all measured on the same held-out games. The error
// above the best possible falls as 1 / games, so two numbers describe the curve, its end and its slope, and say how many
// games would bring it how near to its end.

import { createRandom } from '../../engine/kernel/random.js';
import type { Dataset } from '../dataset/dataset.js';
import type { LossKind } from '../objective/objective.js';
import { derivativesAt, type Observations, observe } from '../objective/observations.js';
import { evaluations, expectations } from '../objective/prediction.js';
import { type NewtonSettings, newtonFit } from './newton.js';

export interface GamesPoint {
  games: number;
  train: number;
  heldOut: number;
}

export interface GamesCurve {
  points: GamesPoint[];
  /** Least squares of held-out = limit + slope / games over the points. */
  limit: number;
  slope: number;
  /** How much of the error could be learnt from as many games as one likes, and how much of that these games give: 0 to 1. */
  learnt: number;
  /** Games for 95 % of it; what was played when that is enough, null where no number of games can be told. */
  wanted: number | null;
}

export interface GamesCurveSettings extends Omit<NewtonSettings, 'penalty'> {
  heldOut: Uint8Array;
  k: number;
  loss: LossKind;
  /** The pull of a fit to so many games: penalty = pull / games. */
  pull: number;
  seed: number;
}

const SHARES = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1];
/** Fewer games than this say nothing about a curve. */
const LEAST_GAMES = 50;
const ENOUGH = 0.95;

/** Returns the curve; null when nothing is held out or there are too few games. */
export function gamesCurve(dataset: Dataset, settings: GamesCurveSettings): GamesCurve | null {
  const { heldOut, k, loss, start, pull, seed } = settings;
  const all = observe(dataset, heldOut, 0, k, loss);
  const test = observe(dataset, heldOut, 1, k, loss);
  const train = new Set<number>();
  for (let row = 0; row < heldOut.length; row++) if (all.shares[row] > 0) train.add(dataset.game[row]);
  const order = [...train].map((game) => [createRandom(seed, game)(), game]).sort((a, b) => a[0] - b[0]);
  const lossOf = (observations: Observations, weights: Float64Array): number => {
    const { loss: sum, total } = derivativesAt(observations, expectations(evaluations(dataset, weights), k));
    return sum / total;
  };
  const startLoss = lossOf(test, start);
  if (!Number.isFinite(startLoss) || train.size * SHARES[2] < LEAST_GAMES) return null;

  const points: GamesPoint[] = [];
  let weights = start;
  for (const share of SHARES) {
    const games = Math.round(share * train.size);
    if (games < LEAST_GAMES) continue;
    const chosen = new Set(order.slice(0, games).map(([, game]) => game));
    const part = { ...all, shares: all.shares.map((value, row) => (chosen.has(dataset.game[row]) ? value : 0)) };
    weights = newtonFit(part, { ...settings, penalty: pull / games, start: weights, steps: 6 });
    points.push({ games, train: lossOf(part, weights), heldOut: lossOf(test, weights) });
  }
  const { limit, slope } = hyperbola(points);
  const gain = startLoss - limit;
  const excess = Math.max(0, slope) / train.size;
  const learnt = gain > 0 ? Math.max(0, 1 - excess / gain) : 0;
  const needed = gain > 0 ? Math.ceil(Math.max(0, slope) / ((1 - ENOUGH) * gain)) : null;
  const wanted = needed === null ? null : Math.max(train.size, needed);
  return { points, limit, slope, learnt, wanted };
}

/** Least squares for heldOut = limit + slope / games; points of more games count more, their fits scatter less. */
export function hyperbola(points: readonly GamesPoint[]): { limit: number; slope: number } {
  let [weight, x, y, xx, xy] = [0, 0, 0, 0, 0];
  for (const { games, heldOut } of points) {
    weight += games;
    x += 1;
    y += games * heldOut;
    xx += 1 / games;
    xy += heldOut;
  }
  const slope = (weight * xy - x * y) / (weight * xx - x * x);
  return { slope, limit: (y - slope * x) / weight };
}
