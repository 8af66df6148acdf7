// Makes a transposition table where memory is short: that of the last table is released in the background, some time after it was dropped.

import { setHashSize } from '../engine.js';
import { sharedMemory } from '../kernel/memory.js';

/** Attempts after the first, and ms before each. */
const TRIES = 4;
const PAUSE_MS = 50;
const pause = new Int32Array(sharedMemory(4));

/** Makes a table of so many mebibytes; returns false if there is no memory for it. */
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

/** Makes a table of the first of the sizes (MiB) that there is memory for, and returns it; throws if there is none for any. */
export function makeTable(sizes: readonly number[], collect: () => void): number {
  const size = sizes.find((megabytes) => tryTable(megabytes, collect));
  if (size === undefined) throw new Error('could not allocate memory for a hash of 1 MB');
  return size;
}
