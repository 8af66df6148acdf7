// Constrained maximum likelihood for outcome samples (empirical likelihood, as in fishtest's SPRT): the distribution nearest
// to the observed shares p among those that satisfy a hypothesis. It has the form q = p / (1 + theta * g), and theta is found
// by bisection between its poles, which cannot diverge.

import { moments, type Sample } from './outcomes.js';

const MAX_ROUNDS = 1000;

/** Returns the mean of ln(q / p) under the best q whose mean score is `mean`, which must lie inside (0, 1). */
export function fitMean(sample: Sample, mean: number): number {
  const distances = sample.scores.map((score) => score - mean);
  return logRatio(sample, distances);
}

/**
 * Returns the mean of ln(q / p) under the best q with (mean - 1/2) / sigma = `t`.
 *
 * sigma is the minimum of (c + E(a - m)² / c) / 2 over all c and m, so each pair (c, m) turns the hypothesis into a linear
 * one. Starting from the sample's own moments, (c, m) moves towards those of the q it gave, until it stays. Above the
 * hypothesis the linear ones are too lenient and the likelihood must fall at each move, below it must rise; a move that
 * does not do so was too long and is halved. This is fishtest's fixed point, made to converge.
 */
export function fitNormalized(sample: Sample, t: number): number {
  // The argument above is for t > 0: the other half is its mirror image
  if (t < 0) return fitNormalized({ ...sample, shares: sample.shares.toReversed() }, -t);
  const { scores, shares } = sample;
  const observed = moments(scores, shares);
  const isAbove = observed.mean - 0.5 > t * Math.sqrt(observed.variance);
  let { c, m } = firstPoint(scores, t, observed);
  let theta = multiplier(sample, constraint(scores, t, c, m));
  let best = logRatio(sample, constraint(scores, t, c, m), theta);
  let step = 1;
  for (let round = 0; round < MAX_ROUNDS && step > 1e-9; round++) {
    const g = constraint(scores, t, c, m);
    const found = shares.map((share, i) => share / (1 + theta * g[i]));
    const now = moments(scores, found);
    const nextC = c + step * (Math.sqrt(now.variance) - c);
    const nextM = m + step * (now.mean - m);
    if (Math.abs(nextC - c) + Math.abs(nextM - m) < 1e-13 * step) break;
    const nextG = constraint(scores, t, nextC, nextM);
    const value = spansZero(nextG) ? logRatio(sample, nextG) : Number.NaN;
    if (isAbove ? value <= best : value >= best) {
      [c, m, best] = [nextC, nextM, value];
      theta = multiplier(sample, nextG);
      step = Math.min(1, 2 * step);
    } else {
      step /= 2;
    }
  }
  return best;
}

// The sample's own (c, m) if it leaves any distribution, else one that always does: a little weight below a sure win
function firstPoint(scores: readonly number[], t: number, observed: { mean: number; variance: number }) {
  const own = { c: Math.sqrt(observed.variance), m: observed.mean };
  return spansZero(constraint(scores, t, own.c, own.m)) ? own : { c: Math.min(0.5, 0.5 / t), m: 1 };
}

function constraint(scores: readonly number[], t: number, c: number, m: number): number[] {
  return scores.map((score) => score - 0.5 - (t / 2) * (c + (score - m) ** 2 / c));
}

function spansZero(g: readonly number[]): boolean {
  return Math.min(...g) < 0 && Math.max(...g) > 0;
}

function logRatio(sample: Sample, g: readonly number[], theta = multiplier(sample, g)): number {
  return -sample.shares.reduce((sum, share, i) => sum + share * Math.log1p(theta * g[i]), 0);
}

// The root of sum p g / (1 + theta g), which falls from pole to pole
function multiplier(sample: Sample, g: readonly number[]): number {
  let low = -1 / Math.max(...g);
  let high = -1 / Math.min(...g);
  for (let i = 0; i < 200; i++) {
    const theta = (low + high) / 2;
    if (theta === low || theta === high) break;
    const slope = sample.shares.reduce((sum, share, j) => sum + (share * g[j]) / (1 + theta * g[j]), 0);
    if (slope > 0) low = theta;
    else high = theta;
  }
  return (low + high) / 2;
}
