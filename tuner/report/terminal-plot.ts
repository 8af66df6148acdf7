// plotCurve(): the learning curve for the terminal, as changes since the start: the levels of train and held-out error differ by chance,
// often by more than is learnt.

import type { CurvePoint } from '../fit/fit.js';
import { signed } from '../model/names.js';

const WIDTH = 64;
const HEIGHT = 10;
const TRAIN = '·';
const HELD_OUT = '•';

/** Returns a plot of how train (·) and held-out (•) error changed since the start, by epoch. */
export function plotCurve(curve: readonly CurvePoint[]): string {
  const last = curve.length - 1;
  const shown = Array.from({ length: WIDTH }, (_, column) => curve[Math.round((column / (WIDTH - 1)) * last)]);
  const train = shown.map((point) => point.train - curve[0].train);
  const heldOut = shown.map((point) => (point.heldOut === null ? null : point.heldOut - (curve[0].heldOut ?? 0)));
  const values = [...train, ...heldOut.filter((value) => value !== null)];
  const high = Math.max(...values);
  const span = high - Math.min(...values) || 1e-9;

  const grid = Array.from({ length: HEIGHT }, () => Array.from({ length: WIDTH }, () => ' '));
  const draw = (value: number | null, column: number, mark: string): void => {
    if (value !== null) grid[Math.round(((high - value) / span) * (HEIGHT - 1))][column] = mark;
  };
  for (const [column, value] of train.entries()) draw(value, column, TRAIN);
  for (const [column, value] of heldOut.entries()) draw(value, column, HELD_OUT);

  const lines = grid.map((cells, row) => {
    const label = row === 0 || row === HEIGHT - 1 ? signed(high - (span * row) / (HEIGHT - 1), 5) : '';
    return `${label.padStart(9)} │${cells.join('').trimEnd()}`;
  });
  const scale = `0${'epoch'.padStart(WIDTH / 2)}${String(last).padStart(WIDTH / 2 - 1)}`;
  return [...lines, `${' '.repeat(10)}└${'─'.repeat(WIDTH)}`, `${' '.repeat(11)}${scale}`].join('\n');
}
