// A match between two engines. Each opening is played twice with reversed colours, and statistics count whole pairs in order. At fixed
// nodes, the same settings therefore give the same verdict for any number of workers.

import { gamesOf, halfPoints, opponentsResult } from '../common/game-result.js';
import { runSeries, type SeriesHooks, type SeriesScore, type SeriesSummary } from '../series/series.js';
import type { SeriesSettings } from '../series/settings.js';
import { eloOf } from '../statistics/elo.js';
import { bounds, DEFAULT_SPRT, llr, type SprtSettings, verdict } from '../statistics/sprt.js';
import { addPair, EMPTY_TALLY, pairsOf, type Tally, trinomial } from '../statistics/tally.js';
import type { Statistics } from '../statistics/types.js';
import { tournamentSchedule } from './tournament.js';

export interface MatchSettings extends SeriesSettings {
  /** Number of games (even); the maximum with an SPRT. */
  games: number;
  sprt?: SprtSettings;
}

/** Result of a match from the first engine's point of view. */
export type MatchResult = SeriesSummary & Statistics;

/** Returns the statistics of a tally, computed from pairs if there are any. */
export function statisticsOf(tally: Tally, sprt: SprtSettings | undefined): Statistics {
  const test = sprt ?? DEFAULT_SPRT;
  const counts = pairsOf(tally) > 0 ? tally.penta : trinomial(tally);
  // BayesElo uses single games
  const isByGames = test.model === 'bayesian' && gamesOf(tally) > 0;
  const ratio = llr(isByGames ? trinomial(tally) : counts, test.elo0, test.elo1, test.model);
  const limits = bounds(test.alpha, test.beta);
  const { penta, ...results } = tally;
  return {
    games: gamesOf(tally),
    ...results,
    penta: [...penta],
    ...eloOf(counts),
    llr: ratio,
    ...limits,
    sprt: sprt ?? null,
    verdict: sprt === undefined ? null : verdict(ratio, limits),
  };
}

/** Plays or continues the match in its folder. Returns its result. For errors see runSeries(). */
export function runMatch(settings: MatchSettings, hooks: SeriesHooks<Statistics> = {}): Promise<MatchResult> {
  const { games, sprt } = settings;
  return runSeries({
    settings,
    schedule: tournamentSchedule('round-robin', 2, games),
    identity: { games, ...(sprt !== undefined && { sprt }) },
    hooks,
    score: matchScore(settings),
  });
}

function matchScore({ sprt }: MatchSettings): SeriesScore<Statistics> {
  let tally: Tally = EMPTY_TALLY;
  let statistics = statisticsOf(tally, sprt);
  return {
    figures: () => statistics,
    // Only the SPRT ends a match before its last game
    count: ([first, second]) => {
      tally = addPair(tally, halfPoints(first.game.result), halfPoints(opponentsResult(second.game.result)));
      statistics = statisticsOf(tally, sprt);
      return statistics.verdict !== null;
    },
  };
}
