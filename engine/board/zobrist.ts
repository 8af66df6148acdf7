// Zobrist keys of 64 bits from a fixed seed, so that keys are the same in every process.

import { regionOf } from '../kernel/memory.js';
import { createRandom } from '../kernel/random.js';

const { u64s } = regionOf('board/zobrist');

const random = createRandom(0x48656674);

function keys(count: number): BigUint64Array {
  const table = u64s(count);
  const words = new Uint32Array(table.buffer, table.byteOffset, 2 * count);
  for (let i = 0; i < words.length; i++) words[i] = random();
  return table;
}

/** Keys of a piece on a square: entry `piece << 6 | square`. */
export const PIECE_KEYS = keys(16 * 64);
/** Keys of the sixteen sets of castling rights. */
export const CASTLING_KEYS = keys(16);
/** Keys of the en-passant file. */
export const EP_KEYS = keys(8);
/** Key of Black to move. */
export const SIDE_KEY = keys(1);
