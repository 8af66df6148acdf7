// Constant boards, and the attack tables, which attacks.ts fills. The build passes their values and addresses to AssemblyScript, which has
// no bigint literals.

import { regionOf } from '../../kernel/memory.js';

export const EMPTY = 0n;
export const FULL = 0xffff_ffff_ffff_ffffn;
export const A1 = 1n;

export const FILE_A = 0x0101_0101_0101_0101n;
export const FILE_H = FILE_A << 7n;
export const NOT_FILE_A = FULL ^ FILE_A;
export const NOT_FILE_H = FULL ^ FILE_H;

const RANK_1 = 0xffn;
export const RANK_2 = RANK_1 << 8n;
export const RANK_3 = RANK_1 << 16n;
export const RANK_6 = RANK_1 << 40n;
export const RANK_7 = RANK_1 << 48n;
const RANK_8 = RANK_1 << 56n;
/** The ranks on which pawns promote. */
export const LAST_RANKS = RANK_1 | RANK_8;

export const LOWER_HALF = 0xffff_ffffn;

/** a1 is dark. */
export const DARK_SQUARES = 0xaa55_aa55_aa55_aa55n;
export const LIGHT_SQUARES = FULL ^ DARK_SQUARES;

const { bytes, u64s } = regionOf('board/bitboards/tables');

/** Knight and king attacks by square. */
export const KNIGHT_ATTACKS = u64s(64);
export const KING_ATTACKS = u64s(64);
/** Squares that a pawn attacks: entry `color << 6 | square`. */
export const PAWN_ATTACKS = u64s(128);
/** For each square, the squares below and above it along its file, rank, diagonal and antidiagonal. */
export const LINE_MASKS = u64s(64 * 8);
/** Attacks of a bishop and of a rook on an empty board, for a cheap test before blockers are considered. */
export const DIAGONALS = u64s(64);
export const STRAIGHTS = u64s(64);
/** Squares strictly between two squares on one line, or none: entry `a << 6 | b`. */
export const BETWEEN = u64s(64 * 64);
/** The whole line through two squares, from edge to edge, or none: entry `a << 6 | b`. */
export const LINE = u64s(64 * 64);
/** King distance between two squares (Chebyshev), tabulated to avoid unpredictable branches: entry `a << 6 | b`. */
export const DISTANCE = bytes(64 * 64);
