// Adds weighted terms to the score and, with TRACING, counts them. Every term is scored by one call of these functions.

import { board } from '../board/position.js';
import { BLACK, KING, NO_PIECE } from '../board/types.js';
import { MATERIAL, PSQT, WEIGHT_COUNT } from './terms.js';
import { W } from './weights-in-use.js';
import { TRACING, traceCounts, whiteCounts } from './workspace.js';

/** Returns a side's term times its weight, packed. */
export function weigh(us: Color, term: i32, times: i32): i32 {
  if (TRACING) {
    traceCounts[term] += us === BLACK ? -times : times;
    if (us !== BLACK) whiteCounts[term] += times;
  }
  return times * W[term];
}

/** Returns a term of a side's attack on the enemy king times its weight, packed. */
export function weighDanger(us: Color, term: i32, times: i32): i32 {
  if (TRACING) traceCounts[(1 + us) * WEIGHT_COUNT + term] += times;
  return times * W[term];
}

/** Clears the danger counts of a side without a relevant attack. */
export function dropDanger(us: Color): void {
  for (let i = (1 + us) * WEIGHT_COUNT; i < (2 + us) * WEIGHT_COUNT; i++) traceCounts[i] = 0;
}

/** Returns a term of the scale of an endgame that favours a side, times its weight, packed. */
export function weighScale(us: Color, term: i32, times: i32): i32 {
  if (TRACING) traceCounts[(3 + us) * WEIGHT_COUNT + term] += times;
  return times * W[term];
}

/** Sets all counts to zero. */
export function clearTrace(): void {
  for (let i = 0; i < 5 * WEIGHT_COUNT; i++) traceCounts[i] = 0;
  for (let i = 0; i < WEIGHT_COUNT; i++) whiteCounts[i] = 0;
}

/** Counts the terms of the position's sum of material and squares. */
export function countPsqt(): void {
  for (let square = 0; square < 64; square++) {
    const piece = board[square];
    if (piece === NO_PIECE) continue;
    const us = piece >> 3;
    const type = piece & 7;
    if (type !== KING) weigh(us, MATERIAL + type, 1);
    weigh(us, PSQT + type * 64 + (us === 0 ? square : square ^ 56), 1);
  }
}
