// Space: room for pieces in the middle of a side's own camp. All but the enemy's pieces is a matter of pawns and kept with them.

import { backward, pawnAttacks, popcount } from '../../board/bitboards/bitboard.js';
import { bb } from '../../board/position.js';
import { PAWN, WHITE } from '../../board/types.js';
import { BY_ANY, attackMap as map } from '../attack-map.js';
import { BLACK_CAMP, WHITE_CAMP } from '../masks.js';
import { CAMP, pawnTable } from '../pawn-cache.js';
import { SPACE } from '../terms.js';
import { weigh } from '../trace.js';

/** Returns the packed score of a side's camp as its pawns and the enemy's leave it, and keeps in the pawn cache what is behind own pawns. */
export function scoreCamp(us: Color, entry: i32): i32 {
  const pawns = bb[(us << 3) | PAWN];
  const camp = us === WHITE ? WHITE_CAMP : BLACK_CAMP;
  const safe = camp & ~(pawns | pawnAttacks(us ^ 1, bb[((us ^ 1) << 3) | PAWN]));
  // Up to three squares behind own pawns
  const once = backward(us, pawns);
  const twice = backward(us, once);
  pawnTable[entry + CAMP + us] = safe & (once | twice | backward(us, twice));
  return weigh(us, SPACE, popcount(safe));
}

/** Returns the packed score of the squares behind own pawns that no enemy piece attacks; all attacks must be known. */
export function scoreSpace(us: Color, entry: i32): i32 {
  return weigh(us, SPACE + 1, popcount(pawnTable[entry + CAMP + us] & ~map[((us ^ 1) << 3) | BY_ANY]));
}
