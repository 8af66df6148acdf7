// Which squares are attacked in the position, and what follows for kings and for en-passant captures.

import { bishopIndex, KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS, rookIndex, SLIDER_ATTACKS } from './attacks.js';
import { bitHi, bitLo } from './bitboard.js';
import { ALL_BLACK, ALL_WHITE, bb as boards, KING_SQUARE, STM, state as scalars } from './position.js';
import { BISHOP, type Color, KING, KNIGHT, QUEEN, ROOK, type Square } from './types.js';

const bb = boards;
const state = scalars;
const SLIDERS = SLIDER_ATTACKS;
const KNIGHTS = KNIGHT_ATTACKS;
const KINGS = KING_ATTACKS;
const PAWNS = PAWN_ATTACKS;

/** Tells whether the colour attacks the square, given what is occupied; pieces off the occupancy do not attack. */
export function isAttacked(square: Square, by: Color, occLo: number, occHi: number): boolean {
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
  const diagonal = bishopIndex(square, occLo, occHi);
  const straight = rookIndex(square, occLo, occHi);
  return (
    ((SLIDERS[diagonal] & (bb[bishop] | bb[queen]) & occLo) |
      (SLIDERS[diagonal + 1] & (bb[bishop + 1] | bb[queen + 1]) & occHi) |
      (SLIDERS[straight] & (bb[rook] | bb[queen]) & occLo) |
      (SLIDERS[straight + 1] & (bb[rook + 1] | bb[queen + 1]) & occHi)) !==
    0
  );
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
  const lo = PAWNS[entry] & bb[own];
  const hi = PAWNS[entry + 1] & bb[own + 1];
  if ((lo | hi) === 0) return false;
  for (const from of [ep - 9, ep - 7, ep + 7, ep + 9]) {
    if (((lo & bitLo(from)) | (hi & bitHi(from))) !== 0 && from >= 0 && from < 64 && isEpLegal(us, from, ep))
      return true;
  }
  return false;
}
