// Squares that matter to a node's moves: those that the opponent attacks, and those from which a piece would give check. They are found
// when they are first needed, as many nodes end before.

import { findThreats } from '../board/attacked.js';
import { hasSquare } from '../board/bitboards/bitboard.js';
import { findCheckSquares } from '../board/checks.js';
import { moveFrom, moveTo } from '../board/move-fields.js';
import { board, STM, state } from '../board/position.js';
import { checkSquares, THREATS } from '../board/workspace.js';
import { areChecksKnown, areThreatsKnown } from './plies.js';

/** Forgets the squares of the ply, as another position is there now. */
export function forgetSquares(ply: i32): void {
  areThreatsKnown[ply] = 0;
  areChecksKnown[ply] = 0;
}

/** Returns where in `threats` the ply's squares begin: those that the opponent attacks. */
export function threatsAt(ply: i32): i32 {
  const start = THREATS * ply;
  if (areThreatsKnown[ply] === 0) {
    areThreatsKnown[ply] = 1;
    findThreats(state[STM] ^ 1, start);
  }
  return start;
}

/** Returns where in `checkSquares` the ply's squares begin. */
export function checksAt(ply: i32): i32 {
  const start = THREATS * ply;
  if (areChecksKnown[ply] === 0) {
    areChecksKnown[ply] = 1;
    findCheckSquares(start);
  }
  return start;
}

/** Returns whether a legal move, which does not promote, puts its piece where it attacks the enemy king; discovered checks do not count. */
export function givesDirectCheck(ply: i32, move: Move): boolean {
  return hasSquare(checkSquares[checksAt(ply) + (board[moveFrom(move)] & 7)], moveTo(move));
}
