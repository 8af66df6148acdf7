// King danger: a fixed curve from the sum of attack weights to centipawns. It rises slowly at
// first, then quadratically, and linearly beyond the knee (as in Stockfish, Ethereal and Sirius; the numbers are ours).

import { egOf, mgOf, packScore } from './score.js';

/** Sum beyond which the curve is linear. */
export const KNEE = 1024;

/** Returns what a sum of danger is worth in centipawns: an eighth of it, and the square of what is above zero over 2048 up to the knee. */
export function dangerValue(sum: i32): i32 {
  const danger = sum > 0 ? sum : 0;
  const bent = danger > KNEE ? KNEE : danger;
  return (256 * sum + bent * (2 * danger - bent)) >> 11;
}

/** Returns the packed score of a packed sum of danger. */
export function dangerScore(sum: i32): i32 {
  return packScore(dangerValue(mgOf(sum)), dangerValue(egOf(sum)));
}
