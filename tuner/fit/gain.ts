// gainOf(): what a fit is worth on other games, from the games it was fitted to: their mean gain less what the fit owes to knowing them.
// All training games say more than the few that are held out.

import { lossesOf, type Observations } from '../objective/loss.js';

/** By how much the mean error falls on other games, and the standard error of that over games. */
export interface Gain {
  mean: number;
  error: number;
  /** By how much more it fell on the games of the fit. */
  optimism: number;
}

/** Returns the gain of the weights `after` over those before; `optimism` is that of the prior, see learnPrior(). */
export function gainOf(observations: Observations, before: Float64Array, after: Float64Array, optimism: number): Gain {
  const { dataset, positionWeights } = observations;
  const games = dataset.opening.length;
  const gains = new Float64Array(games);
  const weights = new Float64Array(games);
  for (const [row, gain] of lossesOf(observations, before).entries()) gains[dataset.game[row]] += gain;
  for (const [row, loss] of lossesOf(observations, after).entries()) gains[dataset.game[row]] -= loss;
  for (const [row, weight] of positionWeights.entries()) weights[dataset.game[row]] += weight;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const mean = gains.reduce((sum, gain) => sum + gain, 0) / total;
  const squares = gains.reduce((sum, gain, game) => sum + (gain - mean * weights[game]) ** 2, 0);
  return { mean: mean - optimism, error: Math.sqrt(squares) / total, optimism };
}

/** Whether a gain is more than chance may bring: greater than so many of its standard errors. */
export const isClear = ({ mean, error }: Gain, errors: number): boolean => mean > errors * error;

/**
 * Returns about how many games a fit without a clear gain would have needed; null where its gain does not tell, or they are more than ten
 * times as many. A fit gains what there is to learn less what chance teaches wrongly, which falls as 1 / games and is half of the optimism.
 */
export function gamesNeeded({ mean, optimism }: Gain, games: number): number | null {
  const times = optimism / (2 * mean + optimism);
  if (!(times > 0 && times <= 10)) return null;
  const needed = games * Math.max(2, times);
  const unit = 10 ** Math.floor(Math.log10(needed));
  return Math.ceil(needed / unit) * unit;
}
