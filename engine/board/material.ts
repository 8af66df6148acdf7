// Material that cannot win.

import { popcount } from './bitboards/bitboard.js';
import { DARK_SQUARES, EMPTY, LIGHT_SQUARES } from './bitboards/tables.js';
import { ALL_BLACK, ALL_WHITE, bb } from './position.js';
import { BISHOP, BLACK, KNIGHT, PAWN, QUEEN, ROOK } from './types.js';

/** Returns both sides' pieces of a type. */
export function both(type: PieceType): u64 {
  return bb[type] | bb[(BLACK << 3) | type];
}

/** Returns whether no sequence of moves can mate: bare kings, one minor piece, or bishops of one square colour only. */
export function isMaterialDraw(): boolean {
  if ((both(PAWN) | both(ROOK) | both(QUEEN)) !== EMPTY) return false;
  if (popcount(bb[ALL_WHITE] | bb[ALL_BLACK]) <= 3) return true;
  const bishops = both(BISHOP);
  return both(KNIGHT) === EMPTY && ((bishops & DARK_SQUARES) === EMPTY || (bishops & LIGHT_SQUARES) === EMPTY);
}
