// The entries of the transposition table. In WebAssembly this is a module of its own, whose memory the threads share. Threads race on it
// unguarded; the key is stored XORed with the data (Hyatt and Mann), so that a torn entry does not match.

import { highBits, lowBits } from '../../board/bitboards/bitboard.js';
import { NO_MOVE } from '../../board/move.js';
import { loadInt, storeInt } from './tt-ints.js';
import { BOUND_EXACT, BOUND_NONE, BUCKET_INTS, ENTRIES, ENTRY_INTS, MAX_AGE } from './tt-memory.js';

// Entry: key ^ data ^ scores; data = move 16, depth 7, on a principal variation 1, bound 2, age 6; scores = score 16, static evaluation 16
let data: i32 = 0;
let scores: i32 = 0;

/** Looks a key up; tells whether there is an entry, which foundData and foundScores then return. */
export function findEntry(key: u64, bucketMask: i32): boolean {
  const check = highBits(key);
  let i = (lowBits(key) & bucketMask) * BUCKET_INTS;
  for (const end = i + ENTRIES * ENTRY_INTS; i < end; i += ENTRY_INTS) {
    data = loadInt(i + 1);
    scores = loadInt(i + 2);
    if ((loadInt(i) ^ data ^ scores) === check && ((data >>> 24) & 3) !== BOUND_NONE) return true;
  }
  return false;
}

/** Returns move, depth, bound and age of the entry found. */
export function foundData(): i32 {
  return data;
}

/** Returns score and static evaluation of the entry found. */
export function foundScores(): i32 {
  return scores;
}

/**
 * Stores what a search of the position found; an entry of a deeper or newer search is kept rather than one of an old one. `result` is
 * move, depth, whether it was on a principal variation, and bound as in an entry, `news` score and static evaluation.
 */
export function storeEntry(key: u64, bucketMask: i32, age: i32, result: i32, news: i32): void {
  const check = highBits(key);
  let i = (lowBits(key) & bucketMask) * BUCKET_INTS;
  let slot = i;
  let worst = 1 << 30;
  for (const end = i + ENTRIES * ENTRY_INTS; i < end; i += ENTRY_INTS) {
    const old = loadInt(i + 1);
    const depth = (old >>> 16) & 0x7f;
    const oldAge = (old >>> 26) & MAX_AGE;
    if ((loadInt(i) ^ old ^ loadInt(i + 2)) === check) {
      slot = i;
      // A shallow bound without news must not wipe out a deep entry, and a missing move not the known one
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
  storeInt(slot, check ^ entry ^ news);
  storeInt(slot + 1, entry);
  storeInt(slot + 2, news);
}
