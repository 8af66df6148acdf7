// Freedom of rooks and queens: attacked squares that no lesser enemy piece attacks.

import { popcount } from '../../board/bitboards/bitboard.js';
import { EMPTY } from '../../board/bitboards/masks.js';
import { bb } from '../../board/position.js';
import { BISHOP, KNIGHT, QUEEN, ROOK } from '../../board/types.js';
import { min } from '../../kernel/integers.js';
import { AREA, attackMap as map, sideBoards } from '../attack-map.js';
import { QUEEN_FREEDOM, ROOK_FREEDOM } from '../terms.js';
import { weigh } from '../trace.js';

/** The last place of the tables. */
const MAX = 27;

/** Returns the packed score of the squares that a side's rooks and queens may safely go to; all attacks must be known. */
export function scoreFreedom(us: Color): i32 {
  const them = (us ^ 1) << 3;
  const minors = map[them | KNIGHT] | map[them | BISHOP];
  return freedomOf(us, ROOK, ROOK_FREEDOM, minors) + freedomOf(us, QUEEN, QUEEN_FREEDOM, minors | map[them | ROOK]);
}

// Of all pieces of a type together
function freedomOf(us: Color, type: PieceType, table: i32, lesser: u64): i32 {
  const piece = (us << 3) | type;
  if (bb[piece] === EMPTY) return 0;
  const squares = table + min(MAX, popcount(map[piece] & sideBoards[AREA + us] & ~lesser));
  return weigh(us, squares, 1);
}
