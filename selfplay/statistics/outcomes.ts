// Samples of outcomes: counts of games (loss, draw, win) or pairs (LL, LD, DD+WL, WD, WW) from worst to best, and their moments, for the
// SPRT and the Elo report. In the SPRT, empty cells count as a thousandth, as in fastchess, so logarithms are finite.

import { UserError } from '../common/errors.js';

/** Elo points per unit of normalized score: 800 / ln 10. */
export const ELO_PER_SIGMA = 800 / Math.LN10;

/** Value that replaces a count of zero. */
const EMPTY_CELL = 0.001;

/** A distribution over outcomes: `scores[i]` with probability `shares[i]`, from `total` games or pairs. */
export interface Sample {
  scores: readonly number[];
  shares: readonly number[];
  total: number;
}

/** Returns the sample of the counts, with empty cells filled. Throws a UserError unless there are 3 or 5 counts. */
export function regularised(counts: readonly number[]): Sample {
  return sampleOf(checked(counts).map((count) => (count === 0 ? EMPTY_CELL : count)));
}

/** Returns the sample of the unchanged counts; its total may be zero. Throws a UserError unless there are 3 or 5 counts. */
export function sampleOf(counts: readonly number[]): Sample {
  const total = checked(counts).reduce((sum, count) => sum + count, 0);
  const scores = counts.map((_, i) => i / (counts.length - 1));
  return { scores, shares: counts.map((count) => (total > 0 ? count / total : 0)), total };
}

/** Returns the mean and variance of the score of a distribution. */
export function moments(scores: readonly number[], shares: readonly number[]): { mean: number; variance: number } {
  let mean = 0;
  for (let i = 0; i < scores.length; i++) mean += shares[i] * scores[i];
  let variance = 0;
  for (let i = 0; i < scores.length; i++) variance += shares[i] * (scores[i] - mean) ** 2;
  return { mean, variance };
}

/** Returns the expected score of a side that is `elo` stronger (logistic). */
export const expectedScore = (elo: number): number => 1 / (1 + 10 ** (-elo / 400));

function checked(counts: readonly number[]): readonly number[] {
  const isCount = (count: number): boolean => Number.isFinite(count) && count >= 0;
  if ((counts.length === 3 || counts.length === 5) && counts.every(isCount)) return counts;
  throw new UserError(`expected 3 counts (losses, draws, wins) or 5 (pairs), not [${counts.join(', ')}]`);
}
