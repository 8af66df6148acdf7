// Detects draws: repetitions from the undo records, upcoming repetitions, and insufficient material.

import { max, min } from '../kernel/primitives.js';
import { pieceAttacks } from './bitboards/attacks.js';
import { lowBits, lowestSquare, popcount, withoutLowest } from './bitboards/bitboard.js';
import { BETWEEN, DARK_SQUARES, EMPTY, LIGHT_SQUARES } from './bitboards/tables.js';
import { both } from './placement.js';
import { ALL_BLACK, ALL_WHITE, bb, board, keys, SIDE_KEY, state, zobrist } from './position.js';
import { BISHOP, BLACK, KING, KNIGHT, NO_PIECE, PAWN, QUEEN, ROOK } from './types.js';
import { reversalKeys, reversalSquares, SLOTS, undo } from './workspace.js';

/** Returns the number of earlier occurrences of the position since the last irreversible move, counted up to 2. */
export function repetitionCount(): i32 {
  return repetitionsWithin(0);
}

/**
 * Returns whether the search scores the position as a draw by repetition, because it has already occurred once after the root (`ply` plies
 * back), or twice before.
 */
export function isRepetition(ply: i32): boolean {
  return repetitionsWithin(ply) > 1;
}

// A repetition after the root counts double, because one is enough within the search tree
function repetitionsWithin(ply: i32): i32 {
  const top = state.undoTop;
  const oldest = max(0, top - state.rule50);
  let count = 0;
  for (let record = top - 4; record >= oldest; record -= 2) {
    if (undo.key[record] !== keys.position) continue;
    count += top - record < ply ? 2 : 1;
    if (count > 1) return count;
  }
  return count;
}

/**
 * Returns whether a single move can repeat a position that occurred after the root (`ply` plies back). The search scores that as a draw.
 */
export function canRepeat(ply: i32): boolean {
  const top = state.undoTop;
  const oldest = max(0, top - min(state.rule50, ply - 1));
  for (let record = top - 3; record >= oldest; record -= 2) {
    const slot = slotOf(keys.position ^ undo.key[record]);
    const squares = reversalSquares[slot];
    if (reversalKeys[slot] === EMPTY || (BETWEEN[squares] & (bb[ALL_WHITE] | bb[ALL_BLACK])) !== EMPTY) continue;
    const piece = board[squares >> 6] !== NO_PIECE ? board[squares >> 6] : board[squares & 63];
    if (piece >> 3 === state.stm) return true;
  }
  return false;
}

// The slot of a key change, or the empty slot that ends its probe sequence
function slotOf(change: u64): i32 {
  let slot = lowBits(change) & (SLOTS - 1);
  while (reversalKeys[slot] !== EMPTY && reversalKeys[slot] !== change) slot = (slot + 1) & (SLOTS - 1);
  return slot;
}

/** Fills the reversal table with the moves of all pieces except pawns on an empty board. */
export function fillReversals(): void {
  for (let type = KNIGHT; type <= KING; type++) {
    for (let a = 0; a < 64; a++) {
      for (let rest = pieceAttacks(type, a, EMPTY); rest !== EMPTY; rest = withoutLowest(rest)) {
        const b = lowestSquare(rest);
        if (b > a) {
          enter(type, a, b);
          enter((BLACK << 3) | type, a, b);
        }
      }
    }
  }
}

function enter(piece: Piece, a: Square, b: Square): void {
  const change = zobrist.pieces[(piece << 6) | a] ^ zobrist.pieces[(piece << 6) | b] ^ SIDE_KEY;
  const slot = slotOf(change);
  reversalKeys[slot] = change;
  reversalSquares[slot] = (a << 6) | b;
}

/**
 * Returns whether the material rules out mate by any sequence of moves: bare kings, one minor piece, or only bishops on squares of one
 * colour.
 */
export function isMaterialDraw(): boolean {
  if ((both(PAWN) | both(ROOK) | both(QUEEN)) !== EMPTY) return false;
  if (popcount(bb[ALL_WHITE] | bb[ALL_BLACK]) <= 3) return true;
  const bishops = both(BISHOP);
  return both(KNIGHT) === EMPTY && ((bishops & DARK_SQUARES) === EMPTY || (bishops & LIGHT_SQUARES) === EMPTY);
}
