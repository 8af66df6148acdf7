// The Elo estimate of a match with its error, with the formulas of fastchess. Errors are half-widths of 95 % intervals. All values are
// finite, because a match with equal outcomes only is smoothed (see smoothed()).

import { ELO_PER_SIGMA, moments, sampleOf } from './outcomes.js';
import type { EloFigures } from './types.js';

/** Standard deviations that contain 95 % of a normal distribution. */
export const Z95 = 1.959963984540054;

/** Returns the error of a share of `total` observations: the half-width of its 95 % interval, from 0 to 1 (Agresti and Coull). */
export function shareError(hits: number, total: number): number {
  // Two hits and two misses are added, so that the error for 1 of 1 is not 0
  const middle = (hits + 2) / (total + 4);
  return Z95 * Math.sqrt((middle * (1 - middle)) / (total + 4));
}

/** Returns the Elo figures of counts from worst to best: losses, draws, wins; or pairs LL, LD, DD+WL, WD, WW. */
export function eloOf(counts: readonly number[]): EloFigures {
  const { total, shares } = sampleOf(counts);
  const middle = (counts.length - 1) / 2;
  const drawRatio = shares[middle];
  const pairsRatio = ratio(sum(counts.slice(middle + 1)), sum(counts.slice(0, middle)));
  if (total === 0) return { elo: 0, eloError: 0, nelo: 0, neloError: 0, los: 0.5, drawRatio, pairsRatio };
  const sample = sampleOf(smoothed(counts));
  const { mean, variance } = moments(sample.scores, sample.shares);
  const standardError = Math.sqrt(variance / sample.total);
  const gamesInUnit = counts.length === 5 ? 2 : 1;
  const neloUnit = ELO_PER_SIGMA / Math.sqrt(gamesInUnit);
  // The estimated score stays at least this far from 0 and 1: half a point in a match with one more game
  const limit = 0.5 / (gamesInUnit * total + 1);
  return {
    ...eloInterval(mean, Z95 * standardError, limit),
    nelo: (neloUnit * (mean - 0.5)) / Math.sqrt(variance),
    neloError: (neloUnit * Z95) / Math.sqrt(sample.total),
    los: normalDistribution((mean - 0.5) / standardError),
    drawRatio,
    pairsRatio,
  };
}

/** Returns the counts. If all outcomes are equal and the variance is therefore zero, half an outcome is added at each extreme. */
export function smoothed(counts: readonly number[]): readonly number[] {
  if (counts.filter((count) => count > 0).length > 1) return counts;
  return counts.map((count, i) => (i === 0 || i === counts.length - 1 ? count + 0.5 : count));
}

// If the interval exceeds the limit on one side, the error is the width on the other side
function eloInterval(mean: number, halfWidth: number, limit: number): { elo: number; eloError: number } {
  const clamp = (score: number): number => Math.max(limit, Math.min(1 - limit, score));
  const elo = eloOfScore(clamp(mean));
  const down = elo - eloOfScore(clamp(mean - halfWidth));
  const up = eloOfScore(clamp(mean + halfWidth)) - elo;
  if (mean + halfWidth > 1 - limit && mean - halfWidth >= limit) return { elo, eloError: down };
  if (mean - halfWidth < limit && mean + halfWidth <= 1 - limit) return { elo, eloError: up };
  return { elo, eloError: (down + up) / 2 };
}

/** Returns the Elo difference for an expected score in (0, 1). */
const eloOfScore = (score: number): number => 400 * Math.log10(score / (1 - score));

/** Returns the standard normal distribution function with an error below 1e-7 (Abramowitz and Stegun 26.2.17). */
export function normalDistribution(x: number): number {
  if (x === 0) return 0.5;
  const k = 1 / (1 + 0.2316419 * Math.abs(x));
  const series = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
  const tail = (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * series;
  return x > 0 ? 1 - tail : tail;
}

function ratio(won: number, lost: number): number {
  if (won === 0 && lost === 0) return 1;
  return won / (lost === 0 ? 0.5 : lost);
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

// A straight line through points with errors, by weighted least squares

interface Point {
  x: number;
  y: number;
  /** Half-width of the 95 % interval of y. */
  error: number;
}

/**
 * Returns the slope of the line and the half-width of its 95 % interval, or null for fewer than two different values of x. Points without
 * an error are ignored.
 */
export function slopeOf(all: readonly Point[]): { slope: number; error: number } | null {
  const points = all.filter(({ error }) => error > 0);
  const weights = points.map(({ error }) => 1 / error ** 2);
  const sum = (value: (point: Point) => number): number =>
    points.reduce((total, point, i) => total + weights[i] * value(point), 0);
  const total = sum(() => 1);
  const meanX = sum(({ x }) => x) / total;
  const spread = sum(({ x }) => (x - meanX) ** 2);
  if (points.length < 2 || spread === 0) return null;
  return { slope: sum(({ x, y }) => (x - meanX) * y) / spread, error: 1 / Math.sqrt(spread) };
}
