// A score is a middlegame and an endgame value in centipawns packed into one integer, added and multiplied as one number:
// the endgame half sits in the upper sixteen bits and lends or borrows one when the lower half changes sign.

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

/** Phase of the full set of pieces; promotions do not raise it further. */
export const MAX_PHASE = 24;

/** Returns the value interpolated between middlegame and endgame by phase (24 to 0), rounded towards zero, as in Fruit. */
export function taper(mg: i32, eg: i32, phase: i32): i32 {
  return ((mg * phase + eg * (MAX_PHASE - phase)) / MAX_PHASE) | 0;
}
