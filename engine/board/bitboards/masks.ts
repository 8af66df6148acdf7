// Constant boards. AssemblyScript has no literals of bigint, so every constant board of the kernel stands in ordinary TypeScript.

export const EMPTY = 0n;
export const FULL = 0xffff_ffff_ffff_ffffn;
export const A1 = 1n;

export const FILE_A = 0x0101_0101_0101_0101n;
export const FILE_H = FILE_A << 7n;
export const NOT_FILE_A = FULL ^ FILE_A;
export const NOT_FILE_H = FULL ^ FILE_H;

export const RANK_1 = 0xffn;
export const RANK_2 = RANK_1 << 8n;
export const RANK_3 = RANK_1 << 16n;
export const RANK_6 = RANK_1 << 40n;
export const RANK_7 = RANK_1 << 48n;
export const RANK_8 = RANK_1 << 56n;
/** The ranks on which pawns promote. */
export const LAST_RANKS = RANK_1 | RANK_8;

export const LOWER_HALF = 0xffff_ffffn;
export const UPPER_HALF = FULL ^ LOWER_HALF;

/** a1 is dark. */
export const DARK_SQUARES = 0xaa55_aa55_aa55_aa55n;
export const LIGHT_SQUARES = FULL ^ DARK_SQUARES;
