// Freedom of the heavy pieces: squares that rooks and queens attack where no lesser enemy piece would drive them off.

import { popcount } from '../../board/bitboards/bitboard.js';
import { bb } from '../../board/position.js';
import { BISHOP, KNIGHT, QUEEN, ROOK } from '../../board/types.js';
import { min } from '../../kernel/integers.js';
import { AREA_HI, AREA_LO, attackMap as map, sides as side } from '../attack-map.js';
import { QUEEN_FREEDOM, ROOK_FREEDOM } from '../terms.js';
import { count, tracing } from '../trace.js';
import { weightVector as W } from '../weights-in-use.js';

/** The last place of the tables. */
const MOST = 27;

/** Returns the packed score of the squares that a side's rooks and queens may safely go to; all attacks must be known. */
export function scoreFreedom(us: Color): i32 {
  const them = (us ^ 1) << 4;
  const minorsLo = map[them + 2 * KNIGHT] | map[them + 2 * BISHOP];
  const minorsHi = map[them + 2 * KNIGHT + 1] | map[them + 2 * BISHOP + 1];
  return (
    freedomOf(us, ROOK, ROOK_FREEDOM, minorsLo, minorsHi) +
    freedomOf(us, QUEEN, QUEEN_FREEDOM, minorsLo | map[them + 2 * ROOK], minorsHi | map[them + 2 * ROOK + 1])
  );
}

// Of all pieces of a type together
function freedomOf(us: Color, type: PieceType, table: i32, lesserLo: i32, lesserHi: i32): i32 {
  const own = us << 4;
  const at = own + 2 * type;
  if ((bb[at] | bb[at + 1]) === 0) return 0;
  const lo = map[at] & side[own + AREA_LO] & ~lesserLo;
  const hi = map[at + 1] & side[own + AREA_HI] & ~lesserHi;
  const squares = table + min(MOST, popcount(lo, hi));
  if (tracing) count(us, squares, 1);
  return W[squares];
}
