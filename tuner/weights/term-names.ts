// termLabel() and rowLabel(): names of weights for people, `queen b7` rather than `psqt[4][49]`; signed(): numbers with their sign.

import { TERMS } from '../../engine/eval/terms.js';

export const PIECES: readonly string[] = ['pawn', 'knight', 'bishop', 'rook', 'queen', 'king'];

/** Returns a short name of a term index. */
export function termLabel(index: number): string {
  const term = TERMS.find(({ offset, size }) => index >= offset && index < offset + size);
  if (term === undefined) return `term ${index}`;
  const { name, shape, offset, size } = term;
  if (size === 1) return name;
  const at = index - offset;
  const width = shape[shape.length - 1];
  const row = size === width ? '' : rowLabel(name, (at - (at % width)) / width);
  const last = width === 64 ? squareName(at % width) : name === 'material' ? PIECES[at] : String(at % width);
  return name === 'psqt' ? `${row} ${last}` : [name, row, last].filter(Boolean).join(' ');
}

/** Returns the name of a table's row, a piece where there is one for each. */
export const rowLabel = (name: string, row: number): string =>
  name === 'psqt' || name === 'material' ? (PIECES[row] ?? String(row)) : String(row);

const squareName = (square: number): string => 'abcdefgh'[square & 7] + String((square >> 3) + 1);

/** Returns a number with its sign. */
export const signed = (value: number, digits = 0): string =>
  `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(digits)}`;
