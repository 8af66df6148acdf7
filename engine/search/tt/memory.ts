// The memory of the transposition table: its size, sharing, age and fill level. Unlike the kernel's memory, it is shared by all threads.

import { highBits, lowBits } from '../../board/bitboards/bitboard.js';
import { NO_MOVE } from '../../board/move.js';
import { fieldsOf, regionOf } from '../../kernel/memory.js';
import { sharedMemory } from '../../kernel/primitives.js';

const { int32s } = regionOf('search/tt/memory');

export const BOUND_NONE = 0;
export const BOUND_UPPER = 1;
export const BOUND_LOWER = 2;
export const BOUND_EXACT = 3;

/** Three integers per entry, five entries per bucket of 64 bytes, one cache line. */
export const BUCKET_INTS = 16;
export const BUCKET_ENTRIES = 5;
export const ENTRY_INTS = 3;
/** Ages count modulo 64. */
export const MAX_AGE = 63;

/** The entry found by probe(): scores in centipawns for the side to move, mate scores relative to the root. */
export const hit = fieldsOf(int32s, { move: NO_MOVE, depth: 0, bound: BOUND_NONE, score: 0, staticEval: 0, isPv: 0 });

/** Age of new entries, and the mask that turns a key into a bucket number. */
export const tableState = fieldsOf(int32s, { age: 0, bucketMask: 0 });

/** A table's memory, shared between threads; a WebAssembly memory up to 4 GiB. */
export type TableMemory = WebAssembly.Memory | SharedArrayBuffer;

const PAGE_BYTES = 1 << 16;
const MAX_WASM_BYTES = 2 ** 32;
const CLEARED_AT_ONCE = 2 ** 30;

/** Sets bytes to zero; slow, because V8 fills shared memory element by element. */
export function clearInts(start: number, length: number): void {
  table.ints.fill(0, start / 4, (start + length) / 4);
}

/** The table in use. Other threads share its memory through useTable. */
export const table = {
  memory: sharedMemory(0) as TableMemory,
  ints: new Int32Array(0) as Int32Array,
  /** Called after a change of memory. */
  onChange: (): void => {},
  /** Sets bytes to zero: clearInts, or the compiled kernel's function. */
  clear: clearInts,
};

function allocate(megabytes: number): TableMemory {
  // A power of two, so a mask turns a key into a bucket
  const bytes = 2 ** Math.floor(Math.log2(megabytes * 2 ** 20));
  if (bytes > MAX_WASM_BYTES) return sharedMemory(bytes);
  const pages = bytes / PAGE_BYTES;
  return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
}

/** Makes the search use this memory, possibly shared with other threads. */
export function useTable(memory: TableMemory): void {
  table.memory = memory;
  table.ints = new Int32Array('buffer' in memory ? memory.buffer : memory);
  tableState.bucketMask = table.ints.length / BUCKET_INTS - 1;
  tableState.age = 0;
  table.onChange();
}

/** Releases the memory; call setHashSize or useTable before the next search. */
export function dropTable(): void {
  useTable(sharedMemory(0));
}

/** Replaces the table with an empty one of this size in MiB, rounded down to a power of two. */
export function setHashSize(megabytes: number): void {
  dropTable();
  useTable(allocate(megabytes));
}

/** Clears all entries. */
export function clearTable(): void {
  const { byteLength } = table.ints;
  for (let start = 0; start < byteLength; start += CLEARED_AT_ONCE) {
    table.clear(start, Math.min(CLEARED_AT_ONCE, byteLength - start));
  }
  tableState.age = 0;
}

/** Removes the entry of a position. */
export function dropEntry(key: u64): void {
  const { ints } = table;
  const bucket = (lowBits(key) & tableState.bucketMask) * BUCKET_INTS;
  for (let i = bucket; i < bucket + BUCKET_ENTRIES * ENTRY_INTS; i += ENTRY_INTS) {
    if ((ints[i] ^ ints[i + 1] ^ ints[i + 2]) === highBits(key)) ints.fill(0, i, i + ENTRY_INTS);
  }
}

/** Starts a new age: entries of earlier searches become cheaper to replace. */
export function ageTable(): void {
  tableState.age = (tableState.age + 1) & MAX_AGE;
}

/** Returns the share of entries written by this search, per mille, from a sample. */
export function hashfull(): number {
  const { ints } = table;
  const buckets = Math.min(200, ints.length / BUCKET_INTS);
  let used = 0;
  for (let b = 0; b < buckets; b++) {
    for (let e = 0; e < BUCKET_ENTRIES; e++) {
      const data = ints[b * BUCKET_INTS + e * ENTRY_INTS + 1];
      if (((data >>> 24) & 3) !== BOUND_NONE && data >>> 26 === tableState.age) used++;
    }
  }
  return buckets === 0 ? 0 : Math.floor((1000 * used) / (buckets * BUCKET_ENTRIES));
}

// Memory may be short for a moment, because the memory of the previous table is released in the background

/** Number of retries, and the pause in ms before each. */
const TRIES = 4;
const PAUSE_MS = 50;
const pause = new Int32Array(sharedMemory(4));

/** Allocates a table of this many MiB; returns false if there is not enough memory. */
export function tryTable(size: number, collect: () => void): boolean {
  for (let tries = 0; tries <= TRIES; tries++) {
    try {
      setHashSize(size);
      return true;
    } catch {
      collect();
      if (typeof SharedArrayBuffer !== 'undefined') Atomics.wait(pause, 0, 0, PAUSE_MS);
    }
  }
  return false;
}

/** Allocates a table of the first size (MiB) that fits, and returns this size; throws if none fits. */
export function makeTable(sizes: readonly number[], collect: () => void): number {
  const size = sizes.find((megabytes) => tryTable(megabytes, collect));
  if (size === undefined) throw new Error('could not allocate memory for a hash of 1 MB');
  return size;
}
