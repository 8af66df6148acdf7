// Attacked squares, checks, and the legality of en-passant captures.

import { bishopAttacks, pieceAttacks, rookAttacks } from './bitboards/attacks.js';
import { lowestSquare, pawnAttacks, squareBoard, withoutLowest } from './bitboards/bitboard.js';
import { DIAGONALS, EMPTY, KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS, STRAIGHTS } from './bitboards/tables.js';
import { ALL_BLACK, ALL_WHITE, bb, kingSquare, state } from './position.js';
import { BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK } from './types.js';
import { threats } from './workspace.js';

/** Returns whether the colour attacks the square, given the occupied squares. Pieces outside `occupied` are ignored, except kings. */
export function isAttacked(square: Square, by: Color, occupied: u64): boolean {
  const own = by << 3;
  const leapers =
    (PAWN_ATTACKS[((by ^ 1) << 6) | square] & bb[own | PAWN] & occupied) |
    (KNIGHT_ATTACKS[square] & bb[own | KNIGHT] & occupied) |
    (KING_ATTACKS[square] & bb[own | KING]);
  if (leapers !== EMPTY) return true;
  const queens = bb[own | QUEEN];
  const diagonal = (bb[own | BISHOP] | queens) & occupied & DIAGONALS[square];
  if (diagonal !== EMPTY && (bishopAttacks(square, occupied) & diagonal) !== EMPTY) return true;
  const straight = (bb[own | ROOK] | queens) & occupied & STRAIGHTS[square];
  return straight !== EMPTY && (rookAttacks(square, occupied) & straight) !== EMPTY;
}

/** Returns whether the colour's king is attacked. */
export function isKingAttacked(color: Color): boolean {
  return isAttacked(kingSquare[color], color ^ 1, bb[ALL_WHITE] | bb[ALL_BLACK]);
}

/** Returns whether the side to move is in check. */
export function isInCheck(): boolean {
  return isKingAttacked(state.stm);
}

/** Returns whether a pawn of `us` on `from` can capture en passant on `ep` without leaving its king in check. */
export function isEpLegal(us: Color, from: Square, ep: Square): boolean {
  const gone = squareBoard(from) | squareBoard(ep ^ 8);
  const occupied = ((bb[ALL_WHITE] | bb[ALL_BLACK]) & ~gone) | squareBoard(ep);
  return !isAttacked(kingSquare[us], us ^ 1, occupied);
}

/** Returns the pawns of `us` that attack the en-passant square. */
export function epCapturers(us: Color, ep: Square): u64 {
  return PAWN_ATTACKS[((us ^ 1) << 6) | ep] & bb[(us << 3) | PAWN];
}

/** Returns whether `us` has a legal en-passant capture on the square. */
export function hasLegalEp(us: Color, ep: Square): boolean {
  for (let pawns = epCapturers(us, ep); pawns !== EMPTY; pawns = withoutLowest(pawns)) {
    if (isEpLegal(us, lowestSquare(pawns), ep)) return true;
  }
  return false;
}

/**
 * Fills `threats` from `start` on. The entries of knight to queen get the squares that the colour's less valuable pieces attack, and the
 * king's entry gets all attacked squares. Squares of the colour's own pieces are included.
 */
export function findThreats(by: Color, start: i32): void {
  const own = by << 3;
  const occupied = bb[ALL_WHITE] | bb[ALL_BLACK];
  let attacked = pawnAttacks(by, bb[own | PAWN]);
  for (let type = KNIGHT; type <= QUEEN; type++) {
    // At this point, `attacked` holds the attacks of all less valuable types. Knight and bishop count as equal
    if (type !== BISHOP) threats[start + type] = attacked;
    for (let pieces = bb[own | type]; pieces !== EMPTY; pieces = withoutLowest(pieces)) {
      attacked |= pieceAttacks(type, lowestSquare(pieces), occupied);
    }
  }
  threats[start + BISHOP] = threats[start + KNIGHT];
  threats[start + KING] = attacked | KING_ATTACKS[kingSquare[by]];
}
