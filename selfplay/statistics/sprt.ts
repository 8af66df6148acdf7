// Sequential probability ratio test: the log-likelihood ratio of two Elo hypotheses, and where to stop. Normalized Elo (the
// unit does not depend on draws or the time control) is the field's choice; logistic and BayesElo are kept for comparison.

import { UserError } from '../common/errors.js';
import { choice, defaultSettings, real } from '../common/options.js';
import { fitMean, fitNormalized } from './likelihood.js';
import { ELO_PER_SIGMA, expectedScore, regularised, type Sample } from './outcomes.js';
import type { SprtModel, SprtSettings } from './types.js';

/** The log-likelihood ratios at which the test ends: H0 at or below `lower`, H1 at or above `upper`. */
export interface SprtBounds {
  lower: number;
  upper: number;
}

export const SPRT_OPTIONS = {
  elo0: real({ default: 0, help: 'SPRT: Elo of hypothesis H0' }),
  elo1: real({ default: 5, help: 'SPRT: Elo of hypothesis H1' }),
  alpha: real({ default: 0.05, help: 'SPRT: probability of a false H1' }),
  beta: real({ default: 0.05, help: 'SPRT: probability of a false H0' }),
  model: choice(['normalized', 'logistic', 'bayesian'], { default: 'normalized', help: 'SPRT: Elo model' }),
};

/** Default SPRT of a match. */
export const DEFAULT_SPRT: SprtSettings = defaultSettings(SPRT_OPTIONS);

/** Returns the SPRT of the options; throws a UserError for invalid hypotheses or error rates. */
export function sprtSettings({ elo0, elo1, alpha, beta, model }: SprtSettings): SprtSettings {
  if (!(elo0 < elo1)) throw new UserError(`--elo0 must be below --elo1, not ${elo0} and ${elo1}`, 2);
  bounds(alpha, beta);
  return { elo0, elo1, alpha, beta, model };
}

/** Hypotheses are clamped to this many Elo, so that every finite input gives a finite ratio. */
const MAX_ELO = 3000;

/**
 * Returns ln(P(counts | elo1) / P(counts | elo0)) for counts from worst to best: losses, draws, wins, or pairs LL to WW. Without games the
 * ratio is 0. Throws a UserError for invalid counts or bounds, and for pairs in the BayesElo model.
 */
export function llr(counts: readonly number[], elo0: number, elo1: number, model: SprtModel = 'normalized'): number {
  const sample = regularised(counts);
  if (Number.isNaN(elo0) || Number.isNaN(elo1)) throw new UserError('the Elo bounds of an SPRT must be numbers');
  if (counts.every((count) => count === 0)) return 0;
  const likelihood = likelihoodOf(model, sample);
  return sample.total * (likelihood(clampElo(elo1)) - likelihood(clampElo(elo0)));
}

/** Returns the bounds for the accepted rates of false H1 (alpha) and false H0 (beta); throws a UserError unless both are in (0, 0.5). */
export function bounds(alpha: number, beta: number): SprtBounds {
  for (const rate of [alpha, beta]) {
    if (!(rate > 0 && rate < 0.5)) throw new UserError(`an SPRT error rate lies between 0 and 0.5, not ${rate}`, 2);
  }
  return { lower: Math.log(beta / (1 - alpha)), upper: Math.log((1 - beta) / alpha) };
}

/** Returns the hypothesis accepted by the ratio, or null while undecided. */
export function verdict(ratio: number, { lower, upper }: SprtBounds): 'H0' | 'H1' | null {
  if (ratio >= upper) return 'H1';
  return ratio <= lower ? 'H0' : null;
}

// The mean log-likelihood of the sample under a hypothesis, against the sample's own shares
function likelihoodOf(model: SprtModel, sample: Sample): (elo: number) => number {
  const cells = sample.shares.length;
  // A pair has two games, so its score has half the variance of a game's
  if (model === 'normalized') {
    const scale = Math.sqrt(cells === 5 ? 2 : 1) / ELO_PER_SIGMA;
    return (elo) => fitNormalized(sample, elo * scale);
  }
  if (model === 'logistic') return (elo) => fitMean(sample, expectedScore(elo));
  if (cells === 5) throw new UserError('the bayesian SPRT model counts games, not pairs', 2);
  return (elo) => fitMean(sample, bayesianScore(sample, elo));
}

// BayesElo: wins and losses are logistic in Elo minus and plus the draw Elo, which is estimated from the sample
function bayesianScore(sample: Sample, elo: number): number {
  const [loss, draw, win] = sample.shares;
  const drawElo = 200 * Math.log10(((draw + win) / loss) * ((draw + loss) / win));
  return (1 + expectedScore(elo - drawElo) - expectedScore(-elo - drawElo)) / 2;
}

function clampElo(elo: number): number {
  return Math.max(-MAX_ELO, Math.min(MAX_ELO, elo));
}
