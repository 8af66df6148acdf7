// Working tables of the evaluation: attacks of each side, counts of terms, and the table for king and pawn against king. pieces.ts fills
// the tables of attacks, which the other terms use. Bishops and rooks attack through queens, and rooks also through friendly rooks, because
// the squares behind these pieces are attacked as soon as they move away.

import { regionOf } from '../kernel/memory.js';
import { WEIGHT_COUNT } from './terms.js';

const { int32s, u64s } = regionOf('eval/workspace');

/** Attacked squares by piece code, as in `bb`; `BY_ANY | color << 3` by any piece of a side, `BY_TWO | color << 3` by two or more. */
export const attackMap = u64s(16);
export const BY_ANY = 6;
export const BY_TWO = 7;

/** Squares that count towards a side's mobility. */
export const mobilityArea = u64s(2);
/** Number of a side's pieces that attack the other king's ring, and the sum of their danger. */
export const ringAttackers = int32s(2);
export const ringDanger = int32s(2);

/**
 * Whether the evaluation counts its terms. scripts/wasm.mjs compiles each module with its own value: false for the playing module, true for
 * the tuner's. It is also true in the JavaScript reference.
 */
export const TRACING: boolean = true;

/**
 * Counts of all terms since clearTrace(), White's minus Black's. They are followed by the danger terms of White's attack, those of Black's
 * attack (dangerScore), and the scale terms with White ahead and with Black ahead (scaledEndgame).
 */
export const traceCounts = int32s(5 * WEIGHT_COUNT);

/** White's part of each term's count; Black's is this minus the count above. */
export const whiteCounts = int32s(WEIGHT_COUNT);

/**
 * Table for king and pawn against king, filled and probed by endgame/kpk.ts. An entry holds the squares of the weaker king for which the
 * pawn wins: entry `2 * (slice << 6 | king)` with the stronger side to move, and the next one with the weaker side to move, where `king` is
 * the square of the stronger king. A slice is the index of the pawn's square among the 24 on files a to d and ranks 2 to 7.
 */
export const won = u64s(2 * 64 * 24);
/** Entry 0: whether the table is filled. */
export const solved = int32s(1);
