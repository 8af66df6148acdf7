// Which squares are attacked in the position, and what follows for kings and for en-passant captures.

import {
  BISHOP_RAYS as DIAGONALS,
  KING_ATTACKS as KINGS,
  KNIGHT_ATTACKS as KNIGHTS,
  PAWN_ATTACKS as PAWNS,
  ROOK_RAYS as STRAIGHTS,
} from './bitboards/attack-tables.js';
import { bishopAttacks, highHalf, lowHalf, rookAttacks } from './bitboards/attacks.js';
import { bitHi, bitLo, lowestSquare, withoutLowest } from './bitboards/bitboard.js';
import { ALL_BLACK, ALL_WHITE, bb, KING_SQUARE, STM, state } from './position.js';
import { BISHOP, KING, KNIGHT, QUEEN, ROOK, WHITE } from './types.js';
import { threats } from './workspace.js';

/** Tells whether the colour attacks the square, given what is occupied; pieces off the occupancy do not attack. */
export function isAttacked(square: Square, by: Color, occLo: i32, occHi: i32): boolean {
  const own = by << 4;
  const s = 2 * square;
  const pawn = 2 * (((by ^ 1) << 6) | square);
  const knight = 2 * KNIGHT + own;
  const king = 2 * KING + own;
  const leapers =
    (PAWNS[pawn] & bb[own] & occLo) |
    (PAWNS[pawn + 1] & bb[own + 1] & occHi) |
    (KNIGHTS[s] & bb[knight] & occLo) |
    (KNIGHTS[s + 1] & bb[knight + 1] & occHi) |
    (KINGS[s] & bb[king]) |
    (KINGS[s + 1] & bb[king + 1]);
  if (leapers !== 0) return true;
  const bishop = 2 * BISHOP + own;
  const rook = 2 * ROOK + own;
  const queen = 2 * QUEEN + own;
  const diagonalLo = (bb[bishop] | bb[queen]) & occLo & DIAGONALS[s];
  const diagonalHi = (bb[bishop + 1] | bb[queen + 1]) & occHi & DIAGONALS[s + 1];
  if ((diagonalLo | diagonalHi) !== 0) {
    const seen = bishopAttacks(square, occLo, occHi);
    if (((lowHalf(seen) & diagonalLo) | (highHalf(seen) & diagonalHi)) !== 0) return true;
  }
  const straightLo = (bb[rook] | bb[queen]) & occLo & STRAIGHTS[s];
  const straightHi = (bb[rook + 1] | bb[queen + 1]) & occHi & STRAIGHTS[s + 1];
  if ((straightLo | straightHi) === 0) return false;
  const seen = rookAttacks(square, occLo, occHi);
  return ((lowHalf(seen) & straightLo) | (highHalf(seen) & straightHi)) !== 0;
}

/** Tells whether the colour's king is attacked. */
export function isKingAttacked(color: Color): boolean {
  return isAttacked(
    state[KING_SQUARE + color],
    color ^ 1,
    bb[ALL_WHITE] | bb[ALL_BLACK],
    bb[ALL_WHITE + 1] | bb[ALL_BLACK + 1],
  );
}

/** Tells whether the side to move is in check. */
export function isInCheck(): boolean {
  return isKingAttacked(state[STM]);
}

/** Tells whether a pawn of `us` on `from` may capture en passant onto `ep`: its king must be safe after both pawns have left. */
export function isEpLegal(us: Color, from: Square, ep: Square): boolean {
  const captured = ep ^ 8;
  const goneLo = bitLo(from) | bitLo(captured);
  const goneHi = bitHi(from) | bitHi(captured);
  const occLo = ((bb[ALL_WHITE] | bb[ALL_BLACK]) & ~goneLo) | bitLo(ep);
  const occHi = ((bb[ALL_WHITE + 1] | bb[ALL_BLACK + 1]) & ~goneHi) | bitHi(ep);
  return !isAttacked(state[KING_SQUARE + us], us ^ 1, occLo, occHi);
}

/** Tells whether `us` has a legal en-passant capture onto the square. */
export function hasLegalEp(us: Color, ep: Square): boolean {
  const entry = 2 * (((us ^ 1) << 6) | ep);
  const own = us << 4;
  let lo = PAWNS[entry] & bb[own];
  let hi = PAWNS[entry + 1] & bb[own + 1];
  while ((lo | hi) !== 0) {
    const from = lowestSquare(lo, hi);
    if (isEpLegal(us, from, ep)) return true;
    lo &= ~bitLo(from);
    hi &= ~bitHi(from);
  }
  return false;
}

/** Writes the squares that the colour attacks, own pieces among them, to `threats`. */
export function findThreats(by: Color): void {
  const own = by << 4;
  const occLo = bb[ALL_WHITE] | bb[ALL_BLACK];
  const occHi = bb[ALL_WHITE + 1] | bb[ALL_BLACK + 1];
  const sidesLo = ((bb[own] & 0x7f7f7f7f) << 1) | ((bb[own] & ~0x01010101) >>> 1);
  const sidesHi = ((bb[own + 1] & 0x7f7f7f7f) << 1) | ((bb[own + 1] & ~0x01010101) >>> 1);
  let lo = by === WHITE ? sidesLo << 8 : (sidesLo >>> 8) | (sidesHi << 24);
  let hi = by === WHITE ? (sidesHi << 8) | (sidesLo >>> 24) : sidesHi >>> 8;
  for (let type = KNIGHT; type <= QUEEN; type++) {
    // What lesser pieces attack is known when the next value begins; a knight and a bishop are of one value
    if (type !== BISHOP) {
      threats[2 * type] = lo;
      threats[2 * type + 1] = hi;
    }
    let fromLo = bb[2 * type + own];
    let fromHi = bb[2 * type + own + 1];
    while ((fromLo | fromHi) !== 0) {
      const from = lowestSquare(fromLo, fromHi);
      fromHi = withoutLowest(fromLo, fromHi);
      fromLo &= fromLo - 1;
      if (type === KNIGHT) {
        lo |= KNIGHTS[2 * from];
        hi |= KNIGHTS[2 * from + 1];
      }
      if (type === BISHOP || type === QUEEN) {
        const seen = bishopAttacks(from, occLo, occHi);
        lo |= lowHalf(seen);
        hi |= highHalf(seen);
      }
      if (type === ROOK || type === QUEEN) {
        const seen = rookAttacks(from, occLo, occHi);
        lo |= lowHalf(seen);
        hi |= highHalf(seen);
      }
    }
  }
  threats[2 * BISHOP] = threats[2 * KNIGHT];
  threats[2 * BISHOP + 1] = threats[2 * KNIGHT + 1];
  const king = 2 * state[KING_SQUARE + by];
  threats[2 * KING] = lo | KINGS[king];
  threats[2 * KING + 1] = hi | KINGS[king + 1];
}
