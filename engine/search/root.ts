// The moves at the root: which of them the search may play, and what each has cost.

import { type Move, NO_MOVE } from '../board/move.js';
import { MAX_MOVES } from '../board/movegen.js';

/** Root moves the search may play; NO_MOVE-terminated. Filled by the driver. */
export const rootMoves = new Int32Array(MAX_MOVES + 1);

/** Nodes this thread spent on each root move, by its code, since the search began. */
export const rootEffort = new Float64Array(1 << 16);

/** Tells whether the search may play the move at the root. */
export function isRootMove(move: Move): boolean {
  for (let i = 0; rootMoves[i] !== NO_MOVE; i++) if (rootMoves[i] === move) return true;
  return false;
}
