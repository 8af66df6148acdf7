// Constant boards of the evaluation.

import { RANK_3, RANK_6 } from '../board/bitboards/masks.js';

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
