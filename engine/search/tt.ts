// The transposition table: three integers an entry, five entries a bucket of 64 bytes (one cache line), in plain shared memory.
// Threads race on it unguarded; the key is stored XORed with the data (Hyatt and Mann), so that a torn entry does not match.

import { type Move, NO_MOVE } from '../board/move.js';
import { KEY_HI, KEY_LO, state as scalars } from '../board/position.js';
import { MATE_BOUND } from './score.js';

const state = scalars;

/** Size in mebibytes unless another is asked for. */
export const DEFAULT_HASH = 16;

export const BOUND_NONE = 0;
export const BOUND_UPPER = 1;
export const BOUND_LOWER = 2;
export const BOUND_EXACT = 3;

const BUCKET_INTS = 16;
const ENTRIES = 5;
const ENTRY_INTS = 3;
// Entry: key ^ data ^ scores; data = move 16, depth 8, bound 2, age 6; scores = score 16, static evaluation 16
const MAX_AGE = 63;

const tt: { table: Int32Array<SharedArrayBuffer>; bucketMask: number; age: number } = {
  table: new Int32Array(new SharedArrayBuffer(0)),
  bucketMask: 0,
  age: 0,
};

/** Number of bytes of a table of at most so many mebibytes: the largest power of two of buckets. */
function bytesFor(megabytes: number): number {
  return 2 ** Math.floor(Math.log2((megabytes * 2 ** 20) / (4 * BUCKET_INTS))) * 4 * BUCKET_INTS;
}

/** Makes the search use this memory, which other threads may use as well. */
export function useTable(memory: SharedArrayBuffer): void {
  tt.table = new Int32Array(memory);
  tt.bucketMask = tt.table.length / BUCKET_INTS - 1;
  tt.age = 0;
}

/** Lets go of the memory in use; nothing may be searched before setHashSize or useTable. */
export function dropTable(): void {
  useTable(new SharedArrayBuffer(0));
}

/** Replaces the table by an empty one of the size in mebibytes. */
export function setHashSize(megabytes: number): void {
  dropTable();
  useTable(new SharedArrayBuffer(bytesFor(megabytes)));
}

/** Returns the memory in use, to be shared with other threads through useTable. */
export function tableMemory(): SharedArrayBuffer {
  return tt.table.buffer;
}

/** Forgets all entries. */
export function clearTable(): void {
  tt.table.fill(0);
  tt.age = 0;
}

/** Begins a new search: entries of earlier ones become cheaper to replace. */
export function ageTable(): void {
  tt.age = (tt.age + 1) & MAX_AGE;
}

/** Returns the number of the present search, modulo 64. */
export function tableAge(): number {
  return tt.age;
}

/** Makes this thread's entries as new as those of the thread whose tableAge it is. */
export function setTableAge(age: number): void {
  tt.age = age;
}

/** Returns how full the table is with entries of this search, per mille, from a sample. */
export function hashfull(): number {
  const { table, age } = tt;
  const buckets = Math.min(200, table.length / BUCKET_INTS);
  let used = 0;
  for (let b = 0; b < buckets; b++) {
    for (let e = 0; e < ENTRIES; e++) {
      const data = table[b * BUCKET_INTS + e * ENTRY_INTS + 1];
      if (((data >>> 24) & 3) !== BOUND_NONE && data >>> 26 === age) used++;
    }
  }
  return buckets === 0 ? 0 : Math.floor((1000 * used) / (buckets * ENTRIES));
}

/** The entry that probe() found: what the table knows of the position, scores already counted from the present ply. */
export const hit = { move: NO_MOVE as Move, depth: 0, bound: BOUND_NONE, score: 0, staticEval: 0 };

/** Looks the position up and fills `hit`; tells whether there was an entry. */
export function probe(ply: number): boolean {
  const table = tt.table;
  const keyHi = state[KEY_HI];
  let i = (state[KEY_LO] & tt.bucketMask) * BUCKET_INTS;
  for (const end = i + ENTRIES * ENTRY_INTS; i < end; i += ENTRY_INTS) {
    const data = table[i + 1];
    const scores = table[i + 2];
    if ((table[i] ^ data ^ scores) !== keyHi || ((data >>> 24) & 3) === BOUND_NONE) continue;
    hit.move = data & 0xffff;
    hit.depth = (data >>> 16) & 0xff;
    hit.bound = (data >>> 24) & 3;
    hit.score = scoreFromTable((scores << 16) >> 16, ply);
    hit.staticEval = scores >> 16;
    return true;
  }
  hit.move = NO_MOVE;
  hit.bound = BOUND_NONE;
  return false;
}

/** Stores what a search of the position found; an entry of a deeper or newer search is kept rather than one of an old one. */
export function store(move: Move, depth: number, bound: number, score: number, staticEval: number, ply: number): void {
  const table = tt.table;
  const keyHi = state[KEY_HI];
  let i = (state[KEY_LO] & tt.bucketMask) * BUCKET_INTS;
  let slot = i;
  let worst = 1 << 30;
  for (const end = i + ENTRIES * ENTRY_INTS; i < end; i += ENTRY_INTS) {
    const data = table[i + 1];
    if ((table[i] ^ data ^ table[i + 2]) === keyHi) {
      slot = i;
      // A shallow bound without news must not wipe out a deep entry, and a missing move not the known one
      const isSame = data >>> 26 === tt.age;
      if (bound !== BOUND_EXACT && isSame && ((data >>> 16) & 0xff) > depth + 4) return;
      if (move === NO_MOVE) move = data & 0xffff;
      break;
    }
    const value = ((data >>> 16) & 0xff) - 4 * ((tt.age - (data >>> 26)) & MAX_AGE);
    if (value < worst) {
      worst = value;
      slot = i;
    }
  }
  const data = move | (depth << 16) | (bound << 24) | (tt.age << 26);
  const scores = (scoreToTable(score, ply) & 0xffff) | (staticEval << 16);
  table[slot] = keyHi ^ data ^ scores;
  table[slot + 1] = data;
  table[slot + 2] = scores;
}

// In the table a mate is counted from the position itself, not from the root
function scoreToTable(score: number, ply: number): number {
  return score >= MATE_BOUND ? score + ply : score <= -MATE_BOUND ? score - ply : score;
}

function scoreFromTable(score: number, ply: number): number {
  return score >= MATE_BOUND ? score - ply : score <= -MATE_BOUND ? score + ply : score;
}
