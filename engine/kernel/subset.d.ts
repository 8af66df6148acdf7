// Types that every file of the kernel knows without importing them: AssemblyScript has no `import type`. For AssemblyScript they are
// declared in assemblyscript/globals.ts.

/** A 32-bit integer. In JavaScript a number whose operations stay within 32 bits, or are cut back by `| 0`. */
type i32 = number;
/** A double. */
type f64 = number;

/** Tables in the kernel's memory (memory.ts): bytes, 16-bit and 32-bit integers, doubles. */
type U8s = Uint8Array;
type I16s = Int16Array;
type I32s = Int32Array;
type F64s = Float64Array;

type Color = import('../board/types.js').Color;
type Piece = import('../board/types.js').Piece;
type PieceType = import('../board/types.js').PieceType;
type Square = import('../board/types.js').Square;
type Move = import('../board/move.js').Move;
