// averageIfFew() averages a fit with a second one if there are few games. The strengths of a learnt prior are then uncertain, and a fit
// with a single penalty is sometimes better. The two fits have different errors, so their mean is rarely worse than either (Breiman,
// "Stacked regressions", 1996). The shares are fixed, because so few games do not determine them.

import { type FitObserver, type FitResult, roundWeights } from './fit.js';
import { type Problem, solve, weakPenalty } from './problem.js';
import type { MethodOptions } from './tune-settings.js';

/** The `--l2` of the second fit. */
const L2 = 30;
/**
 * From this number of training games on, only the learnt prior is used. With half as many or fewer, the shares are equal. tuner/RESULTS.md
 * compares the errors of the mean and of both fits.
 */
const ENOUGH_GAMES = 200;

/** Returns the share of the second fit, from 0.5 for few games to 0. */
export const shareOfSingle = (games: number): number => Math.max(0, Math.min(0.5, 1 - games / ENOUGH_GAMES));

/**
 * Returns the fit; with few training games, its weights are averaged with those of a second fit with `--l2 30`. Interrupted fits, and fits
 * without a learnt prior, are not averaged. If the second fit is interrupted, returns the first one as interrupted.
 */
export async function averageIfFew(
  problem: Problem,
  fit: FitResult,
  options: MethodOptions,
  { signal }: FitObserver,
): Promise<FitResult> {
  const { task, objective, learnt, data } = problem;
  const share = shareOfSingle(data.split.trainGames);
  if (learnt === null || share === 0 || fit.stopped === 'interrupted') return fit;
  const single = { ...problem, penalty: await weakPenalty(problem, L2) };
  const second = await solve(single, options, signal && { signal });
  if (second.stopped === 'interrupted') return { ...fit, stopped: 'interrupted' };
  const mean = fit.weights.map((weight, i) =>
    task.frozen?.[i % task.model.size] === 1 ? weight : (1 - share) * weight + share * second.weights[i],
  );
  const weights = roundWeights(mean, task.recentre, task.model.limit, task.frozen);
  const rounded = await objective.evaluate(weights, task.k);
  return { ...fit, weights, rounded, averaged: { l2: L2, share } };
}
