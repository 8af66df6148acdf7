// Types that every file of the kernel knows without importing them: AssemblyScript has no `import type`. For AssemblyScript they are
// declared in wasm/globals.ts.

/** A 32-bit integer. In JavaScript a number whose operations stay within 32 bits, or are cut back by `| 0`. */
type i32 = number;
/** A double. */
type f64 = number;

/** Tables in the kernel's memory (memory.ts): bytes, 16-bit and 32-bit integers, doubles. */
type U8s = Uint8Array;
type I16s = Int16Array;
type I32s = Int32Array;
type F64s = Float64Array;

/** The vocabulary of board/types.ts and board/move.ts: WHITE or BLACK, `type | color << 3`, PAWN to KING, a1 = 0 to h8 = 63, a packed move. */
type Color = i32;
type Piece = i32;
type PieceType = i32;
type Square = i32;
type Move = i32;

/** What a slider attacks: where it lies in a table. In AssemblyScript a whole bitboard. */
type Attacks = i32;
