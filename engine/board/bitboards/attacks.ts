// Slider attacks by obstruction difference (Michael Hoffmann). Along a line the nearest pieces on both sides are found by subtraction and
// counting zeros, from 4 KiB of masks.

import { LINE_MASKS } from './attack-tables.js';
import { highestBit, minus } from './bits.js';
import { A1 } from './masks.js';

/** Returns the squares that a rook on the square attacks, given the occupied squares. */
export function rookAttacks(square: Square, occupied: u64): u64 {
  const at = square << 3;
  return lineAttacks(at, occupied) | lineAttacks(at + 2, occupied);
}

/** Returns the squares that a bishop on the square attacks, given the occupied squares. */
export function bishopAttacks(square: Square, occupied: u64): u64 {
  const at = square << 3;
  return lineAttacks(at + 4, occupied) | lineAttacks(at + 6, occupied);
}

// From the highest piece below to the lowest one above; a1 or h8 stands in for none
function lineAttacks(at: i32, occupied: u64): u64 {
  const lower = LINE_MASKS[at];
  const upper = LINE_MASKS[at + 1];
  const above = occupied & upper;
  const below = highestBit((occupied & lower) | A1);
  return (above ^ minus(above, below)) & (lower | upper);
}
