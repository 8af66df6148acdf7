// The result of a match so far, from the first engine's side: counts, Elo, likelihood ratio and verdict.

import { eloOf } from './elo.js';
import { DEFAULT_SPRT, type SprtSettings } from './match-settings.js';
import type { SeriesSummary } from './series.js';
import { bounds, llr, verdict } from './sprt.js';
import { type Counts, gamesOf, pairsOf, type Tally, trinomial } from './tally.js';

/** The first of the two `engines` is the one whose result this is. */
export interface MatchResult extends SeriesSummary {
  games: number;
  wins: number;
  losses: number;
  draws: number;
  /** The same of the games that the first engine had White in, Black in. */
  white: Counts;
  black: Counts;
  /** Pairs with 0, ½, 1, 1½, 2 points. */
  penta: number[];
  /** Elo of the first engine over the second, and the half-width of its 95 % interval. */
  elo: number;
  eloError: number;
  nelo: number;
  neloError: number;
  /** Likelihood of superiority, 0..1. */
  los: number;
  drawRatio: number;
  pairsRatio: number;
  /** Log-likelihood ratio of the SPRT (of the default one when games are counted only), and its bounds. */
  llr: number;
  lower: number;
  upper: number;
  sprt: SprtSettings;
  /** The SPRT's decision; null when it has not decided, or was not asked. */
  verdict: 'H0' | 'H1' | null;
}

/** What the counts say: the part of the result that follows from them. */
export type Statistics = Omit<MatchResult, keyof SeriesSummary>;

/** Returns the statistics of a tally; pairs decide where there are any. */
export function statisticsOf(tally: Tally, sprt: SprtSettings | undefined): Statistics {
  const test = sprt ?? DEFAULT_SPRT;
  const counts = pairsOf(tally) > 0 ? tally.penta : trinomial(tally);
  const { elo, eloError, nelo, neloError, los, drawRatio, pairsRatio } = eloOf(counts);
  // BayesElo knows single games only
  const isByGames = test.model === 'bayesian' && gamesOf(tally) > 0;
  const ratio = llr(isByGames ? trinomial(tally) : counts, test.elo0, test.elo1, test.model);
  const limits = bounds(test.alpha, test.beta);
  const { wins, losses, draws, white, black, penta } = tally;
  return {
    ...{ games: gamesOf(tally), wins, losses, draws, white, black, penta: [...penta] },
    ...{ elo, eloError, nelo, neloError, los, drawRatio, pairsRatio },
    ...{ llr: ratio, ...limits, sprt: test, verdict: sprt === undefined ? null : verdict(ratio, limits) },
  };
}
