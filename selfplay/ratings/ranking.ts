// The ranking of rated players, and its table.

import { printable } from '../common/errors.js';
import { gamesOf, pointsOf, scoreOf } from '../common/game-result.js';
import { alignedLines } from '../common/live-display.js';
import type { Rating } from '../statistics/ratings.js';
import type { Results } from './pgn-results.js';

export interface Ranked {
  rank: number;
  name: string;
  elo: number;
  /** Half-width of the 95 % interval; 0 for an anchor. */
  error: number;
  games: number;
  points: number;
  /** Score and draw rate, 0 to 1. */
  score: number;
  draws: number;
  /** Mean rating of the opponents, weighted by games. */
  opponents: number;
}

/** Returns the players in order of strength, with `average` added to their ratings. */
export function rankingOf({ players }: Results, ratings: readonly Rating[], average: number): Ranked[] {
  const places = players.flatMap(({ opponents }, i) => (opponents.size > 0 ? [i] : []));
  places.sort((a, b) => ratings[b].elo - ratings[a].elo);
  return places.map((place, i) => {
    const player = players[place];
    const games = gamesOf(player);
    const met = [...player.opponents].reduce((sum, [opponent, count]) => sum + count * ratings[opponent].elo, 0);
    return {
      rank: i + 1,
      name: player.name,
      elo: ratings[place].elo + average,
      error: ratings[place].error,
      games,
      points: pointsOf(player),
      score: scoreOf(player),
      draws: player.draws / games,
      opponents: met / games + average,
    };
  });
}

/** Returns the lines of the table. */
export function tableLines(ranking: readonly Ranked[]): string[] {
  const head = ['Rank', 'Name', 'Elo', '+/-', 'Games', 'Points', 'Score', 'Draws', 'Opponents'];
  const rows = ranking.map(({ rank, name, elo, error, games, points, score, draws, opponents }) => [
    String(rank),
    printable(name),
    elo.toFixed(1),
    error === 0 ? 'anchor' : error.toFixed(1),
    String(games),
    String(points),
    `${(100 * score).toFixed(1)} %`,
    `${(100 * draws).toFixed(1)} %`,
    opponents.toFixed(0),
  ]);
  return alignedLines([head, ...rows], [1]);
}
