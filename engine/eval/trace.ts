// Functions that weigh a term and, with TRACING, count it. They score all terms except material and piece-square values.

import { board } from '../board/position.js';
import { BLACK, KING, NO_PIECE } from '../board/types.js';
import { MATERIAL, PSQT, WEIGHT_COUNT } from './terms.js';
import { W } from './weights-in-use.js';
import { TRACING, traceCounts, whiteCounts } from './workspace.js';

/** Returns a term's count times its weight, packed. */
export function weigh(us: Color, term: i32, times: i32): i32 {
  if (TRACING) {
    traceCounts[term] += us === BLACK ? -times : times;
    if (us !== BLACK) whiteCounts[term] += times;
  }
  return times * W[term];
}

/** Returns the count of a danger term times its weight, packed; `us` is the attacking side. */
export function weighDanger(us: Color, term: i32, times: i32): i32 {
  if (TRACING) traceCounts[(1 + us) * WEIGHT_COUNT + term] += times;
  return times * W[term];
}

/** Clears the danger counts of an attack without attackers of the king's ring or safe checks; `us` is the attacking side. */
export function dropDanger(us: Color): void {
  for (let i = (1 + us) * WEIGHT_COUNT; i < (2 + us) * WEIGHT_COUNT; i++) traceCounts[i] = 0;
}

/** Returns the count of a scale term times its weight, packed; `us` is the side that the endgame favours. */
export function weighScale(us: Color, term: i32, times: i32): i32 {
  if (TRACING) traceCounts[(3 + us) * WEIGHT_COUNT + term] += times;
  return times * W[term];
}

/** Sets all counts to zero. */
export function clearTrace(): void {
  for (let i = 0; i < 5 * WEIGHT_COUNT; i++) traceCounts[i] = 0;
  for (let i = 0; i < WEIGHT_COUNT; i++) whiteCounts[i] = 0;
}

/** Counts the material and piece-square terms, whose sum the board updates incrementally. */
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
