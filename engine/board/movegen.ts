// Legal moves, generated with check and pin masks: a piece may go only where it ends a check and only along the line of its pin.
// One small function for each kind of piece, since V8 optimises large ones badly.

import { lsb } from '../kernel/integers.js';
import { isAttacked, isEpLegal } from './attacked.js';
import {
  KING_ATTACKS as KINGS,
  KNIGHT_ATTACKS as KNIGHTS,
  LINE,
  PAWN_ATTACKS as PAWNS,
  SLIDER_ATTACKS as SLIDERS,
} from './bitboards/attack-tables.js';
import { bishopIndex, rookIndex } from './bitboards/attacks.js';
import { bitHi, bitLo, hasSquare, lowestSquare, popcount } from './bitboards/bitboard.js';
import { canCastle, findChecksAndPins, isFreeToGo } from './checks.js';
import { CASTLING, EN_PASSANT, PROMOTION } from './move.js';
import { ALL_BLACK, ALL_WHITE, bb, CASTLING_RIGHTS, castlingRook, EP, KING_SQUARE, STM, state } from './position.js';
import { BISHOP, KNIGHT, NO_SQUARE, PAWN, QUEEN, ROOK, WHITE } from './types.js';
import { CHECK_HI, CHECK_LO, CHECKERS, COUNT_ONLY, masks, moves, OCC_HI, OCC_LO, PIN_HI, PIN_LO } from './workspace.js';

/** What to generate: captures and promotions, everything else, or both. */
export const NOISY = 1;
export const QUIET = 2;
export const ALL = 3;

/** Writes all legal moves from `moves[start]` on and returns the index after the last. */
export function generateLegal(start: i32): i32 {
  return generate(start, ALL);
}

/** Writes the legal moves of a kind (NOISY, QUIET or ALL) from `moves[start]` on and returns the index after the last. */
export function generate(start: i32, kind: i32): i32 {
  const us = state[STM];
  findChecksAndPins(us);
  const ours = ALL_WHITE | (us << 4);
  const theirs = ours ^ 16;
  const occLo = masks[OCC_LO];
  const occHi = masks[OCC_HI];
  const targetLo = kind === ALL ? ~bb[ours] : kind === NOISY ? bb[theirs] : ~occLo;
  const targetHi = kind === ALL ? ~bb[ours + 1] : kind === NOISY ? bb[theirs + 1] : ~occHi;

  let n = kingMoves(start, us, targetLo, targetHi);
  if (masks[CHECKERS] > 1) return n;
  if (masks[CHECKERS] === 0 && (kind & QUIET) !== 0 && state[CASTLING_RIGHTS] !== 0) n = castlingMoves(n, us);
  const goalLo = targetLo & masks[CHECK_LO];
  const goalHi = targetHi & masks[CHECK_HI];
  n = knightMoves(n, us, goalLo, goalHi);
  n = sliderMoves(n, us, goalLo, goalHi);
  n = us === WHITE ? whitePawnMoves(n, kind) : blackPawnMoves(n, kind);
  if ((kind & NOISY) !== 0 && state[EP] !== NO_SQUARE) n = epCaptures(n, us);
  return n;
}

/** Returns the number of legal moves: nothing is written where counting bits does. */
export function countLegal(start: i32): i32 {
  masks[COUNT_ONLY] = 1;
  const end = generate(start, ALL);
  masks[COUNT_ONLY] = 0;
  return end - start;
}

function pushMoves(n: i32, from: Square, lo: i32, hi: i32): i32 {
  if (masks[COUNT_ONLY] !== 0) return n + popcount(lo, hi);
  while (lo !== 0) {
    moves[n++] = from | (lsb(lo) << 6);
    lo &= lo - 1;
  }
  while (hi !== 0) {
    moves[n++] = from | ((32 + lsb(hi)) << 6);
    hi &= hi - 1;
  }
  return n;
}

function kingMoves(n: i32, us: Color, targetLo: i32, targetHi: i32): i32 {
  const king = state[KING_SQUARE + us];
  // The king does not hide the squares behind it from a slider
  const occLo = masks[OCC_LO] & ~bitLo(king);
  const occHi = masks[OCC_HI] & ~bitHi(king);
  let lo = KINGS[2 * king] & targetLo;
  let hi = KINGS[2 * king + 1] & targetHi;
  while ((lo | hi) !== 0) {
    const to = lowestSquare(lo, hi);
    if (lo !== 0) lo &= lo - 1;
    else hi &= hi - 1;
    if (!isAttacked(to, us ^ 1, occLo, occHi)) moves[n++] = king | (to << 6);
  }
  return n;
}

function castlingMoves(n: i32, us: Color): i32 {
  for (let right = 2 * us; right < 2 * us + 2; right++) {
    if (((state[CASTLING_RIGHTS] >> right) & 1) !== 0 && canCastle(us, right)) {
      moves[n++] = state[KING_SQUARE + us] | (castlingRook[right] << 6) | (CASTLING << 14);
    }
  }
  return n;
}

function knightMoves(n: i32, us: Color, goalLo: i32, goalHi: i32): i32 {
  const knights = (2 * KNIGHT) | (us << 4);
  // A pinned knight never moves
  let lo = bb[knights] & ~masks[PIN_LO];
  let hi = bb[knights + 1] & ~masks[PIN_HI];
  while ((lo | hi) !== 0) {
    const from = lowestSquare(lo, hi);
    if (lo !== 0) lo &= lo - 1;
    else hi &= hi - 1;
    n = pushMoves(n, from, KNIGHTS[2 * from] & goalLo, KNIGHTS[2 * from + 1] & goalHi);
  }
  return n;
}

function sliderMoves(n: i32, us: Color, goalLo: i32, goalHi: i32): i32 {
  const own = us << 4;
  const king = state[KING_SQUARE + us] << 6;
  const occLo = masks[OCC_LO];
  const occHi = masks[OCC_HI];
  const pinLo = masks[PIN_LO];
  const pinHi = masks[PIN_HI];
  for (let type = BISHOP; type <= QUEEN; type++) {
    let lo = bb[2 * type + own];
    let hi = bb[2 * type + own + 1];
    while ((lo | hi) !== 0) {
      const from = lowestSquare(lo, hi);
      if (lo !== 0) lo &= lo - 1;
      else hi &= hi - 1;
      let attackLo = 0;
      let attackHi = 0;
      if (type !== ROOK) {
        const index = bishopIndex(from, occLo, occHi);
        attackLo = SLIDERS[index];
        attackHi = SLIDERS[index + 1];
      }
      if (type !== BISHOP) {
        const index = rookIndex(from, occLo, occHi);
        attackLo |= SLIDERS[index];
        attackHi |= SLIDERS[index + 1];
      }
      attackLo &= goalLo;
      attackHi &= goalHi;
      if (hasSquare(pinLo, pinHi, from)) {
        attackLo &= LINE[2 * (king | from)];
        attackHi &= LINE[2 * (king | from) + 1];
      }
      n = pushMoves(n, from, attackLo, attackHi);
    }
  }
  return n;
}

const NOT_A_FILE = ~0x01010101;
const NOT_H_FILE = 0x7f7f7f7f;
const TOP_RANK = ~0x00ffffff;
const BOTTOM_RANK = 0x000000ff;

function whitePawnMoves(n: i32, kind: i32): i32 {
  const lo = bb[2 * PAWN];
  const hi = bb[2 * PAWN + 1];
  const emptyLo = ~masks[OCC_LO];
  const emptyHi = ~masks[OCC_HI];
  const checkLo = masks[CHECK_LO];
  const checkHi = masks[CHECK_HI];
  const pushLo = (lo << 8) & emptyLo;
  const pushHi = ((hi << 8) | (lo >>> 24)) & emptyHi;
  if ((kind & QUIET) !== 0) {
    // The third rank lies in the low half, the fourth as well
    const doubleLo = ((pushLo & 0x00ff0000) << 8) & emptyLo & checkLo;
    n = pawnMoves(n, pushLo & checkLo, pushHi & checkHi & ~TOP_RANK, 8);
    n = pawnMoves(n, doubleLo, 0, 16);
  }
  if ((kind & NOISY) !== 0) {
    const enemyLo = bb[ALL_BLACK] & checkLo;
    const enemyHi = bb[ALL_BLACK + 1] & checkHi;
    const westLo = lo & NOT_A_FILE;
    const eastLo = lo & NOT_H_FILE;
    const westToHi = (((hi & NOT_A_FILE) << 7) | (westLo >>> 25)) & enemyHi;
    const eastToHi = (((hi & NOT_H_FILE) << 9) | (eastLo >>> 23)) & enemyHi;
    n = pawnMoves(n, (westLo << 7) & enemyLo, westToHi & ~TOP_RANK, 7);
    n = pawnMoves(n, (eastLo << 9) & enemyLo, eastToHi & ~TOP_RANK, 9);
    if ((hi & 0x00ff0000) !== 0) {
      n = promotionMoves(n, 0, pushHi & checkHi & TOP_RANK, 8);
      n = promotionMoves(n, 0, westToHi & TOP_RANK, 7);
      n = promotionMoves(n, 0, eastToHi & TOP_RANK, 9);
    }
  }
  return n;
}

function blackPawnMoves(n: i32, kind: i32): i32 {
  const lo = bb[2 * (PAWN | 8)];
  const hi = bb[2 * (PAWN | 8) + 1];
  const emptyLo = ~masks[OCC_LO];
  const emptyHi = ~masks[OCC_HI];
  const checkLo = masks[CHECK_LO];
  const checkHi = masks[CHECK_HI];
  const pushLo = ((lo >>> 8) | (hi << 24)) & emptyLo;
  const pushHi = (hi >>> 8) & emptyHi;
  if ((kind & QUIET) !== 0) {
    // The sixth rank lies in the high half, the fifth as well
    const doubleHi = ((pushHi & 0x0000ff00) >>> 8) & emptyHi & checkHi;
    n = pawnMoves(n, pushLo & checkLo & ~BOTTOM_RANK, pushHi & checkHi, -8);
    n = pawnMoves(n, 0, doubleHi, -16);
  }
  if ((kind & NOISY) !== 0) {
    const enemyLo = bb[ALL_WHITE] & checkLo;
    const enemyHi = bb[ALL_WHITE + 1] & checkHi;
    const westHi = hi & NOT_A_FILE;
    const eastHi = hi & NOT_H_FILE;
    const westToLo = (((lo & NOT_A_FILE) >>> 9) | (westHi << 23)) & enemyLo;
    const eastToLo = (((lo & NOT_H_FILE) >>> 7) | (eastHi << 25)) & enemyLo;
    n = pawnMoves(n, westToLo & ~BOTTOM_RANK, (westHi >>> 9) & enemyHi, -9);
    n = pawnMoves(n, eastToLo & ~BOTTOM_RANK, (eastHi >>> 7) & enemyHi, -7);
    if ((lo & 0x0000ff00) !== 0) {
      n = promotionMoves(n, pushLo & checkLo & BOTTOM_RANK, 0, -8);
      n = promotionMoves(n, westToLo & BOTTOM_RANK, 0, -9);
      n = promotionMoves(n, eastToLo & BOTTOM_RANK, 0, -7);
    }
  }
  return n;
}

function pawnMoves(n: i32, lo: i32, hi: i32, step: i32): i32 {
  const hasPins = (masks[PIN_LO] | masks[PIN_HI]) !== 0;
  if (!hasPins && masks[COUNT_ONLY] !== 0) return n + popcount(lo, hi);
  while ((lo | hi) !== 0) {
    const to = lowestSquare(lo, hi);
    if (lo !== 0) lo &= lo - 1;
    else hi &= hi - 1;
    if (!hasPins || isFreeToGo(to - step, to)) moves[n++] = (to - step) | (to << 6);
  }
  return n;
}

function promotionMoves(n: i32, lo: i32, hi: i32, step: i32): i32 {
  while ((lo | hi) !== 0) {
    const to = lowestSquare(lo, hi);
    if (lo !== 0) lo &= lo - 1;
    else hi &= hi - 1;
    if (!isFreeToGo(to - step, to)) continue;
    const move = (to - step) | (to << 6) | (PROMOTION << 14);
    for (let promoted = QUEEN - KNIGHT; promoted >= 0; promoted--) moves[n++] = move | (promoted << 12);
  }
  return n;
}

function epCaptures(n: i32, us: Color): i32 {
  const ep = state[EP];
  const entry = 2 * (((us ^ 1) << 6) | ep);
  const own = us << 4;
  let lo = PAWNS[entry] & bb[own];
  let hi = PAWNS[entry + 1] & bb[own + 1];
  while ((lo | hi) !== 0) {
    const from = lowestSquare(lo, hi);
    if (lo !== 0) lo &= lo - 1;
    else hi &= hi - 1;
    if (isEpLegal(us, from, ep)) moves[n++] = from | (ep << 6) | (EN_PASSANT << 14);
  }
  return n;
}
