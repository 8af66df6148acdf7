// gainOf(): the expected gain of a fit on other games, which is the mean gain on its training games minus the optimism of the fit. It is
// more precise than the gain on the held-out games, because there are many more training games. Each opening counts as one observation,
// because games with the same opening are similar.

import { evaluations, expectations, type Observations, positionLoss } from '../objective/loss.js';
import type { LearntPrior } from '../priors/strengths.js';

/** Expected decrease in mean error on other games. */
export interface Gain {
  mean: number;
  /** Standard error over openings; null with fewer than two observations. */
  error: number | null;
  /** Part of the decrease on the training games that does not carry over to other games. */
  optimism: number;
  /** Number of different openings, or of different positions if there are fewer of these. */
  observations: number;
}

/** Minimum number of observations for a reliable standard error. */
export const MIN_OBSERVATIONS = 30;

/** Returns whether all positions have weight 0. */
export const isEmpty = ({ positionWeights }: Pick<Observations, 'positionWeights'>): boolean =>
  positionWeights.every((weight) => weight === 0);

/** Returns the decrease in loss of each position, on both sides of the split, from the weights `before` to the weights `after`. */
export function lossFalls(
  { dataset, targets, k, loss }: Omit<Observations, 'positionWeights'>,
  before: Float64Array,
  after: Float64Array,
): Float64Array {
  const old = expectations(evaluations(dataset, before), k);
  const fresh = expectations(evaluations(dataset, after), k);
  return old.map((p, row) => positionLoss(p, targets[row], loss) - positionLoss(fresh[row], targets[row], loss));
}

/**
 * Returns the gain on the positions with non-zero weight. `falls` is the result of lossFalls(); the optimism and its error come from
 * learnPrior(). `firstSame` contains, for each row, the first row with the same position.
 */
export function gainOf(
  falls: Float64Array,
  { dataset, positionWeights }: Pick<Observations, 'dataset' | 'positionWeights'>,
  { optimism, optimismError }: Pick<LearntPrior, 'optimism' | 'optimismError'> = { optimism: 0, optimismError: 0 },
  firstSame?: Uint32Array,
): Gain {
  const openings = new Map<number, { gain: number; weight: number }>();
  for (const [row, weight] of positionWeights.entries()) {
    if (weight === 0) continue;
    const opening = dataset.opening[dataset.game[row]];
    const sum = openings.get(opening) ?? { gain: 0, weight: 0 };
    sum.gain += weight * falls[row];
    sum.weight += weight;
    openings.set(opening, sum);
  }
  const sums = [...openings.values()];
  const total = sums.reduce((sum, { weight }) => sum + weight, 0);
  const mean = total === 0 ? 0 : sums.reduce((sum, { gain }) => sum + gain, 0) / total;
  const observations = observationsIn({ dataset, positionWeights }, firstSame);
  const squares = sums.reduce((sum, { gain, weight }) => sum + (gain - mean * weight) ** 2, 0);
  // If openings share many positions, there are fewer observations than openings, and the variance is larger
  const variance = (squares / total ** 2) * (sums.length / (observations - 1));
  const error = observations < 2 ? null : Math.sqrt(variance + optimismError ** 2);
  return { mean: mean - optimism, error, optimism, observations };
}

/** Returns the number of different openings, or of different positions if fewer, among the positions with non-zero weight. */
export function observationsIn(
  { dataset, positionWeights }: Pick<Observations, 'dataset' | 'positionWeights'>,
  firstSame?: Uint32Array,
): number {
  const openings = new Set<number>();
  // A Set has at most 2^24 elements
  const isSeen = new Uint8Array(positionWeights.length);
  for (const [row, weight] of positionWeights.entries()) {
    if (weight === 0) continue;
    openings.add(dataset.opening[dataset.game[row]]);
    isSeen[firstSame?.[row] ?? row] = 1;
  }
  const positions = isSeen.reduce((sum, flag) => sum + flag, 0);
  return Math.min(openings.size, positions);
}

/** Returns whether the gain exceeds `errors` standard errors; false with fewer than MIN_OBSERVATIONS observations. */
export const isClear = ({ mean, error, observations }: Gain, errors: number): boolean =>
  error !== null && observations >= MIN_OBSERVATIONS && mean > errors * error;

/**
 * Returns the approximate number of games at which the gain would exceed `errors` standard errors: at least twice `games`, or null if the
 * number is unknown or above ten times `games`. The gain is the attainable gain minus the loss to noise. The loss is half of the optimism,
 * and decreases as 1 / games.
 */
export function gamesNeeded({ mean, error, optimism }: Gain, games: number, errors = 1): number | null {
  const chance = optimism / 2;
  const attainable = mean + chance;
  if (!(attainable > 0)) return null;
  // With r times the games, the gain is attainable − chance / r, and its error is error / √r. At √r = `root`, the gain is `errors` errors
  const noise = errors * (error ?? 0);
  const root = (noise + Math.sqrt(noise ** 2 + 4 * attainable * chance)) / (2 * attainable);
  if (!(root ** 2 <= 10)) return null;
  return roundUp(games * Math.max(2, root ** 2));
}

/** Returns the number rounded up to this many significant digits, but at most to a whole number. */
export function roundUp(count: number, digits = 1): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(count)) + 1 - digits);
  return Math.ceil(count / unit) * unit;
}
