// Working tables of the search: counters, signals between driver and search, root moves; and by ply static evaluations,
// principal variations and the frames of the move picker.

import { MAX_MOVES } from '../board/workspace.js';
import { regionOf } from '../kernel/memory.js';
import { MAX_PLY } from './score.js';

const { doubles, int32s } = regionOf('search/plies');

const PLIES = MAX_PLY + 2;

/** Static evaluation for the side to move at each ply; NO_SCORE when in check. */
export const staticEvals = int32s(PLIES);
/** Whether the side to move is in check at each ply. */
export const checks = int32s(PLIES);
/** Null-move state of a ply: 0 (allowed), AFTER_NULL or VERIFYING. */
export const nmpState = int32s(PLIES);
export const AFTER_NULL = 1;
export const VERIFYING = 2;
/** History of the quiet move played at each ply; 0 for any other. */
export const statScores = int32s(PLIES);
/** Cut-offs at each ply since its parent node was entered. */
export const cutoffCount = int32s(PLIES);
/** Whether the squares of board/workspace.ts are known at each ply: the opponent's threats, and squares that check. */
export const areThreatsKnown = int32s(PLIES);
export const areChecksKnown = int32s(PLIES);
/** The move that a singular search at the ply excludes. */
export const excludedMoves = int32s(PLIES);

/** Principal variation from each ply: moves at `ply * PV_ROW`, as many as `pvLength[ply]`. */
export const PV_ROW = PLIES;
export const pv = int32s(PLIES * PV_ROW);
export const pvLength = int32s(PLIES);

/** Nodes searched, deepest ply reached, nodes at which to poll; doubles, as analysis can outgrow 32 bits. */
export const counters = doubles(3);
export const NODES = 0;
export const SELDEPTH = 1;
export const NEXT_POLL = 2;

/** Signals between driver and search: stop flag, depth in plies of the present iteration, score of the root's variation. */
export const signals = int32s(3);
export const STOPPED = 0;
export const ROOT_DEPTH = 1;
export const ROOT_SCORE = 2;

/** Root moves the search may play; NO_MOVE-terminated. Filled by the driver. */
export const rootMoves = int32s(MAX_MOVES + 1);

/** Nodes this thread spent on each root move, by its code, since the search began. */
export const rootEffort = doubles(1 << 16);

/** A frame a ply: the picker's stage, the table move and where its lists stand. */
export const FRAME = 8;
export const AT_STAGE = 0;
export const TT_MOVE = 1;
export const NEXT = 2;
export const END = 3;
export const BAD_END = 4;
/** The picker's stages after the table move and after the captures. */
export const AFTER_TT = 5;
export const AFTER_NOISY = 6;
export const frames = int32s((MAX_PLY + 2) * FRAME);
export const values = int32s((MAX_PLY + 2) * MAX_MOVES);
export const bad = int32s((MAX_PLY + 2) * MAX_MOVES);
