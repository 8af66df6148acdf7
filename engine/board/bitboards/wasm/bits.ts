// The AssemblyScript counterpart of ../bits.ts, using WebAssembly instructions.

export function squareBoard(square: Square): u64 {
  return <u64>1 << square;
}

export function lowestSquare(board: u64): Square {
  return <i32>ctz(board);
}

export function withoutLowest(board: u64): u64 {
  return board & (board - 1);
}

export function highestBit(board: u64): u64 {
  return (<u64>1 << 63) >> clz(board);
}

export function popcount(board: u64): i32 {
  return <i32>popcnt(board);
}

export function shiftUp(board: u64, squares: i32): u64 {
  return board << squares;
}

export function shiftDown(board: u64, squares: i32): u64 {
  return board >> squares;
}

export function minus(a: u64, b: u64): u64 {
  return a - b;
}

export function flip(board: u64): u64 {
  return bswap(board);
}

export function lowBits(value: u64): i32 {
  return <i32>value;
}

export function product(a: u64, b: u64): u64 {
  return a * b;
}

// The low half is masked, because asc 0.28 sign-extends a <u32> loaded from memory
export function joined(low: i32, high: i32): u64 {
  return (<u64>high << 32) | (<u64>low & 0xffffffff);
}
