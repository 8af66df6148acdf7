// A score packs a middlegame and an endgame value, both in centipawns, into one integer, so both are added and multiplied at once. The
// endgame value is in the upper sixteen bits. It is one too low when the lower half is negative, which egOf() corrects.

import { max, min } from '../kernel/primitives.js';

/** Returns the packed score of the two values, each within ±32767. */
export function packScore(mg: i32, eg: i32): i32 {
  return ((eg << 16) + mg) | 0;
}

/** Returns the middlegame value of a packed score. */
export function mgOf(score: i32): i32 {
  return (score << 16) >> 16;
}

/** Returns the endgame value of a packed score. */
export function egOf(score: i32): i32 {
  return (score + 0x8000) >> 16;
}

/** Phase of the full set of pieces. The evaluation caps the higher phase after promotions at this value. */
export const MAX_PHASE = 24;

/** Returns the value interpolated between middlegame and endgame by phase (24 to 0), rounded towards zero, as in Fruit. */
export function taper(mg: i32, eg: i32, phase: i32): i32 {
  return ((mg * phase + eg * (MAX_PHASE - phase)) / MAX_PHASE) | 0;
}

// King danger: a fixed curve from the sum of attack weights to centipawns. It rises slowly at first, then quadratically (as in Stockfish,
// Ethereal and Sirius, but with different numbers), and linearly beyond the knee

/** Sum beyond which the curve is linear. */
export const KNEE = 1024;

/** Returns the centipawns for a danger sum: an eighth of it, plus its square over 2048 if it is positive; linear beyond the knee. */
export function dangerValue(sum: i32): i32 {
  const danger = sum > 0 ? sum : 0;
  const bent = danger > KNEE ? KNEE : danger;
  return (256 * sum + bent * (2 * danger - bent)) >> 11;
}

/** Returns the packed score for a packed danger sum. */
export function dangerScore(sum: i32): i32 {
  return packScore(dangerValue(mgOf(sum)), dangerValue(egOf(sum)));
}

// Endgame factor: the share of its lead that the favoured side is expected to convert. It is 1 plus a sum of weights in units of 1/128, and
// is limited to the range from 0 to 2

/** A factor of 1 in units of the sum. The sum is limited to this value in either direction. */
export const WHOLE = 128;

/** Maximum absolute endgame value after scaling, which still fits in a packed score. */
const LIMIT = 32000;

/**
 * Returns the endgame value in centipawns times the factor for `sum`, rounded towards zero. The sum is from the point of view of the side
 * that the value favours.
 */
export function scaledEndgame(eg: i32, sum: i32): i32 {
  const scaled = ((eg * (WHOLE + max(-WHOLE, min(WHOLE, sum)))) / WHOLE) | 0;
  return max(-LIMIT, min(LIMIT, scaled));
}
