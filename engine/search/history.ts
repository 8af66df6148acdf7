// What the search remembers of moves across the tree: killers by ply and a butterfly history of quiet moves.

import { type Move, NO_MOVE } from '../board/move.js';
import { STM, state as scalars } from '../board/position.js';
import { params } from './params.js';
import { MAX_PLY } from './score.js';

const state = scalars;

/** Bound of a history value. */
export const HISTORY_LIMIT = 16384;

/** Two quiet moves that caused cut-offs at each ply. */
const killers = new Int32Array(2 * (MAX_PLY + 2));
/** Quiet moves by colour, from and to. */
const quiets = new Int32Array(2 * 64 * 64);

/** Forgets everything: a new game. */
export function clearHistory(): void {
  killers.fill(NO_MOVE);
  quiets.fill(0);
}

/** Forgets the killers of a ply, which belong to another subtree. */
export function clearKillers(ply: number): void {
  killers[2 * ply] = NO_MOVE;
  killers[2 * ply + 1] = NO_MOVE;
}

/** Returns the first (0) or second (1) killer of the ply. */
export function killer(ply: number, index: number): Move {
  return killers[2 * ply + index];
}

/** Returns the history value of a quiet move of the side to move, within ±HISTORY_LIMIT. */
export function quietHistory(move: Move): number {
  return quiets[(state[STM] << 12) | (move & 0xfff)];
}

/** Records a quiet move that caused a cut-off, and the quiet moves `tried[start..end)` that did not. */
export function rewardQuiet(
  move: Move,
  depth: number,
  ply: number,
  tried: Int32Array,
  start: number,
  end: number,
): void {
  if (killers[2 * ply] !== move) {
    killers[2 * ply + 1] = killers[2 * ply];
    killers[2 * ply] = move;
  }
  const bonus = Math.min(params.historyMax, params.historyFactor * depth * depth);
  addTo(move, bonus);
  for (let i = start; i < end; i++) addTo(tried[i], -bonus);
}

// History gravity: the nearer to its limit, the less a value grows
function addTo(move: Move, bonus: number): void {
  const entry = (state[STM] << 12) | (move & 0xfff);
  quiets[entry] += bonus - (((quiets[entry] * Math.abs(bonus)) / HISTORY_LIMIT) | 0);
}
