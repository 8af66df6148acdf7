// Boards as a side sees them, whose pawns move forward.

import { beside, north, south } from './bitboards/bitboard.js';
import { WHITE } from './types.js';

/** Returns the board one rank further as a side sees it. */
export function forward(us: Color, board: u64): u64 {
  return us === WHITE ? north(board) : south(board);
}

/** Returns the board one rank back as a side sees it. */
export function backward(us: Color, board: u64): u64 {
  return us === WHITE ? south(board) : north(board);
}

/** Returns the squares that a side's pawns attack. */
export function pawnAttacks(us: Color, pawns: u64): u64 {
  return forward(us, beside(pawns));
}
