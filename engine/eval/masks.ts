// Constant boards of the evaluation: parts of the board, and the squares that matter to a pawn and to a king.

import { RANK_3, RANK_6 } from '../board/bitboards/tables.js';
import { regionOf } from '../kernel/memory.js';

/** Outposts: the fourth to sixth rank of each side. */
export const WHITE_OUTPOSTS = RANK_6 | (RANK_6 >> 8n) | (RANK_6 >> 16n);
export const BLACK_OUTPOSTS = RANK_3 | (RANK_3 << 8n) | (RANK_3 << 16n);

/** White's and Black's half of the centre: a bishop on a long diagonal attacks a square of each. */
export const WHITE_CENTRE = 0x1800_0000n;
export const BLACK_CENTRE = WHITE_CENTRE << 8n;

/** Where bishops get shut in: the edge files on a side's sixth and seventh rank. */
export const WHITE_EDGES = 0x0081_8100_0000_0000n;
export const BLACK_EDGES = 0x0081_8100n;

/** Camps: files c to f on a side's second to fourth rank. */
export const WHITE_CAMP = 0x3c3c_3c00n;
export const BLACK_CAMP = 0x003c_3c3cn << 32n;

const { u64s } = regionOf('eval/masks');

// Squares that matter to a pawn, by its square and seen from its own side, so that "ahead" is always towards higher squares. Black's boards
// are turned with flip() to use them; FORWARD alone holds both colours. evaluate.ts fills them.

/** Ahead on its own file. */
export const AHEAD = u64s(64);
/** Ahead on its own and the neighbouring files: a pawn without an enemy pawn there is passed. */
export const PASSAGE = u64s(64);
/** The neighbouring files, whole. */
export const NEIGHBOURS = u64s(64);
/** On the neighbouring files, beside it and behind: pawns there support it or can come to do so. */
export const HELPERS = u64s(64);
/** Squares that it attacks. */
export const CAPTURES = u64s(64);
/** Squares from which fellow pawns defend it. */
export const DEFENDERS = u64s(64);
/** The squares beside it. */
export const BESIDE = u64s(64);

/** Squares of the file in front of a square, for each colour: entry `color << 6 | square`. */
export const FORWARD = u64s(128);

// Of a king; evaluate.ts fills these as well

/** The files around a king by its file: four, the middle ones for a king on d or e. */
export const FLANKS = u64s(8);
/** The king's ring by its square. */
export const RINGS = u64s(64);
