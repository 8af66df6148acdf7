// The endgame's factor: how much of an endgame value the side that it favours can be expected to make good, from a sum of weights that are
// 128ths of it. A sum of zero leaves the value as it is; nothing turns it round or makes more than twice as much of it.

import { max, min } from '../kernel/integers.js';

/** What a factor of 1 is, and the most that a sum takes from it or adds to it. */
export const WHOLE = 128;

/** What fits into a packed score, whatever the weights. */
const LIMIT = 32000;

/** Returns the endgame value in centipawns after the factor of the sum that belongs to the side it favours, rounded towards zero. */
export function scaledEndgame(eg: i32, sum: i32): i32 {
  const scaled = ((eg * (WHOLE + max(-WHOLE, min(WHOLE, sum)))) / WHOLE) | 0;
  return max(-LIMIT, min(LIMIT, scaled));
}
