// Knights, bishops, rooks and queens: fills the attack maps, and scores what a piece gains from what it sees. The maps grow in
// locals and are written once for each kind, as memory is read and checked anew at each access.

import { KNIGHT_ATTACKS as KNIGHTS } from '../../board/bitboards/attack-tables.js';
import { bishopAttacks, highHalf, lowHalf, rookAttacks } from '../../board/bitboards/attacks.js';
import { lowestSquare, popcount, withoutLowest } from '../../board/bitboards/bitboard.js';
import { ALL_BLACK, ALL_WHITE, bb } from '../../board/position.js';
import { BISHOP, KNIGHT, QUEEN, ROOK } from '../../board/types.js';
import {
  AREA_HI,
  AREA_LO,
  BY_ANY,
  BY_TWO,
  attackMap as map,
  RING_ATTACKERS,
  RING_DANGER,
  RING_HI,
  RING_LO,
  sides as side,
} from '../attack-map.js';
import {
  BISHOP_MOBILITY,
  DANGER_ATTACKERS,
  DANGER_RING,
  KNIGHT_MOBILITY,
  QUEEN_MOBILITY,
  ROOK_MOBILITY,
} from '../terms.js';
import { count, countDanger, tracing } from '../trace.js';
import { weightVector as W } from '../weights-in-use.js';
import { scoreBishopPost, scoreKnightPost, scorePosts, scoreRookPost } from './piece-terms.js';

/** Returns the packed score of all pieces of a side but pawns and king, and adds their attacks to its maps; `entry` is that of the pawn cache. */
export function scorePieces(us: Color, entry: i32): i32 {
  const own = us << 4;
  const occLo = bb[ALL_WHITE] | bb[ALL_BLACK];
  const occHi = bb[ALL_WHITE + 1] | bb[ALL_BLACK + 1];
  const queensLo = bb[2 * QUEEN] | bb[2 * QUEEN + 16];
  const queensHi = bb[2 * QUEEN + 1] | bb[2 * QUEEN + 17];
  const rooksLo = bb[own + 2 * ROOK];
  const rooksHi = bb[own + 2 * ROOK + 1];
  return (
    scorePosts(us, entry) +
    scoreType(us, KNIGHT, KNIGHT_MOBILITY, occLo, occHi, entry) +
    scoreType(us, BISHOP, BISHOP_MOBILITY, occLo & ~queensLo, occHi & ~queensHi, entry) +
    scoreType(us, ROOK, ROOK_MOBILITY, occLo & ~(queensLo | rooksLo), occHi & ~(queensHi | rooksHi), entry) +
    scoreType(us, QUEEN, QUEEN_MOBILITY, occLo, occHi, entry)
  );
}

// What a piece gains from the squares it attacks: its mobility, and its pressure on the other king
function reach(us: Color, type: PieceType, mobilities: i32, lo: i32, hi: i32): i32 {
  const own = us << 4;
  const mobility = mobilities + popcount(lo & side[own + AREA_LO], hi & side[own + AREA_HI]);
  if (tracing) count(us, mobility, 1);
  const ringLo = lo & side[(own ^ 16) + RING_LO];
  const ringHi = hi & side[(own ^ 16) + RING_HI];
  if ((ringLo | ringHi) === 0) return W[mobility];
  const attacks = popcount(ringLo, ringHi);
  side[own + RING_ATTACKERS]++;
  const at = type - KNIGHT;
  side[own + RING_DANGER] += W[DANGER_ATTACKERS + at] + attacks * W[DANGER_RING + at];
  if (tracing) {
    countDanger(us, DANGER_ATTACKERS + at, 1);
    countDanger(us, DANGER_RING + at, attacks);
  }
  return W[mobility];
}

// One kind of piece: its attacks go into the maps, which grow in locals and are written once
function scoreType(us: Color, type: PieceType, mobilities: i32, occLo: i32, occHi: i32, entry: i32): i32 {
  const own = us << 4;
  let lo = bb[own + 2 * type];
  let hi = bb[own + 2 * type + 1];
  let anyLo = map[own + BY_ANY];
  let anyHi = map[own + BY_ANY + 1];
  let twoLo = map[own + BY_TWO];
  let twoHi = map[own + BY_TWO + 1];
  let allLo = 0;
  let allHi = 0;
  let score = 0;
  while ((lo | hi) !== 0) {
    const square = lowestSquare(lo, hi);
    hi = withoutLowest(lo, hi);
    lo &= lo - 1;
    let seenLo = 0;
    let seenHi = 0;
    if (type === KNIGHT) {
      seenLo = KNIGHTS[2 * square];
      seenHi = KNIGHTS[2 * square + 1];
    }
    if (type === BISHOP || type === QUEEN) {
      const oblique = bishopAttacks(square, occLo, occHi);
      seenLo = lowHalf(oblique);
      seenHi = highHalf(oblique);
    }
    if (type === ROOK || type === QUEEN) {
      const straight = rookAttacks(square, occLo, occHi);
      seenLo |= lowHalf(straight);
      seenHi |= highHalf(straight);
    }
    twoLo |= anyLo & seenLo;
    twoHi |= anyHi & seenHi;
    anyLo |= seenLo;
    anyHi |= seenHi;
    allLo |= seenLo;
    allHi |= seenHi;
    score += reach(us, type, mobilities, seenLo, seenHi);
    if (type === KNIGHT) score += scoreKnightPost(us, square, seenLo, seenHi, entry);
    else if (type === BISHOP) score += scoreBishopPost(us, square, seenLo, seenHi, entry);
    else if (type === ROOK) score += scoreRookPost(us, square, seenLo, seenHi, entry);
  }
  map[own + 2 * type] = allLo;
  map[own + 2 * type + 1] = allHi;
  map[own + BY_ANY] = anyLo;
  map[own + BY_ANY + 1] = anyHi;
  map[own + BY_TWO] = twoLo;
  map[own + BY_TWO + 1] = twoHi;
  return score;
}
