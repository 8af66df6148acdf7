// The table of king and pawn against king; kpk.ts fills and probes it.

import { regionOf } from '../../kernel/memory.js';

const { int32s, u64s } = regionOf('eval/endgame/kpk-table');

/**
 * Squares of the weaker king at which the pawn wins: entry `2 * (slice << 6 | king)` with the stronger side to move, the next one
 * with the weaker. A slice is a pawn's square, files a to d, second to seventh rank.
 */
export const won = u64s(2 * 64 * 24);
/** Entry 0: whether the table is filled. */
export const solved = int32s(1);
