// Checks, pins and castling ways: what legal move generation must know of a position before it looks at single pieces; and which moves check.

import { isAttacked } from './attacked.js';
import {
  BETWEEN,
  BISHOP_RAYS as DIAGONALS,
  KNIGHT_ATTACKS as KNIGHTS,
  LINE,
  PAWN_ATTACKS as PAWNS,
  ROOK_RAYS as STRAIGHTS,
} from './bitboards/attack-tables.js';
import { bitHi, bitLo, hasSquare, lowestSquare } from './bitboards/bitboard.js';
import { PROMOTION } from './move.js';
import { ALL_BLACK, ALL_WHITE, bb, board, castlingRook, castlingWay, KING_SQUARE, STM, state } from './position.js';
import { BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK } from './types.js';

import { CHECK_HI, CHECK_LO, CHECKERS, masks, OCC_HI, OCC_LO, PIN_HI, PIN_LO } from './workspace.js';

/** Fills the masks for the side to move, `us`. */
export function findChecksAndPins(us: Color): void {
  const king = state[KING_SQUARE + us];
  const them = (us ^ 1) << 4;
  const occLo = bb[ALL_WHITE] | bb[ALL_BLACK];
  const occHi = bb[ALL_WHITE + 1] | bb[ALL_BLACK + 1];
  const ours = ALL_WHITE | (us << 4);
  const pawn = 2 * ((us << 6) | king);
  const knights = 2 * KNIGHT + them;
  let checkLo = (PAWNS[pawn] & bb[them]) | (KNIGHTS[2 * king] & bb[knights]);
  let checkHi = (PAWNS[pawn + 1] & bb[them + 1]) | (KNIGHTS[2 * king + 1] & bb[knights + 1]);
  let checkers = (checkLo | checkHi) === 0 ? 0 : 1;
  let pinLo = 0;
  let pinHi = 0;

  // Sliders that would see the king on an empty board: what stands between decides
  const queens = 2 * QUEEN + them;
  const rooks = 2 * ROOK + them;
  const bishops = 2 * BISHOP + them;
  const rays = 2 * king;
  let lo = (STRAIGHTS[rays] & (bb[rooks] | bb[queens])) | (DIAGONALS[rays] & (bb[bishops] | bb[queens]));
  let hi =
    (STRAIGHTS[rays + 1] & (bb[rooks + 1] | bb[queens + 1])) |
    (DIAGONALS[rays + 1] & (bb[bishops + 1] | bb[queens + 1]));
  while ((lo | hi) !== 0) {
    const square = lowestSquare(lo, hi);
    if (lo !== 0) lo &= lo - 1;
    else hi &= hi - 1;
    const entry = 2 * ((king << 6) | square);
    const shieldLo = BETWEEN[entry] & occLo;
    const shieldHi = BETWEEN[entry + 1] & occHi;
    if ((shieldLo | shieldHi) === 0) {
      checkers++;
      checkLo |= BETWEEN[entry] | bitLo(square);
      checkHi |= BETWEEN[entry + 1] | bitHi(square);
    } else if (isSingle(shieldLo, shieldHi)) {
      pinLo |= shieldLo & bb[ours];
      pinHi |= shieldHi & bb[ours + 1];
    }
  }
  masks[CHECK_LO] = checkers === 0 ? -1 : checkLo;
  masks[CHECK_HI] = checkers === 0 ? -1 : checkHi;
  masks[PIN_LO] = pinLo;
  masks[PIN_HI] = pinHi;
  masks[CHECKERS] = checkers;
  masks[OCC_LO] = occLo;
  masks[OCC_HI] = occHi;
}

function isSingle(lo: i32, hi: i32): boolean {
  return lo === 0 ? (hi & (hi - 1)) === 0 : hi === 0 && (lo & (lo - 1)) === 0;
}

/** Tells whether king and rook have free ways to their squares and the king passes no attacked one; it must not be in check. */
export function canCastle(us: Color, right: i32): boolean {
  if (((castlingWay[2 * right] & masks[OCC_LO]) | (castlingWay[2 * right + 1] & masks[OCC_HI])) !== 0) return false;
  const king = state[KING_SQUARE + us];
  const rook = castlingRook[right];
  const kingTo = us * 56 + ((right & 1) === 0 ? 6 : 2);
  const rookTo = us * 56 + ((right & 1) === 0 ? 5 : 3);
  const othersLo = masks[OCC_LO] & ~(bitLo(king) | bitLo(rook));
  const othersHi = masks[OCC_HI] & ~(bitHi(king) | bitHi(rook));
  const step = kingTo > king ? 1 : -1;
  for (let square = king; square !== kingTo; square += step) {
    if (square !== king && isAttacked(square, us ^ 1, masks[OCC_LO], masks[OCC_HI])) return false;
  }
  // The departing rook may uncover an attack on the king's new square
  return !isAttacked(kingTo, us ^ 1, othersLo | bitLo(rookTo), othersHi | bitHi(rookTo));
}

/** Tells whether a pin, if there is one, lets the piece go from one square to the other. */
export function isFreeToGo(from: Square, to: Square): boolean {
  if (((masks[PIN_LO] & bitLo(from)) | (masks[PIN_HI] & bitHi(from))) === 0) return true;
  const entry = 2 * ((state[KING_SQUARE + state[STM]] << 6) | from);
  return ((LINE[entry] & bitLo(to)) | (LINE[entry + 1] & bitHi(to))) !== 0;
}

/** Tells whether a legal move puts its piece where it attacks the enemy king; castling, en passant and discovered checks are not looked at. */
export function givesDirectCheck(move: Move): boolean {
  const us = state[STM];
  const from = move & 63;
  const to = (move >>> 6) & 63;
  const king = state[KING_SQUARE + (us ^ 1)];
  const type = move >>> 14 === PROMOTION ? KNIGHT + ((move >>> 12) & 3) : board[from] & 7;
  if (type === PAWN) return isIn(PAWNS, (us << 6) | to, king);
  if (type === KNIGHT) return isIn(KNIGHTS, to, king);
  const isInLine =
    (type !== ROOK && type !== KING && isIn(DIAGONALS, to, king)) ||
    (type !== BISHOP && type !== KING && isIn(STRAIGHTS, to, king));
  if (!isInLine) return false;
  const between = 2 * ((to << 6) | king);
  const othersLo = (bb[ALL_WHITE] | bb[ALL_BLACK]) & ~bitLo(from);
  const othersHi = (bb[ALL_WHITE + 1] | bb[ALL_BLACK + 1]) & ~bitHi(from);
  return ((BETWEEN[between] & othersLo) | (BETWEEN[between + 1] & othersHi)) === 0;
}

function isIn(attacks: I32s, entry: i32, square: Square): boolean {
  return hasSquare(attacks[2 * entry], attacks[2 * entry + 1], square);
}
