// dataCurve(): the benefit of more games, from fits to growing shares of the training games, measured on the same held-out games. The
// held-out error is modelled as limit + slope / games. These two numbers give the number of games for any share of the gain.

import { createRandom } from '../../engine/kernel/random.js';
import type { Dataset } from '../dataset/dataset.js';
import { gaussNewton } from '../methods/gauss-newton.js';
import { surfaceOf } from '../methods/surface.js';
import type { Losses, LossKind } from '../objective/loss.js';
import { Objective } from '../objective/objective.js';
import { plainTargets, type Targets } from '../objective/targets.js';
import { forData, type Penalty } from '../priors/penalty.js';

export interface DataPoint extends Losses {
  games: number;
}

export interface DataCurve {
  points: DataPoint[];
  /** Coefficients of held-out = limit + slope / games, fitted to the points. */
  limit: number;
  slope: number;
  /** Decrease in error with these games, as a share (0 to 1) of the decrease with unlimited games. */
  learnt: number;
  /** Number of games for 95 % of the decrease with unlimited games; at least the present number. Null if no decrease is expected. */
  wanted: number | null;
}

export interface DataCurveSettings {
  /** Starting point of the smallest fit. */
  start: Float64Array;
  /** Held-out loss of the weights before the fit. */
  startLoss: number;
  /** Penalty of a fit to all training games. */
  penalty: Penalty;
  /** 0 for coordinates that keep their start values. */
  free: Uint8Array;
  heldOut: Uint8Array;
  /** Targets of the fit; default: the results. */
  targets?: Targets | undefined;
  k: number;
  loss: LossKind;
  seed: number;
  workers: number;
}

const SHARES = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1];
/** Minimum number of games for a point; a curve has at least three points. */
const MIN_GAMES = 50;
const MAX_STEPS = 10;
const SUFFICIENT = 0.95;

/** Returns the curve, or null without held-out games, with too few games, or if the error increases with the number of games. */
export async function dataCurve(dataset: Dataset, settings: DataCurveSettings): Promise<DataCurve | null> {
  const { heldOut, seed, start, startLoss } = settings;
  const train = [...new Set(dataset.game.filter((_, row) => heldOut[row] === 0))];
  const order = train.map((game) => [createRandom(seed, game)(), game]).sort((a, b) => a[0] - b[0]);
  if (!heldOut.includes(1) || train.length * SHARES[2] < MIN_GAMES) return null;

  const points: DataPoint[] = [];
  let weights = start;
  for (const share of SHARES) {
    const games = Math.round(share * train.length);
    if (games < MIN_GAMES) continue;
    const chosen = new Set(order.slice(0, games).map(([, game]) => game));
    const fit = await fitTo(dataset, chosen, chosen.size / train.length, settings, weights);
    weights = fit.weights;
    points.push({ games, ...fit.losses });
  }
  return conclude(points, startLoss);
}

/** Returns the fitted curve, or null if noise dominates: the error rises with the number of games. The last point has all games. */
export function conclude(points: DataPoint[], startLoss: number): DataCurve | null {
  const { games } = points[points.length - 1];
  const { limit, slope } = hyperbola(points);
  const gain = startLoss - limit;
  if (gain <= 0) return { points, limit, slope, learnt: 0, wanted: null };
  const rise = -slope / games / gain;
  if (rise > 1 - SUFFICIENT) return null;
  const needed = Math.ceil(Math.max(0, slope) / ((1 - SUFFICIENT) * gain));
  return { points, limit, slope, learnt: Math.min(1, Math.max(0, 1 + rise)), wanted: Math.max(games, needed) };
}

/** Fits to the training positions of some games, and measures the error on all held-out positions. */
async function fitTo(
  dataset: Dataset,
  games: ReadonlySet<number>,
  share: number,
  settings: DataCurveSettings,
  from: Float64Array,
) {
  const { heldOut, k, loss, penalty, free, workers } = settings;
  const { target, weight } = settings.targets ?? plainTargets(dataset);
  const isUsed = (row: number): boolean => heldOut[row] === 1 || games.has(dataset.game[row]);
  const targets = { target, weight: weight.map((votes, row) => (isUsed(row) ? votes : 0)) };
  const objective = new Objective(dataset, heldOut, { terms: from.length / 2, workers, loss, targets });
  try {
    const surface = surfaceOf(objective, k, forData(penalty, share), free);
    const method = { rate: gaussNewton.rate, decay: 0, batch: 0, epochs: MAX_STEPS, seed: 1 };
    const state = await gaussNewton.start(surface, from, method);
    for (let step = 0; step < MAX_STEPS && !state.done; step++) await gaussNewton.step(surface, state, method);
    return { weights: state.weights, losses: state.losses };
  } finally {
    await objective.close();
  }
}

/** Fits heldOut = limit + slope / games by least squares. Points with more games have more weight, because their fits scatter less. */
export function hyperbola(points: readonly DataPoint[]): { limit: number; slope: number } {
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
