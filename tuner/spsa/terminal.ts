// A tuning run on the terminal: a table of the variables (value, distance from the start, signal against a random walk), a table of the
// fitted optima, the status and the advice.

import { alignedLines } from '../../selfplay/common/live-display.js';
import { signed } from '../../selfplay/common/wording.js';
import { adviceOf } from './advice.js';
import type { Optimum } from './quadratic-fit.js';
import type { SpsaResult } from './result.js';
import type { RunState } from './run.js';
import type { Spsa } from './spsa.js';
import { fixedNumber, shortNumber, type Variable } from './variable.js';

/** Returns a table of the optima by the quadratic fit. */
export function optimumLines(result: SpsaResult): string[] {
  const rows = [['', 'now', 'optimum', '95 % interval'], ...optimumRows(result)];
  return ['Quadratic fit to all pairs:', ...alignedLines(rows, [0, 3])];
}

/** Returns the name and the current value of each variable, and its optimum and interval by the quadratic fit. */
export function optimumRows({ spsa, values, optima }: SpsaResult): string[][] {
  return optima.map((optimum, i) => {
    const variable = spsa.variables[i];
    return [optimum.name, fixedNumber(values[i].now, variable, 3), ...optimumCells(optimum, variable)];
  });
}

/** Returns the optimum and its interval as text. */
export function optimumCells({ at, low, high }: Optimum, variable: Variable): [string, string] {
  if (at === null) return ['–', 'no maximum found'];
  const [best, least, most] = [at, low, high].map((value) => (value === null ? null : fixedNumber(value, variable, 2)));
  if (least === null || most === null) return [`${best}`, least === null ? `below ${most}` : `above ${least}`];
  return [`${best}`, `${least} to ${most}`];
}

/** Returns a table of the variables: start, value, distance in units of c, signal in standard deviations of a random walk. */
export function tableLines({ settings, trajectory }: Spsa): string[] {
  const { points } = trajectory;
  const { movements } = adviceOf(settings, points);
  const rows = movements.map(({ name, start, now, mean, moved, signal }, i) => [
    name,
    shortNumber(start, settings.variables[i]),
    fixedNumber(now, settings.variables[i], 3),
    fixedNumber(mean, settings.variables[i], 3),
    signed(moved, 2),
    signed(signal, 1),
  ]);
  return alignedLines([['', 'start', 'now', 'late mean', 'moved/c', 'signal'], ...rows]);
}

/** Returns the state of a run in one line. */
export function stateLine(state: RunState): string {
  const { spsa, games, gamesThisSession, sessionSeconds, wins, losses, draws, failures } = state;
  const rate = gamesThisSession / Math.max(1e-3, sessionSeconds);
  const left = 2 * spsa.settings.pairs * spsa.settings.iterations - games;
  const minutes = rate > 0 && left > 0 ? `, ${Math.ceil(left / rate / 60)} min left` : '';
  const lost = failures > 0 ? `, ${failures} lost through failures` : '';
  return `iteration ${spsa.done}/${spsa.settings.iterations}, ${games} games +${wins} -${losses} =${draws}${lost}, ${rate.toFixed(1)} games/s${minutes}`;
}

/** Returns the advice as lines for the terminal. */
export const adviceLines = ({ distance, sentences }: SpsaResult['advice']): string[] => [
  `Distance from the start: ${distance.toFixed(2)} c (root mean square)`,
  ...sentences,
];
