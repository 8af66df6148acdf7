// Squares that matter to a pawn, by its square and seen from its own side, so that "ahead" is always towards higher squares.
// Entry `2 * square`. Black's boards are turned with flipHalf to use them; FORWARD alone holds both colours.

import { bitHi, bitLo } from '../board/bitboard.js';

/** Ahead on its own file. */
export const AHEAD = new Int32Array(128);
/** Ahead on its own and the neighbouring files: a pawn without an enemy pawn there is passed. */
export const PASSAGE = new Int32Array(128);
/** The neighbouring files, whole. */
export const NEIGHBOURS = new Int32Array(128);
/** On the neighbouring files, beside it and behind: pawns there support it or can come to do so. */
export const HELPERS = new Int32Array(128);
/** Squares that it attacks. */
export const CAPTURES = new Int32Array(128);
/** Squares from which fellow pawns defend it. */
export const DEFENDERS = new Int32Array(128);
/** The squares beside it. */
export const BESIDE = new Int32Array(128);

for (let square = 0; square < 64; square++) {
  for (let other = 0; other < 64; other++) {
    const files = Math.abs((other & 7) - (square & 7));
    const ranks = (other >> 3) - (square >> 3);
    const add = (table: Int32Array, belongs: boolean): void => {
      if (!belongs) return;
      table[2 * square] |= bitLo(other);
      table[2 * square + 1] |= bitHi(other);
    };
    add(AHEAD, files === 0 && ranks > 0);
    add(PASSAGE, files <= 1 && ranks > 0);
    add(NEIGHBOURS, files === 1);
    add(HELPERS, files === 1 && ranks <= 0);
    add(CAPTURES, files === 1 && ranks === 1);
    add(DEFENDERS, files === 1 && ranks === -1);
    add(BESIDE, files === 1 && ranks === 0);
  }
}

/** Returns a half of the board upside down; the two halves change places as well. */
export function flipHalf(half: number): number {
  const pairs = ((half >>> 8) & 0x00ff00ff) | ((half & 0x00ff00ff) << 8);
  return (pairs >>> 16) | (pairs << 16);
}

/** Squares of the file in front of a square, for each colour: entry `2 * (color << 6 | square)`. */
export const FORWARD = new Int32Array(256);
FORWARD.set(AHEAD);
for (let square = 0; square < 64; square++) {
  FORWARD[128 + 2 * square] = flipHalf(AHEAD[2 * (square ^ 56) + 1]);
  FORWARD[128 + 2 * square + 1] = flipHalf(AHEAD[2 * (square ^ 56)]);
}
