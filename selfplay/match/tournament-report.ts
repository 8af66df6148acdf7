// The score table of a tournament as text.

import { gamesOf, pointsOf, scoreOf } from '../common/game-result.js';
import type { LiveDisplay } from '../common/live-display.js';
import type { TournamentResult } from './tournament.js';

/** Returns the table: rank, name, Elo over the opponents, games, score, and the points against each in the same order. */
export function tournamentLines({ standings, crosstable }: TournamentResult): string[] {
  const head = ['Rank', 'Name', 'Elo', '+/-', 'Games', 'Points', 'Score', ...standings.map((_, i) => String(i + 1))];
  const rows = standings.map((standing, i) => [
    ...[String(i + 1), standing.engine, standing.elo.toFixed(1), standing.eloError.toFixed(1)],
    ...[String(standing.games), String(standing.points), `${(100 * scoreOf(standing)).toFixed(1)}%`],
    ...crosstable[i].map((counts) => (gamesOf(counts) === 0 ? '-' : String(pointsOf(counts)))),
  ]);
  const table = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...table.map((row) => row[column].length)));
  return table.map((row) =>
    row.map((cell, column) => (column === 1 ? cell.padEnd(widths[1]) : cell.padStart(widths[column]))).join('  '),
  );
}

/** Shows a running tournament: games, leader, speed, table. */
export function showTournament(display: LiveDisplay, result: TournamentResult, gamesToPlay: number): void {
  const line = (): string => statusLine(result, gamesToPlay);
  display.update(() => [line(), ...tournamentLines(result)], line);
}

function statusLine({ games, standings, seconds }: TournamentResult, gamesToPlay: number): string {
  const [{ engine, points, games: played }] = standings;
  const perHour = seconds > 0 ? Math.round((3600 * games) / seconds) : 0;
  return `${games}/${gamesToPlay} games, ${engine} leads with ${points}/${played}, ${perHour} games/h`;
}
