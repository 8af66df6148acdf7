// Zobrist keys of 64 bits in two halves, from a fixed seed, so that keys are the same in every process.

import { regionOf } from '../kernel/memory.js';
import { createRandom } from '../kernel/random.js';

const { int32sOf } = regionOf('board/zobrist');

const random = createRandom(0x48656674);

function keys(count: number): Int32Array {
  return int32sOf(Array.from({ length: 2 * count }, () => random() | 0));
}

/** Keys of a piece on a square: entry `2 * (piece << 6 | square)`. */
export const PIECE_KEYS = keys(16 * 64);
/** Keys of the sixteen sets of castling rights. */
export const CASTLING_KEYS = keys(16);
/** Keys of the en-passant file. */
export const EP_KEYS = keys(8);
/** Key of Black to move. */
export const SIDE_KEY = keys(1);
