// Reversible moves by their change of the key: two positions whose keys differ by such an entry
// are one move apart. repetition.ts fills and reads the table. (Method: Van Kervinck; a plain hash table instead of cuckoo hashing.)

import { regionOf } from '../kernel/memory.js';

const { int32s, u64s } = regionOf('board/reversal-table');

export const SLOTS = 1 << 14;
/** The change of the key by the move of each slot; zero where the slot is empty. */
export const reversalKeys = u64s(SLOTS);
/** The squares of the move as `a << 6 | b`. */
export const reversalSquares = int32s(SLOTS);
