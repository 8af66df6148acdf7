// The factor of the endgame value: the share that the favoured side can be expected to realise. It comes from a sum of weights in
// units of 1/128. A sum of zero leaves the value unchanged; the factor stays between 0 and 2.

import { max, min } from '../kernel/integers.js';

/** A factor of 1, which is also the largest change by a sum. */
export const WHOLE = 128;

/** Range of a packed score's half. */
const LIMIT = 32000;

/** Returns the endgame value in centipawns after the factor of the sum that belongs to the side it favours, rounded towards zero. */
export function scaledEndgame(eg: i32, sum: i32): i32 {
  const scaled = ((eg * (WHOLE + max(-WHOLE, min(WHOLE, sum)))) / WHOLE) | 0;
  return max(-LIMIT, min(LIMIT, scaled));
}
