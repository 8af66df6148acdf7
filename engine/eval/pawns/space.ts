// Space: room for pieces in the middle of a side's own camp. All but the enemy's pieces is a matter of pawns and kept with them.

import { popcount } from '../../board/bitboards/bitboard.js';
import { bb } from '../../board/position.js';
import { backward, pawnAttacks } from '../../board/sides.js';
import { PAWN, WHITE } from '../../board/types.js';
import { BY_ANY, attackMap as map } from '../attack-map.js';
import { BLACK_CAMP, WHITE_CAMP } from '../masks.js';
import { CAMP, pawnTable } from '../pawn-cache.js';
import { SPACE } from '../terms.js';
import { count } from '../trace.js';
import { TRACING } from '../tracing.js';
import { weightVector as W } from '../weights-in-use.js';

/** Returns the packed score of a side's camp as its pawns and the enemy's leave it, and keeps in the pawn cache what is behind own pawns. */
export function scoreCamp(us: Color, entry: i32): i32 {
  const pawns = bb[(us << 3) | PAWN];
  const camp = us === WHITE ? WHITE_CAMP : BLACK_CAMP;
  const safe = camp & ~(pawns | pawnAttacks(us ^ 1, bb[((us ^ 1) << 3) | PAWN]));
  // Up to three squares behind own pawns
  const once = backward(us, pawns);
  const twice = backward(us, once);
  pawnTable[entry + CAMP + us] = safe & (once | twice | backward(us, twice));
  const squares = popcount(safe);
  if (TRACING) count(us, SPACE, squares);
  return (squares * W[SPACE]) | 0;
}

/** Returns the packed score of the squares behind own pawns that no enemy piece attacks; all attacks must be known. */
export function scoreSpace(us: Color, entry: i32): i32 {
  const squares = popcount(pawnTable[entry + CAMP + us] & ~map[((us ^ 1) << 3) | BY_ANY]);
  if (TRACING) count(us, SPACE + 1, squares);
  return (squares * W[SPACE + 1]) | 0;
}
