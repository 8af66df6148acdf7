// A bitboard is two 32-bit halves, named `xLo` (a1..h4) and `xHi` (a5..h8). Arrays of bitboards are interleaved:
// entry 2 * i holds the low half, entry 2 * i + 1 the high half.

import { imul, lsb } from '../../kernel/integers.js';

export { lsb, popcount } from '../../kernel/integers.js';

/** Returns the lowest square of a board that must not be empty. */
export function lowestSquare(lo: i32, hi: i32): i32 {
  return lo !== 0 ? lsb(lo) : 32 + lsb(hi);
}

/** Returns the high half of a board without its lowest square; the low half without it is `lo & (lo - 1)`. */
export function withoutLowest(lo: i32, hi: i32): i32 {
  return lo !== 0 ? hi : hi & (hi - 1);
}

/** Returns the low half of a square's bit, zero for squares of the upper half of the board. */
export function bitLo(square: i32): i32 {
  return (1 << square) & ((square >> 5) - 1);
}

/** Returns the high half of a square's bit, zero for squares of the lower half of the board. */
export function bitHi(square: i32): i32 {
  return (1 << square) & -(square >> 5);
}

/** Tells whether the square's bit is set. */
export function hasSquare(lo: i32, hi: i32, square: i32): boolean {
  return (((square < 32 ? lo : hi) >>> square) & 1) !== 0;
}

/** Returns a half of the board upside down; the two halves change places as well. */
export function flipHalf(half: i32): i32 {
  const pairs = ((half >>> 8) & 0x00ff00ff) | ((half & 0x00ff00ff) << 8);
  return (pairs >>> 16) | (pairs << 16);
}

/** Returns the offset of an entry of two halves in a slider's table, given its relevant occupancy: folded 32-bit magics. */
export function foldedOffset(occLo: i32, occHi: i32, magicLo: i32, magicHi: i32, shift: i32): i32 {
  return ((imul(occLo, magicLo) ^ imul(occHi, magicHi)) >>> shift) << 1;
}
