// Steps through the search tree: functions that count a node, make and record a move, and update the principal variation.

import { isInCheck } from '../board/attacked.js';
import { makeMove, makeNullMove } from '../board/makemove.js';
import { NO_MOVE } from '../board/move-fields.js';
import { poll } from '../kernel/primitives.js';
import { noteMove } from './history.js';
import { counters, PV_ROW, pv, pvLength, signals, stack } from './plies.js';
import { forgetSquares } from './squares.js';

/** Counts a node. Returns true, and does not count it, if the search must stop. */
export function enterNode(ply: i32): boolean {
  if (counters.nodes >= counters.nextPoll) poll();
  if (signals.stopped !== 0) return true;
  counters.nodes += 1;
  if (ply > counters.seldepth) counters.seldepth = ply;
  return false;
}

/** Initialises the root, which is not reached by a step. */
export function startAtRoot(): void {
  pvLength[0] = 0;
  stack.isChecked[0] = isInCheck() ? 1 : 0;
  forgetSquares(0);
}

/** Plays a legal move at the ply; returns whether it gives check. */
export function stepDown(ply: i32, move: Move): boolean {
  noteMove(ply, move);
  makeMove(move);
  // A null-window child writes no variation, so an earlier move's would remain
  pvLength[ply + 1] = 0;
  const givesCheck = isInCheck();
  stack.isChecked[ply + 1] = givesCheck ? 1 : 0;
  forgetSquares(ply + 1);
  return givesCheck;
}

/** Plays a null move at the ply; the side to move must not be in check. */
export function pass(ply: i32): void {
  noteMove(ply, NO_MOVE);
  makeNullMove();
  stack.isChecked[ply + 1] = 0;
  forgetSquares(ply + 1);
}

/** Sets the ply's principal variation to the move followed by the next ply's variation. */
export function updatePv(ply: i32, move: Move): void {
  const at = ply * PV_ROW;
  const below = at + PV_ROW;
  const length = pvLength[ply + 1];
  pv[at] = move;
  for (let i = 0; i < length; i++) pv[at + 1 + i] = pv[below + i];
  pvLength[ply] = length + 1;
}
