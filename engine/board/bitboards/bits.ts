// Bitboard operations with one implementation per target: bigints here for JavaScript, WebAssembly instructions in wasm/bits.ts.

/** Returns the board of one square. */
export function squareBoard(square: Square): u64 {
  return 1n << BigInt(square);
}

/** Returns the lowest square of a non-empty board. */
export function lowestSquare(board: u64): Square {
  return Math.log2(Number(board & -board));
}

/** Returns the board without its lowest square. */
export function withoutLowest(board: u64): u64 {
  return board & (board - 1n);
}

/** Returns a board with only the highest square of a non-empty board. */
export function highestBit(board: u64): u64 {
  return 1n << BigInt(board.toString(2).length - 1);
}

/** Returns the number of squares. */
export function popcount(board: u64): i32 {
  let count = 0;
  for (let rest = board; rest !== 0n; rest &= rest - 1n) count++;
  return count;
}

/** Returns the board shifted by a number of squares towards h8; bits that leave the board are lost. */
export function shiftUp(board: u64, squares: i32): u64 {
  return BigInt.asUintN(64, board << BigInt(squares));
}

/** Returns the board shifted by a number of squares towards a1; bits that leave the board are lost. */
export function shiftDown(board: u64, squares: i32): u64 {
  return board >> BigInt(squares);
}

/** Returns the difference modulo 2^64. */
export function minus(a: u64, b: u64): u64 {
  return BigInt.asUintN(64, a - b);
}

/** Returns the board flipped vertically. */
export function flip(board: u64): u64 {
  let flipped = 0n;
  for (let rank = 0n; rank < 64n; rank += 8n) flipped = (flipped << 8n) | ((board >> rank) & 0xffn);
  return flipped;
}

/** Returns the low 32 bits of a key or board as a signed integer. */
export function lowBits(value: u64): i32 {
  return Number(BigInt.asIntN(32, value));
}

/** Returns the product modulo 2^64. */
export function product(a: u64, b: u64): u64 {
  return BigInt.asUintN(64, a * b);
}

/** Returns the 64-bit integer made of two halves, low and high. */
export function joined(low: i32, high: i32): u64 {
  return BigInt.asUintN(32, BigInt(low)) | (BigInt.asUintN(32, BigInt(high)) << 32n);
}
