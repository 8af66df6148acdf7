// The attack tables that attacks.ts and others look up. fill.ts fills them.

import { regionOf } from '../../kernel/memory.js';

const { bytes, u64s } = regionOf('board/bitboards/attack-tables');

/** Knight and king attacks by square. */
export const KNIGHT_ATTACKS = u64s(64);
export const KING_ATTACKS = u64s(64);
/** Squares that a pawn attacks: entry `color << 6 | square`. */
export const PAWN_ATTACKS = u64s(128);
/** For each square, along file, rank, diagonal and antidiagonal: the squares below and those above. */
export const LINE_MASKS = u64s(64 * 8);
/** Attacks of a bishop and of a rook on an empty board: a cheap test before blockers are looked up. */
export const BISHOP_RAYS = u64s(64);
export const ROOK_RAYS = u64s(64);
/** Squares strictly between two squares on one line, else none: entry `a << 6 | b`. */
export const BETWEEN = u64s(64 * 64);
/** The whole line through two squares, from edge to edge, else none: entry `a << 6 | b`. */
export const LINE = u64s(64 * 64);
/** Moves of a king between two squares (Chebyshev's distance), looked up, which is faster than unpredictable branches: entry `a << 6 | b`. */
export const KING_DISTANCE = bytes(64 * 64);
