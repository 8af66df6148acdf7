// A step down the search tree: makes the move and records it for the histories and for the next ply.

import { isInCheck } from '../board/attacked.js';
import { makeMove, makeNullMove } from '../board/makemove.js';
import { NO_MOVE } from '../board/move.js';
import { noteMove } from './history.js';
import { checks } from './plies.js';
import { forgetSquares } from './squares.js';

/** Returns whether the side to move is in check at the ply, as stepDown, pass or startAtRoot recorded it. */
export function isCheckedAt(ply: i32): boolean {
  return checks[ply] !== 0;
}

/** Initialises the root, which no step leads to. */
export function startAtRoot(): void {
  checks[0] = isInCheck() ? 1 : 0;
  forgetSquares(0);
}

/** Plays a legal move at the ply; returns whether it gives check. */
export function stepDown(ply: i32, move: Move): boolean {
  noteMove(ply, move);
  makeMove(move);
  const givesCheck = isInCheck();
  checks[ply + 1] = givesCheck ? 1 : 0;
  forgetSquares(ply + 1);
  return givesCheck;
}

/** Plays a null move at the ply; the side to move must not be in check. */
export function pass(ply: i32): void {
  noteMove(ply, NO_MOVE);
  makeNullMove();
  checks[ply + 1] = 0;
  forgetSquares(ply + 1);
}
