// A match between two engines. Each opening is played twice with reversed colours, and statistics count whole pairs in order: at
// fixed nodes the same settings give the same verdict for any number of workers.

import { gamesOf, type HalfPoints, halfPoints, opponentsResult } from '../common/game-result.js';
import type { Pairing } from '../series/events.js';
import type { PlayedGame } from '../series/game.js';
import { runSeries, type Schedule, type SeriesHooks, type SeriesScore, type SeriesSummary } from '../series/series.js';
import type { MatchSettings } from '../series/settings.js';
import { eloOf } from '../statistics/elo.js';
import { bounds, DEFAULT_SPRT, llr, verdict } from '../statistics/sprt.js';
import { addGame, addPair, EMPTY_TALLY, pairsOf, type Tally, trinomial } from '../statistics/tally.js';
import type { SprtSettings, Statistics } from '../statistics/types.js';

/** The result is that of the first of the two `engines`. */
export type MatchResult = SeriesSummary & Statistics;

/** Returns the statistics of a tally, by pairs if there are any. */
export function statisticsOf(tally: Tally, sprt: SprtSettings | undefined): Statistics {
  const test = sprt ?? DEFAULT_SPRT;
  const counts = pairsOf(tally) > 0 ? tally.penta : trinomial(tally);
  // BayesElo uses single games
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

/** Plays or continues the match in its folder and returns its result; for errors see runSeries. */
export function runMatch(settings: MatchSettings, hooks: SeriesHooks<Statistics> = {}): Promise<MatchResult> {
  const { games, sprt } = settings;
  return runSeries({
    settings,
    schedule: pairSchedule(games),
    identity: { games, ...(sprt !== undefined && { sprt }) },
    hooks,
    score: new MatchScore(settings),
  });
}

/** The first engine has White in the first game of each pair. */
function pairSchedule(games: number): Schedule {
  return {
    games,
    at: (index) => ({ white: index % 2, black: 1 - (index % 2), opening: index >> 1, round: (index >> 1) + 1 }),
  };
}

class MatchScore implements SeriesScore<Statistics> {
  private statistics: Statistics;
  private tally: Tally = EMPTY_TALLY;
  private firstOfPair: HalfPoints | null = null;

  constructor(private readonly settings: MatchSettings) {
    this.statistics = statisticsOf(this.tally, settings.sprt);
  }

  figures(): Statistics {
    return this.statistics;
  }

  // The match is decided by the SPRT; an odd last game has no pair
  count({ result }: PlayedGame, _: Pairing, index: number): boolean {
    const points = halfPoints(index % 2 === 0 ? result : opponentsResult(result));
    const isLast = index === this.settings.games - 1;
    const first = this.firstOfPair;
    this.firstOfPair = first === null ? points : null;
    if (first !== null) this.tally = addPair(this.tally, first, points);
    else if (isLast) this.tally = addGame(this.tally, points, 'white');
    else return false;
    this.statistics = statisticsOf(this.tally, this.settings.sprt);
    return this.statistics.verdict !== null;
  }
}
