// Looks up which move can lead from one position back to another, by the difference of their keys.

import { reversals, SLOTS, STRIDE } from './reversal-table.js';

/** Returns the two squares (`a << 6 | b`) of the move that changes a key by so much, or -1 when none does. */
export function reversalOf(lo: i32, hi: i32): i32 {
  let entry = STRIDE * (lo & (SLOTS - 1));
  while (reversals[entry + 2] !== -1 && (reversals[entry] !== lo || reversals[entry + 1] !== hi)) {
    entry = entry === STRIDE * (SLOTS - 1) ? 0 : entry + STRIDE;
  }
  return reversals[entry + 2];
}
