// The table of king and pawn against king that kpk.ts fills and asks.

import { regionOf } from '../../kernel/memory.js';

const { int32s } = regionOf('eval/endgame/kpk-table');

/**
 * Squares of the weaker king at which the pawn wins: entry `4 * (slice << 6 | king)` with the stronger side to move, two further
 * on with the weaker. A slice is a pawn's square, files a to d, second to seventh rank.
 */
export const won = int32s(4 * 64 * 24);
/** Whether the table is filled, in entry 0; a board of two halves that a function returns, in 1 and 2. */
export const solving = int32s(3);
export const SOLVED = 0;
export const LO = 1;
export const HI = 2;
