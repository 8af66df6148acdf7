// Checks, pins and castling paths for legal move generation, and the squares from which pieces would give check.

import { isAttacked } from './attacked.js';
import { bishopAttacks, rookAttacks } from './bitboards/attacks.js';
import { hasSeveral, hasSquare, lowestSquare, popcount, squareBoard, withoutLowest } from './bitboards/bitboard.js';
import { BETWEEN, DIAGONALS, EMPTY, FULL, KNIGHT_ATTACKS, LINE, PAWN_ATTACKS, STRAIGHTS } from './bitboards/tables.js';
import { castledKing, castledRook } from './move-fields.js';
import { ALL_BLACK, ALL_WHITE, bb, castlingRook, castlingWay, kingSquare, state } from './position.js';
import { BISHOP, KNIGHT, PAWN, QUEEN, ROOK } from './types.js';
import { checkSquares, generation, masks } from './workspace.js';

/** Returns the colour's sliders that would attack the square on an empty board. */
export function slidersToward(square: Square, color: Color): u64 {
  const own = color << 3;
  const queens = bb[own | QUEEN];
  return (STRAIGHTS[square] & (bb[own | ROOK] | queens)) | (DIAGONALS[square] & (bb[own | BISHOP] | queens));
}

/** Sets `masks` and the number of checkers for the side to move, `us`. */
export function findChecksAndPins(us: Color): void {
  const king = kingSquare[us];
  const them = us ^ 1;
  const occupied = bb[ALL_WHITE] | bb[ALL_BLACK];
  const ours = bb[ALL_WHITE | (us << 3)];
  let check =
    (PAWN_ATTACKS[(us << 6) | king] & bb[(them << 3) | PAWN]) | (KNIGHT_ATTACKS[king] & bb[(them << 3) | KNIGHT]);
  // In a game, at most one pawn or knight gives check at a time; composed positions may have several such checkers
  let checkers = popcount(check);
  let pin = EMPTY;
  for (let sliders = slidersToward(king, them); sliders !== EMPTY; sliders = withoutLowest(sliders)) {
    const square = lowestSquare(sliders);
    const between = BETWEEN[(king << 6) | square];
    const shield = between & occupied;
    if (shield === EMPTY) {
      checkers++;
      check |= between | squareBoard(square);
    } else if (!hasSeveral(shield)) {
      pin |= shield & ours;
    }
  }
  masks.check = checkers === 0 ? FULL : check;
  masks.pin = pin;
  masks.occupied = occupied;
  generation.checkers = checkers;
}

/**
 * Returns whether the side may castle: it has the right, the paths of king and rook are free, and no square on the king's path is attacked.
 * The side must not be in check, and `masks` must be set.
 */
export function canCastle(us: Color, right: i32): boolean {
  if (((state.castlingRights >> right) & 1) === 0) return false;
  const occupied = masks.occupied;
  if ((castlingWay[right] & occupied) !== EMPTY) return false;
  const king = kingSquare[us];
  const rook = castlingRook[right];
  const kingTo = castledKing(king, rook);
  const step = kingTo > king ? 1 : -1;
  for (let square = king; square !== kingTo; square += step) {
    if (square !== king && isAttacked(square, us ^ 1, occupied)) return false;
  }
  // The moved rook may uncover an attack on the king's new square
  const others = occupied & ~(squareBoard(king) | squareBoard(rook));
  return !isAttacked(kingTo, us ^ 1, others | squareBoard(castledRook(king, rook)));
}

/** Returns whether the piece on `from` is not pinned, or stays on the line of its pin if it moves to `to`; `masks` must be set. */
export function isFreeToGo(from: Square, to: Square): boolean {
  return !hasSquare(masks.pin, from) || hasSquare(LINE[(kingSquare[state.stm] << 6) | from], to);
}

/** Fills `checkSquares` from `start` on with the squares from which each piece of the side to move, pawn to queen, would give check. */
export function findCheckSquares(start: i32): void {
  const them = state.stm ^ 1;
  const king = kingSquare[them];
  const occupied = bb[ALL_WHITE] | bb[ALL_BLACK];
  const diagonal = bishopAttacks(king, occupied);
  const straight = rookAttacks(king, occupied);
  checkSquares[start + PAWN] = PAWN_ATTACKS[(them << 6) | king];
  checkSquares[start + KNIGHT] = KNIGHT_ATTACKS[king];
  checkSquares[start + BISHOP] = diagonal;
  checkSquares[start + ROOK] = straight;
  checkSquares[start + QUEEN] = diagonal | straight;
}
