// Repetitions of the position, found in the undo records, and repetitions that one move away.

import { max, min } from '../kernel/integers.js';
import { BETWEEN } from './bitboards/attack-tables.js';
import { lowBits } from './bitboards/bitboard.js';
import { EMPTY } from './bitboards/masks.js';
import { ALL_BLACK, ALL_WHITE, bb, board, KEY, keys, RULE50, STM, state, UNDO_TOP } from './position.js';
import { reversalKeys, reversalSquares, SLOTS } from './reversal-table.js';
import { NO_PIECE } from './types.js';
import { MAX_HISTORY, undoKeys } from './workspace.js';

/** Returns how often the position occurred before, looking back to the last irreversible move, at most to two times. */
export function repetitionCount(): i32 {
  return repetitionsWithin(MAX_HISTORY);
}

/** Returns whether the position is a draw by repetition to the search: once within the last `ply` plies, or twice before. */
export function isRepetition(ply: i32): boolean {
  return repetitionsWithin(ply) > 1;
}

// A repetition nearer than `ply` counts double: within the search tree one return is enough
function repetitionsWithin(ply: i32): i32 {
  const top = state[UNDO_TOP];
  const oldest = max(0, top - state[RULE50]);
  let count = 0;
  for (let record = top - 4; record >= oldest; record -= 2) {
    if (undoKeys[2 * record + KEY] !== keys[KEY]) continue;
    count += ply < MAX_HISTORY && top - record < ply ? 2 : 1;
    if (count > 1) return count;
  }
  return count;
}

/** Returns whether the side to move can return to a position of the last `ply` plies: by force a draw, if it wants one. */
export function canRepeat(ply: i32): boolean {
  const top = state[UNDO_TOP];
  const oldest = max(0, top - min(state[RULE50], ply - 1));
  for (let record = top - 3; record >= oldest; record -= 2) {
    const squares = reversalOf(keys[KEY] ^ undoKeys[2 * record + KEY]);
    if (squares === -1 || (BETWEEN[squares] & (bb[ALL_WHITE] | bb[ALL_BLACK])) !== EMPTY) continue;
    const piece = board[squares >> 6] !== NO_PIECE ? board[squares >> 6] : board[squares & 63];
    if (piece >> 3 === state[STM]) return true;
  }
  return false;
}

/** Returns the two squares (`a << 6 | b`) of the move that changes a key by so much, or -1 when none does. */
function reversalOf(change: u64): i32 {
  let slot = lowBits(change) & (SLOTS - 1);
  while (reversalSquares[slot] !== -1 && reversalKeys[slot] !== change) slot = (slot + 1) & (SLOTS - 1);
  return reversalSquares[slot];
}
