// Draws the tables: standings with crosstable, failures, recent games.

import type { Counts, SeriesStatistics } from '../../statistics/types.js';
import type { FinishedGame, RunView } from '../views.js';
import { type Cell, element, place, table } from './elements.js';
import { fixed, percent, resultText } from './formats.js';

/** Shows the standings, of a tournament only. */
export function drawStandings(figures: SeriesStatistics | null): void {
  const isTable = figures !== null && 'standings' in figures;
  place('standings').hidden = !isTable;
  if (!isTable) return;
  const { standings, crosstable } = figures;
  const rows = standings.map((line, i): Cell[] => [
    i + 1,
    [line.engine, 'text'],
    line.games === 0 ? '–' : fixed(line.elo, 1),
    [line.games === 0 ? '' : `± ${line.eloError.toFixed(1)}`, 'muted'],
    line.points,
    line.games,
    percent(line.points / Math.max(1, line.games)),
    `${line.wins} · ${line.draws} · ${line.losses}`,
    ...crosstable[i].map((counts, j) => crossCell(counts, i === j)),
  ]);
  const head: Cell[] = ['', ['Engine', 'text'], 'Elo', '', 'Points', 'Games', 'Score', 'W · D · L'];
  const made = table([...head, ...standings.map((_, i) => i + 1)], rows);
  place('standings').replaceChildren(element('h2', {}, 'Standings'), element('div', { class: 'wide' }, made));
}

/** Shows what went wrong, if anything did. */
export function drawFailures(failures: RunView['failures']): void {
  const rows = failures.map(({ what, times, game }): Cell[] => [
    [what, 'text bad'],
    `${times}×`,
    [`last in game ${game}`, 'text'],
  ]);
  place('failures').hidden = failures.length === 0;
  place('failures').replaceChildren(element('h2', {}, 'Failures'), table([], rows));
}

/** Shows the finished games; whoever has scrolled in them stays there. */
export function drawRecent(games: FinishedGame[]): void {
  const rows = games.map(({ game, white, black, result, plies, reason }): Cell[] => [
    game,
    [white, 'text'],
    [black, 'text'],
    resultText(result),
    Math.ceil(plies / 2),
    [reason, 'text'],
  ]);
  const head: Cell[] = ['Game', ['White', 'text'], ['Black', 'text'], 'Result', 'Moves', ['End', 'text']];
  const wide = element('div', { class: 'wide' }, table(head, rows));
  const recent = place('recent');
  const scrolled = recent.querySelector('.wide')?.scrollTop ?? 0;
  recent.hidden = games.length === 0;
  recent.replaceChildren(element('h2', {}, 'Finished games'), wide);
  wide.scrollTop = scrolled;
}

function crossCell({ wins, draws, losses }: Counts, isSelf: boolean): Cell {
  const played = wins + draws + losses;
  return isSelf || played === 0 ? ['·', 'muted'] : `${wins + draws / 2}/${played}`;
}
