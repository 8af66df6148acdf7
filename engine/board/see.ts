// Static exchange evaluation with a threshold: determines whether the captures on a move's target square win at least a given value. The
// least valuable piece captures first, and x-ray attackers behind it are included.

import { bishopAttacks, rookAttacks } from './bitboards/attacks.js';
import { squareBoard, withoutLowest } from './bitboards/bitboard.js';
import { EMPTY, KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS } from './bitboards/tables.js';
import { CASTLING, EN_PASSANT, moveFrom, moveKind, movePromotion, moveTo, PROMOTION } from './move-fields.js';
import { both } from './placement.js';
import { ALL_BLACK, ALL_WHITE, bb, board, state } from './position.js';
import { BISHOP, BLACK, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE } from './types.js';
import { SEE_VALUE } from './workspace.js';

/** Returns the type of the piece that a move captures, or NO_PIECE, whose SEE_VALUE is 0. The move must not be castling. */
export function victimOf(move: Move): PieceType {
  return moveKind(move) === EN_PASSANT ? PAWN : board[moveTo(move)] & 7;
}

/** Returns whether the exchange started by the move wins at least `threshold` centipawns for the side to move. */
export function seeAtLeast(move: Move, threshold: i32): boolean {
  const from = moveFrom(move);
  const to = moveTo(move);
  const kind = moveKind(move);
  if (kind === CASTLING) return threshold <= 0;

  let next = board[from] & 7;
  let balance = SEE_VALUE[victimOf(move)] - threshold;
  if (kind === PROMOTION) {
    next = movePromotion(move);
    balance += SEE_VALUE[next] - SEE_VALUE[PAWN];
  }
  if (balance < 0) return false;
  // The threshold is reached even if the moved piece is lost
  balance -= SEE_VALUE[next];
  if (balance >= 0) return true;

  let occupied = ((bb[ALL_WHITE] | bb[ALL_BLACK]) & ~squareBoard(from)) | squareBoard(to);
  if (kind === EN_PASSANT) occupied &= ~squareBoard(to ^ 8);

  // All attackers of the square. Slider attacks are recomputed after each capture that may have opened a line
  const queens = both(QUEEN);
  const oblique = both(BISHOP) | queens;
  const straight = both(ROOK) | queens;
  let attackers =
    (PAWN_ATTACKS[(BLACK << 6) | to] & bb[PAWN]) |
    (PAWN_ATTACKS[(WHITE << 6) | to] & bb[(BLACK << 3) | PAWN]) |
    (KNIGHT_ATTACKS[to] & both(KNIGHT)) |
    (KING_ATTACKS[to] & both(KING));
  let side = state.stm ^ 1;
  // Type of the last capturing piece, initially QUEEN so that all lines are examined
  let type = QUEEN;
  for (;;) {
    if (type !== KNIGHT && type !== ROOK) attackers |= bishopAttacks(to, occupied) & oblique;
    if (type >= ROOK) attackers |= rookAttacks(to, occupied) & straight;
    attackers &= occupied;
    const own = side << 3;
    const ours = attackers & bb[ALL_WHITE | own];
    if (ours === EMPTY) break;
    type = PAWN;
    while ((ours & bb[own | type]) === EMPTY) type++;
    // A king may not capture onto a defended square
    if (type === KING && (attackers & ~ours) !== EMPTY) break;
    const leaving = ours & bb[own | type];
    occupied ^= leaving ^ withoutLowest(leaving);
    side ^= 1;
    balance = -balance - 1 - SEE_VALUE[type];
    if (balance >= 0) break;
  }
  return side !== state.stm;
}
