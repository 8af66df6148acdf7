// Shifts and other operations on bitboards: 64-bit values with a1 in bit 0 and h8 in bit 63.

import { WHITE } from '../types.js';
import { lowBits, shiftDown, shiftUp, squareBoard, withoutLowest } from './bits.js';
import { EMPTY, NOT_FILE_A, NOT_FILE_H } from './tables.js';

export * from './bits.js';

/** Returns the high 32 bits of a key or board as a signed integer. */
export function highBits(value: u64): i32 {
  return lowBits(shiftDown(value, 32));
}

/** Returns whether the board contains the square. */
export function hasSquare(board: u64, square: Square): boolean {
  return (board & squareBoard(square)) !== EMPTY;
}

/** Returns whether the board has two or more squares. */
export function hasSeveral(board: u64): boolean {
  return withoutLowest(board) !== EMPTY;
}

/** Returns the board shifted one rank up. The next three shift it down, right and left, without wrapping around edges. */
export function north(board: u64): u64 {
  return shiftUp(board, 8);
}
export function south(board: u64): u64 {
  return shiftDown(board, 8);
}
export function east(board: u64): u64 {
  return shiftUp(board & NOT_FILE_H, 1);
}
export function west(board: u64): u64 {
  return shiftDown(board & NOT_FILE_A, 1);
}

/** Returns the squares directly to the left and right of the board's squares. */
export function beside(board: u64): u64 {
  return east(board) | west(board);
}

/** Returns the squares next to any square of the board. */
export function around(board: u64): u64 {
  const row = board | beside(board);
  return beside(board) | north(row) | south(row);
}

/** Returns the board shifted one rank forward for a side. */
export function forward(us: Color, board: u64): u64 {
  return us === WHITE ? north(board) : south(board);
}

/** Returns the board shifted one rank back for a side. */
export function backward(us: Color, board: u64): u64 {
  return us === WHITE ? south(board) : north(board);
}

/** Returns the squares that a side's pawns attack. */
export function pawnAttacks(us: Color, pawns: u64): u64 {
  return forward(us, beside(pawns));
}
