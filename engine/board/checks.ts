// Checks, pins and castling ways: what legal move generation must know of a position before it looks at single pieces;
// and from where pieces give check.

import { isAttacked } from './attacked.js';
import {
  BETWEEN,
  BISHOP_RAYS as DIAGONALS,
  KNIGHT_ATTACKS as KNIGHTS,
  LINE,
  PAWN_ATTACKS as PAWNS,
  ROOK_RAYS as STRAIGHTS,
} from './bitboards/attack-tables.js';
import { bishopAttacks, highHalf, lowHalf, rookAttacks } from './bitboards/attacks.js';
import { bitHi, bitLo, lowestSquare, withoutLowest } from './bitboards/bitboard.js';
import { ALL_BLACK, ALL_WHITE, bb, castlingRook, castlingWay, KING_SQUARE, STM, state } from './position.js';
import { BISHOP, KNIGHT, PAWN, QUEEN, ROOK } from './types.js';

import { CHECK_HI, CHECK_LO, CHECKERS, checkSquares, masks, OCC_HI, OCC_LO, PIN_HI, PIN_LO } from './workspace.js';

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
    hi = withoutLowest(lo, hi);
    lo &= lo - 1;
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

/** Writes the squares from which each piece of the side to move would attack the enemy king to `checkSquares`; from none for the king. */
export function findCheckSquares(): void {
  const us = state[STM];
  const king = state[KING_SQUARE + (us ^ 1)];
  const occLo = bb[ALL_WHITE] | bb[ALL_BLACK];
  const occHi = bb[ALL_WHITE + 1] | bb[ALL_BLACK + 1];
  const pawn = 2 * (((us ^ 1) << 6) | king);
  const diagonal = bishopAttacks(king, occLo, occHi);
  const straight = rookAttacks(king, occLo, occHi);
  checkSquares[2 * PAWN] = PAWNS[pawn];
  checkSquares[2 * PAWN + 1] = PAWNS[pawn + 1];
  checkSquares[2 * KNIGHT] = KNIGHTS[2 * king];
  checkSquares[2 * KNIGHT + 1] = KNIGHTS[2 * king + 1];
  checkSquares[2 * BISHOP] = lowHalf(diagonal);
  checkSquares[2 * BISHOP + 1] = highHalf(diagonal);
  checkSquares[2 * ROOK] = lowHalf(straight);
  checkSquares[2 * ROOK + 1] = highHalf(straight);
  checkSquares[2 * QUEEN] = lowHalf(diagonal) | lowHalf(straight);
  checkSquares[2 * QUEEN + 1] = highHalf(diagonal) | highHalf(straight);
}
