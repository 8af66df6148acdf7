// Candidate features, which are not yet terms. countCandidate() counts them on the boards and attack maps of the last evaluation, and
// tuner/trace/candidate-features.ts names them in the same order. This file is also the entry point of trace.wasm, whose evaluation counts
// terms.

import { popcount } from '../board/bitboards/bitboard.js';
import { EMPTY, FILE_A, FILE_H, FULL, LOWER_HALF } from '../board/bitboards/tables.js';
import { officers } from '../board/placement.js';
import { bb } from '../board/position.js';
import { PAWN, WHITE } from '../board/types.js';
import { BLACK_CAMP, WHITE_CAMP } from './masks.js';
import { BY_ANY, BY_TWO, attackMap as map } from './workspace.js';

export { isKnownEndgame } from './endgame/endgame.js';
export { packedScore, tracedScore } from './evaluate.js';

/** Returns a side's count of a feature. For features of kind `scale`, the count is 1 if the side has the feature, otherwise 0. */
export function countCandidate(feature: i32, us: Color): i32 {
  const attacked = map[(us << 3) | BY_ANY];
  const pieces = officers(us);
  switch (feature) {
    case 0:
      return popcount(pieces & attacked);
    case 1: {
      const contested = map[((us ^ 1) << 3) | BY_TWO];
      return popcount(pieces & contested & ~map[(us << 3) | BY_TWO]);
    }
    case 2:
      return popcount(attacked & (us === WHITE ? FULL ^ LOWER_HALF : LOWER_HALF));
    case 3:
      return popcount(attacked & (WHITE_CAMP | BLACK_CAMP));
    case 4:
      return hasRookPawnsOnly(us) ? 1 : 0;
    default:
      return 0;
  }
}

// A defending king in the corner can often draw against rook pawns. No scale term covers this
function hasRookPawnsOnly(us: Color): boolean {
  const pawns = bb[(us << 3) | PAWN];
  return pawns !== EMPTY && (pawns & ~(FILE_A | FILE_H)) === EMPTY;
}
