// The entries of the transposition table. In WebAssembly this is a separate module with memory shared by the threads. Threads access the
// entries without locks; the key is stored XORed with the data (Hyatt and Mann), so a torn entry does not match.

import { highBits, joined, lowBits } from '../../board/bitboards/bitboard.js';
import { EMPTY } from '../../board/bitboards/tables.js';
import { NO_MOVE } from '../../board/move-fields.js';
import { loadInt, storeInt } from './ints.js';
import { BOUND_EXACT, BOUND_NONE, BUCKET_ENTRIES, BUCKET_INTS, ENTRY_INTS, MAX_AGE } from './memory.js';

// Entry: key ^ data ^ scores; bits of data, lowest first: move 16, depth 7, on a principal variation 1, bound 2, age 6; of scores: score
// 16, static evaluation 16

/** Returns the entry of a key, data in the low and scores in the high 32 bits, or zero if there is none. */
export function findEntry(key: u64, bucketMask: i32): u64 {
  const check = highBits(key);
  let i = (lowBits(key) & bucketMask) * BUCKET_INTS;
  for (const end = i + BUCKET_ENTRIES * ENTRY_INTS; i < end; i += ENTRY_INTS) {
    const data = loadInt(i + 1);
    const scores = loadInt(i + 2);
    if ((loadInt(i) ^ data ^ scores) === check && ((data >>> 24) & 3) !== BOUND_NONE) return joined(data, scores);
  }
  return EMPTY;
}

/**
 * Stores the result of a search; entries of deeper and newer searches are replaced last. `result` holds move, depth, PV flag and bound, and
 * `scores` score and static evaluation, as in an entry.
 */
export function storeEntry(key: u64, bucketMask: i32, age: i32, result: i32, scores: i32): void {
  const check = highBits(key);
  let i = (lowBits(key) & bucketMask) * BUCKET_INTS;
  let slot = i;
  let worst = 1 << 30;
  for (const end = i + BUCKET_ENTRIES * ENTRY_INTS; i < end; i += ENTRY_INTS) {
    const old = loadInt(i + 1);
    const depth = (old >>> 16) & 0x7f;
    const oldAge = (old >>> 26) & MAX_AGE;
    if ((loadInt(i) ^ old ^ loadInt(i + 2)) === check) {
      slot = i;
      // A shallow bound must not replace a much deeper entry, and a missing move must not replace a known one
      if (((result >>> 24) & 3) !== BOUND_EXACT && oldAge === age && depth > ((result >>> 16) & 0x7f) + 4) return;
      if ((result & 0xffff) === NO_MOVE) result |= old & 0xffff;
      break;
    }
    const value = depth - 4 * ((age - oldAge) & MAX_AGE);
    if (value < worst) {
      worst = value;
      slot = i;
    }
  }
  const entry = result | (age << 26);
  storeInt(slot, check ^ entry ^ scores);
  storeInt(slot + 1, entry);
  storeInt(slot + 2, scores);
}
