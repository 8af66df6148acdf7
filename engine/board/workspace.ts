// Working tables of the board: move lists, masks for legal move generation, undo records, attacked squares, squares that give check, and a
// table of reversible moves.

import { fieldsOf, regionOf } from '../kernel/memory.js';

const { int32s, int32sOf, u64s } = regionOf('board/workspace');

/** Maximum number of moves in a position. */
export const MAX_MOVES = 512;

/** Number of lists in `moves`, one per ply. */
const MAX_LISTS = 256;

/** All move lists, MAX_MOVES entries for each ply. */
export const moves = int32s(MAX_LISTS * MAX_MOVES);
/** Start of a spare list, which belongs to no ply. */
export const SPARE_LIST = (MAX_LISTS - 1) * MAX_MOVES;

/** Masks of the current position, filled by findChecksAndPins. */
export const masks = fieldsOf(u64s, {
  /** Target squares that end the check: the checker's square and those between it and the king. All squares if there is no check. */
  check: 0n,
  /** Pinned pieces of the side to move. */
  pin: 0n,
  occupied: 0n,
});
/** The number of checkers, and a flag set while moves are counted instead of listed. */
export const generation = fieldsOf(int32s, { checkers: 0, countOnly: 0 });

/** Number of undo records. Callers that play longer games must call forgetHistory after irreversible moves. */
export const MAX_HISTORY = 4096;
/** Per move, the data that unmakeMove cannot recompute. The keys also serve as the history for repetitions. */
export const undo = {
  ep: int32s(MAX_HISTORY),
  castlingRights: int32s(MAX_HISTORY),
  rule50: int32s(MAX_HISTORY),
  captured: int32s(MAX_HISTORY),
  phase: int32s(MAX_HISTORY),
  psqtSum: int32s(MAX_HISTORY),
  key: u64s(MAX_HISTORY),
  pawnKey: u64s(MAX_HISTORY),
};

/** Boards per ply in `threats` and in `checkSquares`, one for each piece type. */
export const THREATS = 6;
/** Exchange values in centipawns by piece type, the classic 1-3-3-5-9. NO_PIECE and the king, which is never captured, count as zero. */
export const SEE_VALUE = int32sOf([100, 300, 300, 500, 900, 0, 0, 0]);
/** Squares from which each type of piece gives check, filled by findCheckSquares. */
export const checkSquares = u64s(THREATS * MAX_LISTS);
/** Squares attacked by pieces less valuable than each type, and, at KING, all attacked squares; filled by findThreats. */
export const threats = u64s(THREATS * MAX_LISTS);

// Reversible moves by the key change they cause: two positions whose keys differ by such an entry are one move apart. draws.ts fills and
// reads the table. (Marcel van Kervinck's method, with a plain hash table instead of cuckoo hashing.)
export const SLOTS = 1 << 14;
/** Key change of the move in each slot; zero for an empty slot. */
export const reversalKeys = u64s(SLOTS);
/** The squares of the move as `a << 6 | b`. */
export const reversalSquares = int32s(SLOTS);
