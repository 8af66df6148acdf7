// Working tables of the board: move lists, the masks of legal move generation, the records that moves are taken back by.

import { regionOf } from '../kernel/memory.js';

const { int32s, int32sOf } = regionOf('board/workspace');

/** Room that any position's moves fit in. */
export const MAX_MOVES = 512;

/** Plies for which there is room in `moves`. */
const MAX_LISTS = 256;

/** All move lists, MAX_MOVES entries for each ply. */
export const moves = int32s(MAX_LISTS * MAX_MOVES);
/** Where a list begins that no search uses, for those that look at a single position. */
export const SPARE_LIST = (MAX_LISTS - 1) * MAX_MOVES;

/** The masks of the position at hand, filled by findChecksAndPins; their indices follow. */
export const masks = int32s(8);
export const CHECK_LO = 0; // squares that end the check: the checker and the squares between
export const CHECK_HI = 1;
export const PIN_LO = 2; // own pieces that shield the king
export const PIN_HI = 3;
export const CHECKERS = 4; // 0, 1 or 2
export const OCC_LO = 5;
export const OCC_HI = 6;
export const COUNT_ONLY = 7; // set while moves are counted rather than listed

/** How many moves makeMove can take back; callers that play whole games call forgetHistory after irreversible moves. */
export const MAX_HISTORY = 4096;
/** Undo records: what makeMove cannot recompute, one record a move, the history for repetition at the same time. */
export const UNDO_STRIDE = 10;
export const undo = int32s(MAX_HISTORY * UNDO_STRIDE);
export const U_KEY_LO = 0;
export const U_KEY_HI = 1;
export const U_PAWN_LO = 2;
export const U_PAWN_HI = 3;
export const U_EP = 4;
export const U_RIGHTS = 5;
export const U_RULE50 = 6;
export const U_CAPTURED = 7;
export const U_PHASE = 8;
export const U_PSQT = 9;

/** Integers of `threats`, and of `checkSquares`. */
export const THREATS = 12;
/** Exchange values in centipawns by piece type, the classic 1-3-3-5-9; EMPTY and a king that is never taken count zero. */
export const SEE_VALUE = int32sOf([100, 300, 300, 500, 900, 0, 0, 0]);
/** Squares that findCheckSquares found, two halves each: entry `2 * type`. */
export const checkSquares = int32s(THREATS);
/** Squares that findThreats found, two halves each: entry `2 * type` has those that pieces worth less than the type attack, `2 * KING` all. */
export const threats = int32s(THREATS);
