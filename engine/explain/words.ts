// Wording that all explanations share: numbers, lists and squares.

import { kingSquare } from '../board/position.js';
import { squareName } from '../board/types.js';
import type { Term } from '../eval/terms.js';
import type { Detail } from './shares.js';
import { squaresOf } from './squares.js';

/** Words, and the squares to which they refer. */
export interface Words {
  text: string;
  squares: string[];
}

/** Smallest value that is mentioned, in centipawns. */
export const LEAST = 6;
/** Maximum phase of an endgame, in which development no longer matters and the king belongs in the centre. */
export const ENDGAME = 8;
const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];

/** Returns a text with the squares to which it refers. */
export const said = (text: string, squares: string[] = []): Words => ({ text, squares });

export const nothing = said('');

/** Returns the square of a side's king. */
export const king = (side: Color): string => squareName(kingSquare[side]);

/** Returns the number of a side's pieces of a type. */
export const men = (side: Color, type: number): number => squaresOf(side, type).length;

/** Returns a number with its noun: `two pawns`. */
export const plural = (count: number, noun: string): string =>
  `${NUMBERS[count] ?? count} ${noun}${count === 1 ? '' : 's'}`;

/** Returns the words as a list: `a, b and c`. */
export const inWords = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** Returns the value of a detail for a side; the other side's details count negatively. */
export const valueFor = (side: Color, detail: Detail): number => (detail.side === side ? detail.value : -detail.value);

/** Returns the details worth at least LEAST to a side, largest first. */
export function heaviest(details: readonly Detail[], side: Color): Detail[] {
  const weight = (detail: Detail): number => valueFor(side, detail);
  return details.filter((detail) => weight(detail) >= LEAST).sort((a, b) => weight(b) - weight(a));
}

/** Returns the total value of the details for a side in centipawns, optionally of some terms only. */
export function totalFor(
  details: readonly Detail[],
  side: Color,
  isWanted: (term: Term) => boolean = () => true,
): number {
  return details.filter(({ term }) => isWanted(term)).reduce((sum, detail) => sum + valueFor(side, detail), 0);
}
