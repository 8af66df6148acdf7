// A bitboard is two 32-bit halves, named `xLo` (a1..h4) and `xHi` (a5..h8). Arrays of bitboards are interleaved:
// entry 2 * i holds the low half, entry 2 * i + 1 the high half.

/** Returns the number of set bits in the two halves: SWAR (Wilkes, Wheeler and Gill) with both halves merged half-way. */
export function popcount(lo: number, hi: number): number {
  lo -= (lo >>> 1) & 0x55555555;
  hi -= (hi >>> 1) & 0x55555555;
  lo = (lo & 0x33333333) + ((lo >>> 2) & 0x33333333);
  hi = (hi & 0x33333333) + ((hi >>> 2) & 0x33333333);
  const sum = (lo & 0x0f0f0f0f) + ((lo >>> 4) & 0x0f0f0f0f) + (hi & 0x0f0f0f0f) + ((hi >>> 4) & 0x0f0f0f0f);
  return Math.imul(sum, 0x01010101) >>> 24;
}

/** Returns the index of the lowest set bit of one half, which must not be zero. */
export function lsb(half: number): number {
  return 31 - Math.clz32(half & -half);
}

/** Returns the lowest square of a board that must not be empty. */
export function lowestSquare(lo: number, hi: number): number {
  return lo !== 0 ? lsb(lo) : 32 + lsb(hi);
}

/** Returns the low half of a square's bit, zero for squares of the upper half of the board. */
export function bitLo(square: number): number {
  return (1 << square) & ((square >> 5) - 1);
}

/** Returns the high half of a square's bit, zero for squares of the lower half of the board. */
export function bitHi(square: number): number {
  return (1 << square) & -(square >> 5);
}

/** Tells whether the square's bit is set. */
export function hasSquare(lo: number, hi: number, square: number): boolean {
  return (((square < 32 ? lo : hi) >>> square) & 1) !== 0;
}
