// Types that every file of the kernel uses without importing them, because AssemblyScript has no `import type`. For AssemblyScript, all but
// the built-in i32, u64 and f64 are declared in wasm/globals.ts.

/** A 32-bit integer. In JavaScript, it is a number; results are kept within 32 bits, if necessary with `| 0`. */
type i32 = number;
/** An unsigned 64-bit integer: a board or a key. In JavaScript, it is a bigint. engine/README.md has the conventions. */
type u64 = bigint;
/** A double. */
type f64 = number;

/** Tables in the kernel's memory (memory.ts): bytes, 16-bit and 32-bit integers, boards and keys, doubles. */
type U8s = Uint8Array;
type I16s = Int16Array;
type I32s = Int32Array;
type U64s = BigUint64Array;
type F64s = Float64Array;

/** WHITE or BLACK (board/types.ts). */
type Color = i32;
/** `type | color << 3`, or NO_PIECE. */
type Piece = i32;
/** PAWN to KING. */
type PieceType = i32;
/** a1 = 0, b1 = 1, … h8 = 63. */
type Square = i32;
/** A packed move (board/move.ts). */
type Move = i32;
