// Squares that matter to a pawn, by its square and seen from its own side, so that "ahead" is always towards higher squares.
// Entry `2 * square`. Black's boards are turned with flipHalf to use them; FORWARD alone holds both colours.

import { bitHi, bitLo, flipHalf } from '../../board/bitboards/bitboard.js';
import { regionOf } from '../../kernel/memory.js';

const { int32s } = regionOf('eval/pawns/pawn-masks');

/** Ahead on its own file. */
export const AHEAD = int32s(128);
/** Ahead on its own and the neighbouring files: a pawn without an enemy pawn there is passed. */
export const PASSAGE = int32s(128);
/** The neighbouring files, whole. */
export const NEIGHBOURS = int32s(128);
/** On the neighbouring files, beside it and behind: pawns there support it or can come to do so. */
export const HELPERS = int32s(128);
/** Squares that it attacks. */
export const CAPTURES = int32s(128);
/** Squares from which fellow pawns defend it. */
export const DEFENDERS = int32s(128);
/** The squares beside it. */
export const BESIDE = int32s(128);

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

/** Squares of the file in front of a square, for each colour: entry `2 * (color << 6 | square)`. */
export const FORWARD = int32s(256);
FORWARD.set(AHEAD);
for (let square = 0; square < 64; square++) {
  FORWARD[128 + 2 * square] = flipHalf(AHEAD[2 * (square ^ 56) + 1]);
  FORWARD[128 + 2 * square + 1] = flipHalf(AHEAD[2 * (square ^ 56)]);
}
