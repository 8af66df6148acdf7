// Sequential probability ratio test: the log-likelihood ratio of two Elo hypotheses, and the bounds at which to stop. Normalized Elo is the
// usual choice, because the number of games needed to detect a given difference hardly depends on the draw rate or the time control.
// Logistic Elo and BayesElo are available for comparison.

import { UserError } from '../common/errors.js';
import { choice, defaultSettings, real, type SettingsOf } from '../common/options.js';
import { ELO_PER_SIGMA, expectedScore, moments, regularised, type Sample } from './outcomes.js';

/** The log-likelihood ratios at which the test ends: H0 at or below `lower`, H1 at or above `upper`. */
export interface SprtBounds {
  lower: number;
  upper: number;
}

export const SPRT_OPTIONS = {
  elo0: real('SPRT: Elo of hypothesis H0', { default: 0 }),
  elo1: real('SPRT: Elo of hypothesis H1', { default: 5 }),
  alpha: real('SPRT: probability of accepting H1 if H0 is true', { default: 0.05 }),
  beta: real('SPRT: probability of accepting H0 if H1 is true', { default: 0.05 }),
  model: choice('SPRT: Elo model', ['normalized', 'logistic', 'bayesian'], { default: 'normalized' }),
};

/** The two hypotheses in Elo, the error rates, and the Elo model of the hypotheses. */
export type SprtSettings = SettingsOf<typeof SPRT_OPTIONS>;
export type SprtModel = SprtSettings['model'];

export const DEFAULT_SPRT: SprtSettings = defaultSettings(SPRT_OPTIONS);

/** Returns the SPRT settings given by the options; throws a UserError for invalid hypotheses or error rates. */
export function sprtSettings({ elo0, elo1, alpha, beta, model }: SprtSettings): SprtSettings {
  if (!(elo0 < elo1)) throw new UserError(`--elo0 must be below --elo1, not ${elo0} and ${elo1}`, 2);
  bounds(alpha, beta);
  return { elo0, elo1, alpha, beta, model };
}

/** Hypotheses are clamped to this many Elo, so every finite input gives a finite ratio. */
const MAX_ELO = 3000;

/**
 * Returns ln(P(counts | elo1) / P(counts | elo0)) for counts from worst to best: losses, draws, wins, or pairs LL to WW. Without games the
 * ratio is 0. Throws a UserError for invalid counts or hypotheses, and for pairs in the BayesElo model.
 */
export function llr(counts: readonly number[], elo0: number, elo1: number, model: SprtModel = 'normalized'): number {
  const sample = regularised(counts);
  if (Number.isNaN(elo0) || Number.isNaN(elo1)) throw new UserError('the Elo bounds of an SPRT must be numbers');
  if (counts.every((count) => count === 0)) return 0;
  const likelihood = likelihoodOf(model, sample);
  return sample.total * (likelihood(clampElo(elo1)) - likelihood(clampElo(elo0)));
}

/**
 * Returns the bounds for the error rates alpha (H1 wrongly accepted) and beta (H0 wrongly accepted). Throws a UserError unless both are in
 * (0, 0.5).
 */
export function bounds(alpha: number, beta: number): SprtBounds {
  for (const rate of [alpha, beta]) {
    if (!(rate > 0 && rate < 0.5)) throw new UserError(`--alpha and --beta must be between 0 and 0.5, not ${rate}`, 2);
  }
  return { lower: Math.log(beta / (1 - alpha)), upper: Math.log((1 - beta) / alpha) };
}

/** Returns the hypothesis accepted by the ratio, or null while undecided. */
export function verdict(ratio: number, { lower, upper }: SprtBounds): 'H0' | 'H1' | null {
  if (ratio >= upper) return 'H1';
  return ratio <= lower ? 'H0' : null;
}

// Returns the mean log-likelihood of the sample under a hypothesis, relative to the sample's own shares
function likelihoodOf(model: SprtModel, sample: Sample): (elo: number) => number {
  const cells = sample.shares.length;
  // A pair has two games, so its score has half the variance of the score of a game
  if (model === 'normalized') {
    const scale = Math.sqrt(cells === 5 ? 2 : 1) / ELO_PER_SIGMA;
    return (elo) => fitNormalized(sample, elo * scale);
  }
  if (model === 'logistic') return (elo) => fitMean(sample, expectedScore(elo));
  if (cells === 5)
    throw new UserError('the bayesian SPRT model counts games, not pairs; give --wdl instead of --penta', 2);
  return (elo) => fitMean(sample, bayesianScore(sample, elo));
}

// BayesElo: the win probability is logistic in Elo minus draw Elo, the loss probability in -Elo minus draw Elo; draw Elo is estimated from
// the sample
function bayesianScore(sample: Sample, elo: number): number {
  const [loss, draw, win] = sample.shares;
  const drawElo = 200 * Math.log10(((draw + win) / loss) * ((draw + loss) / win));
  return (1 + expectedScore(elo - drawElo) - expectedScore(-elo - drawElo)) / 2;
}

const clampElo = (elo: number): number => Math.max(-MAX_ELO, Math.min(MAX_ELO, elo));

// Constrained maximum likelihood for outcome samples (empirical likelihood, as in fishtest's SPRT): the distribution nearest to the
// observed shares p among those that satisfy a hypothesis. It has the form q = p / (1 + theta * g), and theta is the root of an equation,
// found by bisection between the poles of the equation, so the search cannot diverge.

const MAX_ROUNDS = 1000;

/** Returns the mean of ln(q / p) over the sample, for the best q with the mean score `mean`, which must lie inside (0, 1). */
function fitMean(sample: Sample, mean: number): number {
  const distances = sample.scores.map((score) => score - mean);
  return logRatio(sample, distances);
}

/**
 * Returns the mean of ln(q / p) over the sample, for the best q with (mean - 1/2) / sigma = `t`.
 *
 * With a as the score, sigma is the minimum of (c + E[(a - m)²] / c) / 2 over all c > 0 and m, so each pair (c, m) turns the hypothesis
 * into a linear one. The search starts at the sample's own moments and moves (c, m) towards the moments of the last q until they stop
 * changing. If the sample lies above the hypothesis, the linear hypotheses are too lenient, and the likelihood must fall with each move.
 * If it lies below, the likelihood must rise. A move that violates this was too long and is halved. This is fishtest's fixed-point
 * iteration with guaranteed convergence.
 */
function fitNormalized(sample: Sample, t: number): number {
  // The argument above holds for t >= 0; negative t is the mirror image
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

// Returns the sample's own (c, m) if a distribution satisfies its constraint. Otherwise returns a pair whose constraint is always
// satisfiable, by a distribution close to a sure win
function firstPoint(scores: readonly number[], t: number, observed: { mean: number; variance: number }) {
  const own = { c: Math.sqrt(observed.variance), m: observed.mean };
  return spansZero(constraint(scores, t, own.c, own.m)) ? own : { c: Math.min(0.5, 0.5 / t), m: 1 };
}

function constraint(scores: readonly number[], t: number, c: number, m: number): number[] {
  return scores.map((score) => score - 0.5 - (t / 2) * (c + (score - m) ** 2 / c));
}

const spansZero = (g: readonly number[]): boolean => Math.min(...g) < 0 && Math.max(...g) > 0;

function logRatio(sample: Sample, g: readonly number[], theta = multiplier(sample, g)): number {
  return -sample.shares.reduce((sum, share, i) => sum + share * Math.log1p(theta * g[i]), 0);
}

// Returns the root of sum p g / (1 + theta g), which decreases between its poles
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
