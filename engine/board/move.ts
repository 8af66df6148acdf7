// A move is a 16-bit integer in viriformat's layout, as stored in game records: bits 0-5 from, 6-11 to, 12-13 promotion (knight to queen),
// 14-15 kind. Castling is "king takes own rook".

import { CASTLING, castledKing, moveFrom, moveKind, moveTo, NO_MOVE, PROMOTION } from './move-fields.js';
import { squareName } from './types.js';

export * from './move-fields.js';

/** Returns the target square; for castling, the king's (on the c- or g-file). */
export function kingTarget(move: Move): Square {
  return moveKind(move) === CASTLING ? castledKing(moveFrom(move), moveTo(move)) : moveTo(move);
}

/**
 * Returns the move in UCI notation. Castling is written `e1g1`, or `e1h1` in Chess960 and if the king moves less than two squares, which
 * would look like a normal king move. NO_MOVE is `0000`.
 */
export function moveToUci(move: Move, chess960 = false): string {
  if (move === NO_MOVE) return '0000';
  const isShort = moveKind(move) === CASTLING && Math.abs(kingTarget(move) - moveFrom(move)) < 2;
  const to = chess960 || isShort ? moveTo(move) : kingTarget(move);
  return squareName(moveFrom(move)) + squareName(to) + promotionLetter(move);
}

/** Returns the promotion letter in UCI notation, or an empty string for other moves. */
export function promotionLetter(move: Move): string {
  return moveKind(move) === PROMOTION ? 'nbrq'[(move >>> 12) & 3] : '';
}
