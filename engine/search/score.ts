// Search scores: centipawns for the side to move. Scores of MATE_BOUND or more in absolute value encode the distance to mate in plies.

/** Longest line the search follows, in plies. */
export const MAX_PLY = 128;

export const DRAW = 0;
export const MATE = 32000;
/** Above any score. */
export const INFINITE = 32001;
/** Absence of a score. */
export const NO_SCORE = 32002;
/** Smallest absolute value of a mate score. */
export const MATE_BOUND = 31000;

/** Returns the score of mating at the ply. */
export function mateIn(ply: i32): i32 {
  return MATE - ply;
}

/** Returns the score of being mated at the ply. */
export function matedIn(ply: i32): i32 {
  return ply - MATE;
}

/** Returns the number of full moves to mate, negative when being mated; 0 when mated already. */
export function mateMoves(score: i32): i32 {
  return score > 0 ? (MATE - score + 1) >> 1 : -((MATE + score) >> 1);
}
