// A match between two engines. Each opening is played twice with reversed colours, and statistics count whole pairs in order: at
// fixed nodes the same settings give the same verdict for any number of workers.

import { join } from 'node:path';
import { writeSummary } from '../common/files.js';
import { type GameResult, type HalfPoints, halfPoints, opponentsResult } from '../common/game-result.js';
import { runSeries, type Schedule, type SeriesHooks, type SeriesSummary } from '../series/series.js';
import type { MatchSettings } from '../series/series-settings.js';
import { addGame, addPair, EMPTY_TALLY, type Tally } from '../statistics/tally.js';
import type { Statistics } from '../statistics/types.js';
import { type MatchResult, statisticsOf } from './match-result.js';

export interface MatchHooks extends SeriesHooks {
  /** Called after every finished game. */
  onProgress?: (result: MatchResult) => void;
}

/**
 * Plays the match, or what is left of it in its folder, and returns its result. Throws a UserError when the settings or
 * the folder are wrong, or an engine does not start.
 */
export async function runMatch(settings: MatchSettings, hooks: MatchHooks = {}): Promise<MatchResult> {
  const { games, sprt, out } = settings;
  const score = new MatchScore(settings);
  const summary = await runSeries({
    settings,
    schedule: pairSchedule(games),
    identity: { games, ...(sprt !== undefined && { sprt }) },
    hooks,
    onCount: (game, _, index) => score.count(game.result, index),
    figures: () => score.statistics,
    onGame: (now) => hooks.onProgress?.(resultOf(now, score.statistics)),
  });
  const result = resultOf(summary, score.statistics);
  if (out !== undefined && result.finished) writeSummary(join(out, 'result.json'), result);
  return result;
}

/** The first engine has White in the first game of each pair. */
function pairSchedule(games: number): Schedule {
  return {
    games,
    at: (index) => ({ white: index % 2, black: 1 - (index % 2), opening: index >> 1, round: (index >> 1) + 1 }),
  };
}

function resultOf({ engines, ...rest }: SeriesSummary, statistics: Statistics): MatchResult {
  return { engines, ...statistics, ...rest };
}

class MatchScore {
  statistics: Statistics;
  private readonly settings: MatchSettings;
  private tally: Tally = EMPTY_TALLY;
  private firstOfPair: HalfPoints | null = null;

  constructor(settings: MatchSettings) {
    this.settings = settings;
    this.statistics = statisticsOf(this.tally, settings.sprt);
  }

  /** Counts the next game by White's score; returns whether the SPRT has decided. An odd last game has no pair. */
  count(result: GameResult, index: number): boolean {
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
