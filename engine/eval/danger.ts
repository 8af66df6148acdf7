// The danger of a king: what an attack has gathered is one sum of weights, and this curve says what the sum is worth. It rises slowly at
// first, then with the square, and evenly where more attackers change little (as in Stockfish, Ethereal and Sirius; the numbers are ours).

import { egOf, mgOf, packScore } from './score.js';

/** The sum from which on the curve is a straight line. */
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
