// Legal pawn moves: steps, captures, promotions and en passant, given the masks of checks.ts. All pawns move at once, by shifting their board.

import { isEpLegal } from './attacked.js';
import { PAWN_ATTACKS as PAWNS } from './bitboards/attack-tables.js';
import { lowestSquare, popcount, withoutLowest } from './bitboards/bitboard.js';
import { isFreeToGo } from './checks.js';
import { EN_PASSANT, PROMOTION } from './move.js';
import { ALL_BLACK, ALL_WHITE, bb, EP, STM, state } from './position.js';
import { KNIGHT, NO_SQUARE, PAWN, QUEEN, WHITE } from './types.js';
import { CHECK_HI, CHECK_LO, COUNT_ONLY, masks, moves, OCC_HI, OCC_LO, PIN_HI, PIN_LO } from './workspace.js';

/** Writes the steps of pawns that do not promote, onto free squares of the goal, from `moves[n]` on and returns the index after the last. */
export function pawnSteps(n: i32, goalLo: i32, goalHi: i32): i32 {
  return state[STM] === WHITE ? whiteSteps(n, goalLo, goalHi) : blackSteps(n, goalLo, goalHi);
}

/** Writes captures by pawns and all promotions from `moves[n]` on and returns the index after the last. */
export function pawnCaptures(n: i32): i32 {
  const us = state[STM];
  n = us === WHITE ? whiteCaptures(n) : blackCaptures(n);
  return state[EP] === NO_SQUARE ? n : epCaptures(n, us);
}

const NOT_A_FILE = ~0x01010101;
const NOT_H_FILE = 0x7f7f7f7f;
const TOP_RANK = ~0x00ffffff;
const BOTTOM_RANK = 0x000000ff;

function whiteSteps(n: i32, goalLo: i32, goalHi: i32): i32 {
  const lo = bb[2 * PAWN];
  const hi = bb[2 * PAWN + 1];
  const freeLo = ~masks[OCC_LO];
  const pushLo = (lo << 8) & freeLo;
  const pushHi = ((hi << 8) | (lo >>> 24)) & ~masks[OCC_HI];
  // The third rank lies in the low half, the fourth as well
  const doubleLo = ((pushLo & 0x00ff0000) << 8) & freeLo & goalLo;
  n = pawnMoves(n, pushLo & goalLo, pushHi & goalHi & ~TOP_RANK, 8);
  return pawnMoves(n, doubleLo, 0, 16);
}

function blackSteps(n: i32, goalLo: i32, goalHi: i32): i32 {
  const lo = bb[2 * (PAWN | 8)];
  const hi = bb[2 * (PAWN | 8) + 1];
  const freeHi = ~masks[OCC_HI];
  const pushLo = ((lo >>> 8) | (hi << 24)) & ~masks[OCC_LO];
  const pushHi = (hi >>> 8) & freeHi;
  // The sixth rank lies in the high half, the fifth as well
  const doubleHi = ((pushHi & 0x0000ff00) >>> 8) & freeHi & goalHi;
  n = pawnMoves(n, pushLo & goalLo & ~BOTTOM_RANK, pushHi & goalHi, -8);
  return pawnMoves(n, 0, doubleHi, -16);
}

function whiteCaptures(n: i32): i32 {
  const lo = bb[2 * PAWN];
  const hi = bb[2 * PAWN + 1];
  const enemyLo = bb[ALL_BLACK] & masks[CHECK_LO];
  const enemyHi = bb[ALL_BLACK + 1] & masks[CHECK_HI];
  const westLo = lo & NOT_A_FILE;
  const eastLo = lo & NOT_H_FILE;
  const westToHi = (((hi & NOT_A_FILE) << 7) | (westLo >>> 25)) & enemyHi;
  const eastToHi = (((hi & NOT_H_FILE) << 9) | (eastLo >>> 23)) & enemyHi;
  n = pawnMoves(n, (westLo << 7) & enemyLo, westToHi & ~TOP_RANK, 7);
  n = pawnMoves(n, (eastLo << 9) & enemyLo, eastToHi & ~TOP_RANK, 9);
  if ((hi & 0x00ff0000) !== 0) {
    n = promotionMoves(n, 0, (hi << 8) & ~masks[OCC_HI] & masks[CHECK_HI] & TOP_RANK, 8);
    n = promotionMoves(n, 0, westToHi & TOP_RANK, 7);
    n = promotionMoves(n, 0, eastToHi & TOP_RANK, 9);
  }
  return n;
}

function blackCaptures(n: i32): i32 {
  const lo = bb[2 * (PAWN | 8)];
  const hi = bb[2 * (PAWN | 8) + 1];
  const enemyLo = bb[ALL_WHITE] & masks[CHECK_LO];
  const enemyHi = bb[ALL_WHITE + 1] & masks[CHECK_HI];
  const westHi = hi & NOT_A_FILE;
  const eastHi = hi & NOT_H_FILE;
  const westToLo = (((lo & NOT_A_FILE) >>> 9) | (westHi << 23)) & enemyLo;
  const eastToLo = (((lo & NOT_H_FILE) >>> 7) | (eastHi << 25)) & enemyLo;
  n = pawnMoves(n, westToLo & ~BOTTOM_RANK, (westHi >>> 9) & enemyHi, -9);
  n = pawnMoves(n, eastToLo & ~BOTTOM_RANK, (eastHi >>> 7) & enemyHi, -7);
  if ((lo & 0x0000ff00) !== 0) {
    n = promotionMoves(n, (lo >>> 8) & ~masks[OCC_LO] & masks[CHECK_LO] & BOTTOM_RANK, 0, -8);
    n = promotionMoves(n, westToLo & BOTTOM_RANK, 0, -9);
    n = promotionMoves(n, eastToLo & BOTTOM_RANK, 0, -7);
  }
  return n;
}

function pawnMoves(n: i32, lo: i32, hi: i32, step: i32): i32 {
  const hasPins = (masks[PIN_LO] | masks[PIN_HI]) !== 0;
  if (!hasPins && masks[COUNT_ONLY] !== 0) return n + popcount(lo, hi);
  while ((lo | hi) !== 0) {
    const to = lowestSquare(lo, hi);
    hi = withoutLowest(lo, hi);
    lo &= lo - 1;
    if (!hasPins || isFreeToGo(to - step, to)) moves[n++] = (to - step) | (to << 6);
  }
  return n;
}

function promotionMoves(n: i32, lo: i32, hi: i32, step: i32): i32 {
  while ((lo | hi) !== 0) {
    const to = lowestSquare(lo, hi);
    hi = withoutLowest(lo, hi);
    lo &= lo - 1;
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
    hi = withoutLowest(lo, hi);
    lo &= lo - 1;
    if (isEpLegal(us, from, ep)) moves[n++] = from | (ep << 6) | (EN_PASSANT << 14);
  }
  return n;
}
