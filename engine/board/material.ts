// Material that cannot win.

import { popcount } from './bitboards/bitboard.js';
import { ALL_BLACK, ALL_WHITE, bb } from './position.js';
import { BISHOP, DARK_SQUARES, KNIGHT, PAWN, QUEEN, ROOK } from './types.js';

function isOnBoard(type: PieceType): boolean {
  const white = 2 * type;
  const black = 2 * (type | 8);
  return (bb[white] | bb[white + 1] | bb[black] | bb[black + 1]) !== 0;
}

/** Tells whether no sequence of moves can mate: bare kings, one minor piece, or bishops of one square colour only. */
export function isMaterialDraw(): boolean {
  if (isOnBoard(PAWN) || isOnBoard(ROOK) || isOnBoard(QUEEN)) return false;
  if (popcount(bb[ALL_WHITE] | bb[ALL_BLACK], bb[ALL_WHITE + 1] | bb[ALL_BLACK + 1]) <= 3) return true;
  if (isOnBoard(KNIGHT)) return false;
  const lo = bb[2 * BISHOP] | bb[2 * (BISHOP | 8)];
  const hi = bb[2 * BISHOP + 1] | bb[2 * (BISHOP | 8) + 1];
  const onDark = ((lo | hi) & DARK_SQUARES) !== 0;
  const onLight = ((lo | hi) & ~DARK_SQUARES) !== 0;
  return !(onDark && onLight);
}
