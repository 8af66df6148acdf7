// The fields of a packed move; move.ts describes the layout.

import { KNIGHT } from './types.js';

/** The null move, and the absence of a move: a1a1 is never legal. */
export const NO_MOVE: Move = 0;

export const PLAIN = 0;
export const EN_PASSANT = 1;
export const CASTLING = 2;
export const PROMOTION = 3;

/** Returns the from square. */
export function moveFrom(move: Move): Square {
  return move & 63;
}

/** Returns the to square; for castling, the square of the rook. */
export function moveTo(move: Move): Square {
  return (move >>> 6) & 63;
}

/** Returns PLAIN, EN_PASSANT, CASTLING or PROMOTION. */
export function moveKind(move: Move): i32 {
  return move >>> 14;
}

/** Returns the piece type promoted to; meaningful for promotions only. */
export function movePromotion(move: Move): PieceType {
  return KNIGHT + ((move >>> 12) & 3);
}

/** Returns the king's target square in castling, given the squares of king and rook. */
export function castledKing(king: Square, rook: Square): Square {
  return (king & 56) | (rook > king ? 6 : 2);
}

/** Returns the rook's target square in castling. */
export function castledRook(king: Square, rook: Square): Square {
  return (king & 56) | (rook > king ? 5 : 3);
}
