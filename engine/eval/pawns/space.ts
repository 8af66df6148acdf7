// Space: room for pieces in the middle of a side's own camp. All but the enemy's pieces is a matter of pawns and kept with them.

import { popcount } from '../../board/bitboards/bitboard.js';
import { bb } from '../../board/position.js';
import { WHITE } from '../../board/types.js';
import { BY_ANY, attackMap as map } from '../attack-map.js';
import { CAMP, pawnTable as table } from '../pawn-cache.js';
import { SPACE } from '../terms.js';
import { count, tracing } from '../trace.js';
import { weightVector as W } from '../weights-in-use.js';

/** Files c to f on the second to fourth rank, in the half where a side's camp is. */
const WHITE_CAMP = 0x3c3c3c00;
const BLACK_CAMP = 0x003c3c3c;

/** Returns the packed score of a side's camp as its pawns and the enemy's leave it, and keeps in the pawn cache what is behind own pawns. */
export function scoreCamp(us: Color, entry: i32): i32 {
  const own = us << 4;
  const them = own ^ 16;
  const lo = bb[own];
  const hi = bb[own + 1];
  const safe = (us === WHITE ? WHITE_CAMP : BLACK_CAMP) & ~bb[own + us] & ~pawnAttacks(us ^ 1, bb[them], bb[them + 1]);
  // Up to three squares behind own pawns
  const behind =
    us === WHITE
      ? (lo >>> 8) | (lo >>> 16) | (lo >>> 24) | (hi << 24) | (hi << 16) | (hi << 8)
      : (hi << 8) | (hi << 16) | (hi << 24) | (lo >>> 24) | (lo >>> 16) | (lo >>> 8);
  table[entry + CAMP + us] = safe & behind;
  const squares = popcount(safe, 0);
  if (tracing) count(us, SPACE, squares);
  return (squares * W[SPACE]) | 0;
}

/** Squares that a side's pawns attack in the half that is the other side's own. */
function pawnAttacks(us: Color, lo: i32, hi: i32): i32 {
  const besideLo = ((lo & 0x7f7f7f7f) << 1) | ((lo & ~0x01010101) >>> 1);
  const besideHi = ((hi & 0x7f7f7f7f) << 1) | ((hi & ~0x01010101) >>> 1);
  return us === WHITE ? (besideHi << 8) | (besideLo >>> 24) : (besideLo >>> 8) | (besideHi << 24);
}

/** Returns the packed score of the squares behind own pawns that no enemy piece attacks; all attacks must be known. */
export function scoreSpace(us: Color, entry: i32): i32 {
  const squares = popcount(table[entry + CAMP + us] & ~map[((us ^ 1) << 4) + BY_ANY + us], 0);
  if (tracing) count(us, SPACE + 1, squares);
  return (squares * W[SPACE + 1]) | 0;
}
