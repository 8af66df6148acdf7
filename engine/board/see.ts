// Static exchange evaluation with a threshold: does the sequence of captures on the move's square win at least so much?
// Captures are swapped off from the least valuable piece up; sliders behind a departed piece join in.

import { KING_ATTACKS as KINGS, KNIGHT_ATTACKS as KNIGHTS, PAWN_ATTACKS as PAWNS } from './bitboards/attack-tables.js';
import { bishopAttacks, highHalf, lowHalf, rookAttacks } from './bitboards/attacks.js';
import { bitHi, bitLo } from './bitboards/bitboard.js';
import { CASTLING, EN_PASSANT, PROMOTION } from './move.js';
import { ALL_BLACK, ALL_WHITE, bb, board, STM, state } from './position.js';
import { BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK } from './types.js';
import { SEE_VALUE } from './workspace.js';

/** Tells whether the exchange that the move begins gains at least `threshold` centipawns for the side to move. */
export function seeAtLeast(move: Move, threshold: i32): boolean {
  const from = move & 63;
  const to = (move >>> 6) & 63;
  const kind = move >>> 14;
  if (kind === CASTLING) return threshold <= 0;

  let next = board[from] & 7;
  let balance = (kind === EN_PASSANT ? SEE_VALUE[PAWN] : SEE_VALUE[board[to] & 7]) - threshold;
  if (kind === PROMOTION) {
    next = KNIGHT + ((move >>> 12) & 3);
    balance += SEE_VALUE[next] - SEE_VALUE[PAWN];
  }
  if (balance < 0) return false;
  // Even if the moved piece is lost at once, the threshold is reached
  balance -= SEE_VALUE[next];
  if (balance >= 0) return true;

  let occLo = (bb[ALL_WHITE] | bb[ALL_BLACK]) & ~bitLo(from);
  let occHi = (bb[ALL_WHITE + 1] | bb[ALL_BLACK + 1]) & ~bitHi(from);
  if (kind === EN_PASSANT) {
    occLo &= ~bitLo(to ^ 8);
    occHi &= ~bitHi(to ^ 8);
  }
  occLo |= bitLo(to);
  occHi |= bitHi(to);

  // All pieces of both sides that attack the square; sliders are looked for again when a piece has left that may have hidden them
  const queensLo = bb[2 * QUEEN] | bb[2 * QUEEN + 16];
  const queensHi = bb[2 * QUEEN + 1] | bb[2 * QUEEN + 17];
  const obliqueLo = bb[2 * BISHOP] | bb[2 * BISHOP + 16] | queensLo;
  const obliqueHi = bb[2 * BISHOP + 1] | bb[2 * BISHOP + 17] | queensHi;
  const straightLo = bb[2 * ROOK] | bb[2 * ROOK + 16] | queensLo;
  const straightHi = bb[2 * ROOK + 1] | bb[2 * ROOK + 17] | queensHi;
  const black = 2 * (64 | to);
  let attackersLo =
    (PAWNS[black] & bb[2 * PAWN]) |
    (PAWNS[2 * to] & bb[2 * PAWN + 16]) |
    (KNIGHTS[2 * to] & (bb[2 * KNIGHT] | bb[2 * KNIGHT + 16])) |
    (KINGS[2 * to] & (bb[2 * KING] | bb[2 * KING + 16]));
  let attackersHi =
    (PAWNS[black + 1] & bb[2 * PAWN + 1]) |
    (PAWNS[2 * to + 1] & bb[2 * PAWN + 17]) |
    (KNIGHTS[2 * to + 1] & (bb[2 * KNIGHT + 1] | bb[2 * KNIGHT + 17])) |
    (KINGS[2 * to + 1] & (bb[2 * KING + 1] | bb[2 * KING + 17]));
  let side = state[STM] ^ 1;
  // The piece that left last; all lines are looked along at first
  let type = QUEEN;
  for (;;) {
    if (type !== KNIGHT && type !== ROOK) {
      const seen = bishopAttacks(to, occLo, occHi);
      attackersLo |= lowHalf(seen) & obliqueLo;
      attackersHi |= highHalf(seen) & obliqueHi;
    }
    if (type >= ROOK) {
      const seen = rookAttacks(to, occLo, occHi);
      attackersLo |= lowHalf(seen) & straightLo;
      attackersHi |= highHalf(seen) & straightHi;
    }
    attackersLo &= occLo;
    attackersHi &= occHi;
    const own = side << 4;
    const all = ALL_WHITE | own;
    const ownLo = attackersLo & bb[all];
    const ownHi = attackersHi & bb[all + 1];
    if ((ownLo | ownHi) === 0) break;
    type = PAWN;
    while (((ownLo & bb[2 * type + own]) | (ownHi & bb[2 * type + own + 1])) === 0) type++;
    // A king may not capture onto a defended square
    const them = all ^ 16;
    if (type === KING && ((attackersLo & bb[them]) | (attackersHi & bb[them + 1])) !== 0) break;
    const lo = ownLo & bb[2 * type + own];
    if (lo !== 0) occLo &= ~(lo & -lo);
    else {
      const hi = ownHi & bb[2 * type + own + 1];
      occHi &= ~(hi & -hi);
    }
    side ^= 1;
    balance = -balance - 1 - SEE_VALUE[type];
    if (balance >= 0) break;
  }
  return side !== state[STM];
}
