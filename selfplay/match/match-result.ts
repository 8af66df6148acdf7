// The result of a match so far, from the first engine's side: counts, Elo, likelihood ratio and verdict.

import { gamesOf } from '../common/game-result.js';
import type { SeriesSummary } from '../series/series.js';
import { eloOf } from '../statistics/elo.js';
import { bounds, DEFAULT_SPRT, llr, verdict } from '../statistics/sprt.js';
import { pairsOf, type Tally, trinomial } from '../statistics/tally.js';
import type { SprtSettings, Statistics } from '../statistics/types.js';

/** The first of the two `engines` is the one whose result this is. */
export type MatchResult = SeriesSummary & Statistics;

/** Returns the statistics of a tally; pairs decide where there are any. */
export function statisticsOf(tally: Tally, sprt: SprtSettings | undefined): Statistics {
  const test = sprt ?? DEFAULT_SPRT;
  const counts = pairsOf(tally) > 0 ? tally.penta : trinomial(tally);
  // BayesElo knows single games only
  const isByGames = test.model === 'bayesian' && gamesOf(tally) > 0;
  const ratio = llr(isByGames ? trinomial(tally) : counts, test.elo0, test.elo1, test.model);
  const limits = bounds(test.alpha, test.beta);
  const { wins, losses, draws, white, black, penta } = tally;
  return {
    games: gamesOf(tally),
    wins,
    losses,
    draws,
    white,
    black,
    penta: [...penta],
    ...eloOf(counts),
    llr: ratio,
    ...limits,
    sprt: sprt ?? null,
    verdict: sprt === undefined ? null : verdict(ratio, limits),
  };
}
