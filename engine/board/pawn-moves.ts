// Legal pawn moves, generated with the masks that checks.ts sets. Shifting the bitboard moves all pawns at once.

import { epCapturers, isEpLegal } from './attacked.js';
import { east, forward, lowestSquare, popcount, west, withoutLowest } from './bitboards/bitboard.js';
import { EMPTY, FULL, LAST_RANKS, RANK_2, RANK_3, RANK_6, RANK_7 } from './bitboards/tables.js';
import { isFreeToGo } from './checks.js';
import { EN_PASSANT, PROMOTION } from './move-fields.js';
import { ALL_WHITE, bb, state } from './position.js';
import { KNIGHT, NO_SQUARE, PAWN, QUEEN, WHITE } from './types.js';
import { generation, masks, moves } from './workspace.js';

/** Writes pawn pushes to free squares of `goals`, except promotions, from `moves[n]` on, and returns the index after the last. */
export function pawnSteps(n: i32, goals: u64): i32 {
  const us = state.stm;
  const step = us === WHITE ? 8 : -8;
  const free = FULL ^ masks.occupied;
  const once = forward(us, bb[PAWN | (us << 3)]) & free;
  const twice = forward(us, once & (us === WHITE ? RANK_3 : RANK_6)) & free;
  n = pawnMoves(n, once & goals & ~LAST_RANKS, step);
  return pawnMoves(n, twice & goals, 2 * step);
}

/** Writes pawn captures and all promotions from `moves[n]` on and returns the index after the last. */
export function pawnCaptures(n: i32): i32 {
  const us = state.stm;
  const step = us === WHITE ? 8 : -8;
  const pawns = bb[PAWN | (us << 3)];
  const enemies = bb[ALL_WHITE | ((us ^ 1) << 3)] & masks.check;
  const ahead = forward(us, pawns);
  const toWest = west(ahead) & enemies;
  const toEast = east(ahead) & enemies;
  n = pawnMoves(n, toWest & ~LAST_RANKS, step - 1);
  n = pawnMoves(n, toEast & ~LAST_RANKS, step + 1);
  if ((pawns & (us === WHITE ? RANK_7 : RANK_2)) !== EMPTY) {
    n = promotionMoves(n, ahead & ~masks.occupied & masks.check & LAST_RANKS, step);
    n = promotionMoves(n, toWest & LAST_RANKS, step - 1);
    n = promotionMoves(n, toEast & LAST_RANKS, step + 1);
  }
  return state.ep === NO_SQUARE ? n : epCaptures(n, us);
}

function pawnMoves(n: i32, targets: u64, step: i32): i32 {
  const hasPins = masks.pin !== EMPTY;
  if (!hasPins && generation.countOnly !== 0) return n + popcount(targets);
  for (let rest = targets; rest !== EMPTY; rest = withoutLowest(rest)) {
    const to = lowestSquare(rest);
    if (!hasPins || isFreeToGo(to - step, to)) moves[n++] = (to - step) | (to << 6);
  }
  return n;
}

function promotionMoves(n: i32, targets: u64, step: i32): i32 {
  for (let rest = targets; rest !== EMPTY; rest = withoutLowest(rest)) {
    const to = lowestSquare(rest);
    if (!isFreeToGo(to - step, to)) continue;
    const move = (to - step) | (to << 6) | (PROMOTION << 14);
    for (let promoted = QUEEN - KNIGHT; promoted >= 0; promoted--) moves[n++] = move | (promoted << 12);
  }
  return n;
}

function epCaptures(n: i32, us: Color): i32 {
  const ep = state.ep;
  for (let pawns = epCapturers(us, ep); pawns !== EMPTY; pawns = withoutLowest(pawns)) {
    const from = lowestSquare(pawns);
    if (isEpLegal(us, from, ep)) moves[n++] = from | (ep << 6) | (EN_PASSANT << 14);
  }
  return n;
}
