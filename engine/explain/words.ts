// Words of explanations: numbers, lists and what several ideas name alike.

import { kingSquare } from '../board/position.js';
import { type Color, squareName } from '../board/types.js';
import type { Term } from '../eval/terms.js';
import type { Detail } from './shares.js';
import { squaresOf } from './squares.js';

/** Words, and the squares in them. */
export interface Words {
  text: string;
  squares: string[];
}

/** Centipawns: less is hardly worth a word. */
export const LEAST = 6;
/** Phase up to which pieces have left their homes, and a king belongs into the middle. */
export const ENDGAME = 8;
const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];

export const nothing: Words = { text: '', squares: [] };

/** Returns the square of a side's king. */
export const king = (side: Color): string => squareName(kingSquare[side]);

/** Returns how many pieces of a type a side has. */
export const men = (side: Color, type: number): number => squaresOf(side, type).length;

/** Returns a number with its noun: `two pawns`. */
export const plural = (count: number, noun: string): string =>
  `${NUMBERS[count] ?? count} ${noun}${count === 1 ? '' : 's'}`;

/** Returns the words as a list: `a, b and c`. */
export const listed = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** Returns the details that speak for a side, the heaviest first: what it gains, and what the other side suffers from. */
export function heaviest(details: readonly Detail[], side: Color): (Detail & { weight: number })[] {
  return details
    .map((detail) => ({ ...detail, weight: detail.side === side ? detail.value : -detail.value }))
    .filter(({ weight }) => weight >= LEAST)
    .sort((a, b) => b.weight - a.weight);
}

/** Returns what details speak for a side together, in centipawns; all of them, or those of some terms. */
export function gainOf(
  details: readonly Detail[],
  side: Color,
  isWanted: (term: Term) => boolean = () => true,
): number {
  return details
    .filter(({ term }) => isWanted(term))
    .reduce((sum, { side: owner, value }) => sum + (owner === side ? value : -value), 0);
}
