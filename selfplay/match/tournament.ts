// Tournaments of more than two engines: round-robin, gauntlet (the first engine against all others) or Swiss. In a round, all pairings play
// the same openings, each twice with reversed colours.

import { gamesOf, halfPoints, opponentsResult, pointsOf, scoreOf } from '../common/game-result.js';
import { alignedLines, type LiveDisplay, type Row } from '../common/live-display.js';
import { runSeries, type Schedule, type SeriesHooks, type SeriesScore, type SeriesSummary } from '../series/series.js';
import type { Competitor, SeriesSettings } from '../series/settings.js';
import type { Rating } from '../statistics/rating-fit.js';
import { ratingsOf } from '../statistics/ratings.js';
import { addPair, EMPTY_TALLY, invertTally, mergeTallies, type Tally } from '../statistics/tally.js';
import type { Standing, TournamentStatistics } from '../statistics/types.js';
import { swissSchedule } from './swiss.js';

export const TOURNAMENT_FORMATS = ['round-robin', 'gauntlet', 'swiss'] as const;
export type TournamentFormat = (typeof TOURNAMENT_FORMATS)[number];

export interface TournamentSettings extends SeriesSettings {
  format: TournamentFormat;
  /** Games of each pairing; even. */
  games: number;
  /** Rounds of a Swiss tournament. */
  rounds?: number;
}

export type TournamentResult = SeriesSummary & TournamentStatistics;

/** Plays or continues the tournament in its folder. For errors see runSeries(). */
export function runTournament(
  settings: TournamentSettings,
  hooks: SeriesHooks<TournamentStatistics> = {},
): Promise<TournamentResult> {
  const { engines, format, games, rounds } = settings;
  const schedule = scheduleOf(settings);
  return runSeries({
    settings,
    schedule,
    identity: { tournament: format, games, ...(format === 'swiss' && { rounds }) },
    hooks,
    score: scoreTable(engines),
  });
}

/** Returns the number of games of the tournament. */
export const tournamentGames = (settings: TournamentSettings): number => scheduleOf(settings).games;

function scheduleOf({ format, engines, games, rounds = 1 }: TournamentSettings): Schedule {
  if (format === 'swiss') return swissSchedule(engines.length, rounds, games);
  return tournamentSchedule(format, engines.length, games);
}

/** Returns the schedule of a round-robin or gauntlet in which each pairing plays `games` games; both games of a pair are adjacent. */
export function tournamentSchedule(format: TournamentFormat, engines: number, games: number): Schedule {
  const pairings: [number, number][] = [];
  for (let i = 0; i < (format === 'gauntlet' ? 1 : engines); i++) {
    for (let j = i + 1; j < engines; j++) pairings.push([i, j]);
  }
  return {
    games: pairings.length * games,
    at(index) {
      const round = Math.floor(index / (2 * pairings.length));
      const pairing = pairings[(index >> 1) % pairings.length];
      return { white: pairing[index % 2], black: pairing[1 - (index % 2)], opening: round, round: round + 1 };
    },
  };
}

/** Returns an empty score table for a tournament between the engines. */
export function scoreTable(engines: readonly Pick<Competitor, 'anchor'>[]): SeriesScore<TournamentStatistics> {
  const anchors = engines.map(({ anchor }) => anchor);
  const tallies: Tally[][] = engines.map(() => engines.map(() => EMPTY_TALLY));
  // A fit of many engines takes milliseconds, and the figures may be requested more than once per pair
  let ratings: Rating[] | null = null;
  return {
    count: ([{ game, pairing }, second]) => {
      const { white, black } = pairing;
      const reply = halfPoints(opponentsResult(second.game.result));
      tallies[white][black] = addPair(tallies[white][black], halfPoints(game.result), reply);
      tallies[black][white] = invertTally(tallies[white][black]);
      ratings = null;
      return false;
    },
    figures: (names) => {
      const totals = tallies.map((row) => row.reduce(mergeTallies));
      ratings ??= ratingsOf(tallies, anchors);
      const fitted = ratings;
      // Ordered by score, not points, because the numbers of games differ in a gauntlet or after a bye. Ratings are unsuitable: those of
      // equal engines differ by rounding errors, and those of engines without common opponents cannot be compared
      const order = totals.map((_, engine) => engine).sort((a, b) => scoreOf(totals[b]) - scoreOf(totals[a]));
      return {
        games: totals.reduce((sum, tally) => sum + gamesOf(tally), 0) / 2,
        standings: order.map((engine) => standing(names[engine], totals[engine], fitted[engine])),
        crosstable: order.map((row) => order.map((column) => entry(tallies[row][column]))),
      };
    },
  };
}

function standing(engine: string, tally: Tally, { elo, error }: Rating): Standing {
  const { penta: _, ...counts } = tally;
  return { engine, games: gamesOf(tally), ...counts, points: pointsOf(tally), elo, eloError: error };
}

function entry({ wins, losses, draws, penta }: Tally): TournamentResult['crosstable'][number][number] {
  return { wins, losses, draws, penta: [...penta] };
}

// The score table of a tournament as text.

/**
 * Returns the table: rank, name, Elo, games, points, score, and the points against each engine in the order of the ranks, unless the table
 * would then be wider than `width`.
 */
export function tournamentLines(result: TournamentResult, width = Number.POSITIVE_INFINITY): string[] {
  const whole = tableLines(result);
  return whole[0].length <= width ? whole : tableLines({ ...result, crosstable: [] });
}

function tableLines({ standings, crosstable }: TournamentResult): string[] {
  const head = ['Rank', 'Name', 'Elo', '+/-', 'Games', 'Points', 'Score', ...crosstable.map((_, i) => String(i + 1))];
  const rows = standings.map((standing, i) => [
    ...[String(i + 1), standing.engine, standing.elo.toFixed(1), standing.eloError.toFixed(1)],
    ...[String(standing.games), String(standing.points), `${(100 * scoreOf(standing)).toFixed(1)}%`],
    ...(crosstable[i] ?? []).map((counts) => (gamesOf(counts) === 0 ? '-' : String(pointsOf(counts)))),
  ]);
  return alignedLines([head, ...rows], [1]);
}

/** Shows a running tournament: games, leader, speed, table. */
export function showTournament(display: LiveDisplay, result: () => TournamentResult, gamesToPlay: number): void {
  const rows = (now: TournamentResult): Row[] => {
    const bar = { label: 'tournament', share: now.games / gamesToPlay, text: statusLine(now, gamesToPlay) };
    return [bar, ...tournamentLines(now, display.width)];
  };
  display.update(
    () => rows(result()),
    () => statusLine(result(), gamesToPlay),
  );
}

function statusLine({ games, standings, seconds }: TournamentResult, gamesToPlay: number): string {
  const [{ engine, points, games: played }] = standings;
  const perHour = seconds > 0 ? Math.round((3600 * games) / seconds) : 0;
  return `${games}/${gamesToPlay} games, ${engine} leads with ${points}/${played}, ${perHour} games/h`;
}
