// averageIfFew(): with few games, the strengths of a learnt prior are uncertain, and a fit with a single penalty is sometimes better. The
// errors of the two fits differ, so that their mean is rarely worse than either (Breiman, "Stacked regressions", 1996, with fixed shares).

import { type FitObserver, roundWeights } from './fit.js';
import { solve, weakPenalty } from './problem.js';
import type { Solution } from './resolve-rounds.js';
import type { MethodOptions } from './tune-settings.js';

/** The `--l2` of the second fit. */
const L2 = 10;
/**
 * Number of training games from which the learnt prior is used alone; the shares are equal up to half as many. In 20 samples of 100 games,
 * the mean was better than the best single penalty in 18, and worse by 0.0001 and 0.0007 in two (tuner/RESULTS.md).
 */
const ENOUGH_GAMES = 200;

/** Returns the share of the second fit, from 0.5 for few games to 0. */
export const shareOfSingle = (games: number): number => Math.max(0, Math.min(0.5, 1 - games / ENOUGH_GAMES));

/**
 * Returns the solution with the weights of its fit, or with their mean with a fit with `--l2 10` if there are few training games. Fits
 * without a learnt prior and interrupted fits keep their weights.
 */
export async function averageIfFew(
  solution: Solution,
  options: MethodOptions,
  { signal }: FitObserver,
): Promise<Solution> {
  const { problem, fit } = solution;
  const { task, objective, learnt, data } = problem;
  const share = shareOfSingle(data.split.trainGames);
  if (learnt === null || share === 0 || fit.stopped === 'interrupted') return solution;
  const single = { ...problem, penalty: await weakPenalty(problem, L2) };
  const second = await solve(single, options, signal && { signal });
  if (second.stopped === 'interrupted') return { ...solution, fit: { ...fit, stopped: 'interrupted' } };
  const mean = fit.weights.map((weight, i) => (1 - share) * weight + share * second.weights[i]);
  const weights = roundWeights(mean, task.recentre, task.model.limit);
  const rounded = await objective.evaluate(weights, task.k);
  return { ...solution, fit: { ...fit, weights, rounded, averaged: { l2: L2, share } } };
}
