// Static exchange evaluation with a threshold: does the sequence of captures on the move's square win at least so much?
// Captures are swapped off from the least valuable piece up; sliders behind a departed piece join in.

import {
  KING_ATTACKS as KINGS,
  KNIGHT_ATTACKS as KNIGHTS,
  PAWN_ATTACKS as PAWNS,
  SLIDER_ATTACKS as SLIDERS,
} from './bitboards/attack-tables.js';
import { bishopIndex, rookIndex } from './bitboards/attacks.js';
import { bitHi, bitLo } from './bitboards/bitboard.js';
import { CASTLING, EN_PASSANT, PROMOTION } from './move.js';
import { ALL_BLACK, ALL_WHITE, bb, board, STM, state } from './position.js';
import { BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK } from './types.js';

import { attackers, SEE_VALUE } from './workspace.js';

// All pieces of both sides on the occupancy that attack the square
function findAttackers(square: Square, occLo: i32, occHi: i32): void {
  const s = 2 * square;
  const white = 2 * square;
  const black = 2 * (64 | square);
  const knight = 2 * KNIGHT;
  const king = 2 * KING;
  const bishop = 2 * BISHOP;
  const rook = 2 * ROOK;
  const queen = 2 * QUEEN;
  const diagonal = bishopIndex(square, occLo, occHi);
  const straight = rookIndex(square, occLo, occHi);
  const queensLo = bb[queen] | bb[queen + 16];
  const queensHi = bb[queen + 1] | bb[queen + 17];
  attackers[0] =
    ((PAWNS[black] & bb[2 * PAWN]) |
      (PAWNS[white] & bb[16]) |
      (KNIGHTS[s] & (bb[knight] | bb[knight + 16])) |
      (KINGS[s] & (bb[king] | bb[king + 16])) |
      (SLIDERS[diagonal] & (bb[bishop] | bb[bishop + 16] | queensLo)) |
      (SLIDERS[straight] & (bb[rook] | bb[rook + 16] | queensLo))) &
    occLo;
  attackers[1] =
    ((PAWNS[black + 1] & bb[2 * PAWN + 1]) |
      (PAWNS[white + 1] & bb[17]) |
      (KNIGHTS[s + 1] & (bb[knight + 1] | bb[knight + 17])) |
      (KINGS[s + 1] & (bb[king + 1] | bb[king + 17])) |
      (SLIDERS[diagonal + 1] & (bb[bishop + 1] | bb[bishop + 17] | queensHi)) |
      (SLIDERS[straight + 1] & (bb[rook + 1] | bb[rook + 17] | queensHi))) &
    occHi;
}

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
  let side = state[STM] ^ 1;
  for (;;) {
    findAttackers(to, occLo, occHi);
    const own = side << 4;
    const all = ALL_WHITE | own;
    const ownLo = attackers[0] & bb[all];
    const ownHi = attackers[1] & bb[all + 1];
    if ((ownLo | ownHi) === 0) break;
    let type = PAWN;
    while (((ownLo & bb[2 * type + own]) | (ownHi & bb[2 * type + own + 1])) === 0) type++;
    // A king may not capture onto a defended square
    const them = all ^ 16;
    if (type === KING && ((attackers[0] & bb[them]) | (attackers[1] & bb[them + 1])) !== 0) break;
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
