// gainOf(): what a fit is worth on other games, from the games it was fitted to: their mean gain less what the fit owes to knowing them.
// All training games say more than the few that are held out.

import { lossesOf, type Observations } from '../objective/loss.js';

/** By how much the mean error falls on other games, and the standard error of that over games. */
export interface Gain {
  mean: number;
  error: number;
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
  return { mean: mean - optimism, error: Math.sqrt(squares) / total };
}

/** Whether a gain is more than chance may bring. */
export const isClear = ({ mean, error }: Gain): boolean => mean > error;
