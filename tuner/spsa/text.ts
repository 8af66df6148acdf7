// A tuning run as text: a table of the variables (value, distance from the start, signal against a random walk, course), status, advice.

import { signed } from '../model/names.js';
import { type Advice, adviceOf } from './advice.js';
import type { Optimum } from './quadratic-fit.js';
import type { SpsaResult } from './result.js';
import type { RunState } from './run.js';
import type { Point, Spsa, SpsaSettings } from './spsa.js';
import { shortNumber } from './variable.js';

const BARS = '▁▂▃▄▅▆▇█';
const COURSE = 24;

/** Returns where each variable is best by the quadratic fit, beside where it stands; an open end is one that the pairs do not show. */
export function optimumLines({ values, optima }: Pick<SpsaResult, 'values' | 'optima'>): string[] {
  const rows = optima.map((optimum, i) => [optimum.name, values[i].now.toFixed(3), ...optimumCells(optimum)]);
  const table = [['', 'now', 'optimum', '95 % interval'], ...rows];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  const lines = table.map((row) =>
    row.map((cell, i) => (i % 3 === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  '),
  );
  return ['Quadratic fit to all pairs:', ...lines.map((line) => line.trimEnd())];
}

/** Returns the optimum and its interval as text. */
export function optimumCells({ at, low, high }: Optimum): [string, string] {
  if (at === null) return ['–', 'not seen'];
  if (low === null || high === null) {
    return [at.toFixed(2), low === null ? `below ${high?.toFixed(2)}` : `above ${low.toFixed(2)}`];
  }
  return [at.toFixed(2), `${low.toFixed(2)} to ${high.toFixed(2)}`];
}

/** Returns a table of the variables: start, value, distance in units of c, signal in standard deviations of a random walk, course. */
export function tableLines({ settings, trajectory }: Spsa): string[] {
  const { points } = trajectory;
  const { movements } = adviceOf(settings, points);
  const rows = movements.map(({ name, start, now, mean, moved, signal }, i) => [
    ...[name, shortNumber(start), now.toFixed(3), mean.toFixed(3), signed(moved, 2), signed(signal, 1)],
    courseOf(points, i),
  ]);
  const table = [['', 'start', 'now', 'late mean', 'moved/c', 'signal', 'course'], ...rows];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  return table.map((row) =>
    row
      .map((cell, column) =>
        column === 0 || column === 6 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
      )
      .join('  ')
      .trimEnd(),
  );
}

/** Returns where a run stands in one line. */
export function statusLine(state: RunState): string {
  const { spsa, games, gamesThisSession, sessionSeconds, wins, losses, draws, failures } = state;
  const rate = gamesThisSession / Math.max(1e-3, sessionSeconds);
  const left = 2 * spsa.settings.pairs * spsa.settings.iterations - games;
  const minutes = rate > 0 ? `, ${Math.ceil(left / rate / 60)} min left` : '';
  const lost = failures > 0 ? `, ${failures} lost by failures` : '';
  return `iteration ${spsa.done}/${spsa.settings.iterations}, ${games} games +${wins} -${losses} =${draws}${lost}, ${rate.toFixed(1)} games/s${minutes}`;
}

/** Returns what to do, line by line, for the terminal. */
export function adviceLines(settings: SpsaSettings, points: readonly Point[]): string[] {
  const { distance, sentences }: Advice = adviceOf(settings, points);
  return [`Distance from the start: ${distance.toFixed(2)} c (root mean square)`, ...sentences];
}

function courseOf(points: readonly Point[], variable: number): string {
  const columns = Math.min(COURSE, points.length);
  const values = Array.from({ length: columns }, (_, i) => {
    const at = columns === 1 ? 0 : Math.round((i / (columns - 1)) * (points.length - 1));
    return points[at].values[variable];
  });
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  return values.map((value) => BARS[span === 0 ? 0 : Math.min(7, Math.floor((8 * (value - low)) / span))]).join('');
}
