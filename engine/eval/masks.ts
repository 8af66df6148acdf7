// Constant boards of the evaluation: regions of the board, and masks of pawns and kings.

import { RANK_3, RANK_6 } from '../board/bitboards/tables.js';
import { regionOf } from '../kernel/memory.js';

/** Outposts: the fourth to sixth ranks of each side. */
export const WHITE_OUTPOSTS = RANK_6 | (RANK_6 >> 8n) | (RANK_6 >> 16n);
export const BLACK_OUTPOSTS = RANK_3 | (RANK_3 << 8n) | (RANK_3 << 16n);

/** White's and Black's halves of the centre: a bishop on a long diagonal attacks a square in each. */
export const WHITE_CENTRE = 0x1800_0000n;
export const BLACK_CENTRE = WHITE_CENTRE << 8n;

/** Squares on which bishops can be trapped: the edge files on a side's sixth and seventh ranks. */
export const WHITE_EDGES = 0x0081_8100_0000_0000n;
export const BLACK_EDGES = 0x0081_8100n;

/** The camp of each side: files c to f on its second to fourth ranks. */
export const WHITE_CAMP = 0x3c3c_3c00n;
export const BLACK_CAMP = 0x003c_3c3cn << 32n;

const { u64s } = regionOf('eval/masks');

// Masks of a pawn by square, from its side's point of view, so "ahead" means higher squares. Black's boards are flipped with flip(); only
// FORWARD has both colours. Filled by evaluate.ts.

/** Ahead on its own file, for each colour: entry `color << 6 | square`. */
export const FORWARD = u64s(128);
/** Ahead on its own and the neighbouring files; a pawn without enemy pawns there is passed. */
export const PASSAGE = u64s(64);
/** All squares of the neighbouring files. */
export const NEIGHBOURS = u64s(64);
/** On the neighbouring files, beside it and behind; pawns there support it or can advance to do so. */
export const HELPERS = u64s(64);
/** The two squares beside it. */
export const BESIDE = u64s(64);

// Masks of a king, also filled by evaluate.ts

/** The four files around a king by its file (c to f for d and e), in each colour's half of the board: entry `color << 3 | file`. */
export const FLANKS = u64s(16);
/** The king's ring by its square: the king and the squares around it, shifted inwards at the edge. */
export const RINGS = u64s(64);
