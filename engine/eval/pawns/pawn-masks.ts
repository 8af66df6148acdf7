// Squares that matter to a pawn, by its square and seen from its own side, so that "ahead" is always towards higher squares.
// Black's boards are turned with flip() to use them; FORWARD alone holds both colours. eval/fill.ts fills them.

import { regionOf } from '../../kernel/memory.js';

const { u64s } = regionOf('eval/pawns/pawn-masks');

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
