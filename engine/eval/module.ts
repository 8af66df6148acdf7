// The tuner's module, whose evaluation counts terms. Candidate features, which are not yet terms, are counted on the boards and attack maps
// of the last evaluation; tuner/trace/candidate-features.ts names them in the same order.

import { popcount } from '../board/bitboards/bitboard.js';
import { EMPTY, LIGHT_SQUARES } from '../board/bitboards/tables.js';
import { both, officers } from '../board/placement.js';
import { bb, kingSquare } from '../board/position.js';
import { BISHOP, BLACK, PAWN, WHITE } from '../board/types.js';
import { FLANKS } from './masks.js';
import { BY_ANY, BY_TWO, attackMap as map } from './workspace.js';

export { isKnownEndgame } from './endgame/endgame.js';
export { packedScore, tracedScore } from './evaluate.js';

/** Returns the count of a side's feature. */
export function countCandidate(feature: i32, us: Color): i32 {
  switch (feature) {
    case 0:
      return flankAttacks(us, BY_ANY);
    case 1:
      return flankAttacks(us, BY_TWO);
    case 2:
      return bb[(us << 3) | PAWN] === EMPTY ? 1 : 0;
    default:
      return hasOppositeBishops() ? 1 : 0;
  }
}

// Squares attacked on the files around the enemy king, in its half of the board
function flankAttacks(us: Color, by: i32): i32 {
  const flank = FLANKS[((us ^ 1) << 3) | (kingSquare[us ^ 1] & 7)];
  return popcount(map[(us << 3) | by] & flank);
}

// Whether each side has one bishop, on squares of different colours, and otherwise only pawns
function hasOppositeBishops(): boolean {
  if (!hasBishopOnly(WHITE) || !hasBishopOnly(BLACK)) return false;
  return popcount(both(BISHOP) & LIGHT_SQUARES) === 1;
}

function hasBishopOnly(us: Color): boolean {
  const bishops = bb[(us << 3) | BISHOP];
  return officers(us) === bishops && popcount(bishops) === 1;
}
