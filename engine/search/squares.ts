// Per ply, the squares that the opponent attacks and those from which pieces would give check, computed only at nodes that need them.

import { findThreats } from '../board/attacked.js';
import { hasSquare } from '../board/bitboards/bitboard.js';
import { findCheckSquares } from '../board/checks.js';
import { moveFrom, moveTo } from '../board/move-fields.js';
import { board, state } from '../board/position.js';
import { checkSquares, THREATS } from '../board/workspace.js';
import { stack } from './plies.js';

/** Invalidates the squares of the ply, because its position has changed. */
export function forgetSquares(ply: i32): void {
  stack.areThreatsKnown[ply] = 0;
  stack.areChecksKnown[ply] = 0;
}

/** Returns the index in `threats` of the squares that the opponent attacks at the current ply. */
export function threatsAt(ply: i32): i32 {
  const start = THREATS * ply;
  if (stack.areThreatsKnown[ply] === 0) {
    stack.areThreatsKnown[ply] = 1;
    findThreats(state.stm ^ 1, start);
  }
  return start;
}

/** Returns the index in `checkSquares` of the squares from which pieces give check at the current ply. */
export function checksAt(ply: i32): i32 {
  const start = THREATS * ply;
  if (stack.areChecksKnown[ply] === 0) {
    stack.areChecksKnown[ply] = 1;
    findCheckSquares(start);
  }
  return start;
}

/** Returns whether a legal move other than a promotion gives direct check; castling never counts. */
export function givesDirectCheck(ply: i32, move: Move): boolean {
  return hasSquare(checkSquares[checksAt(ply) + (board[moveFrom(move)] & 7)], moveTo(move));
}
