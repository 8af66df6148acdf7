// Knights, bishops, rooks and queens: fills the attack maps, and scores what a piece gains from what it sees. The maps grow in
// locals and are written once for each kind, as memory is read and checked anew at each access.

import { bishopIndex, KNIGHT_ATTACKS, rookIndex, SLIDER_ATTACKS } from '../board/attacks.js';
import { popcount } from '../board/bitboard.js';
import * as position from '../board/position.js';
import type { Color, PieceType } from '../board/types.js';
import * as types from '../board/types.js';
import * as attacks from './attack-map.js';
import { scoreBishopPost, scoreKnightPost, scorePosts, scoreRookPost } from './posts.js';
import * as terms from './terms.js';
import { count, tracing } from './trace.js';
import { weightVector } from './weight-vector.js';

const { ALL_BLACK, ALL_WHITE, bb } = position;
const { BISHOP, KNIGHT, QUEEN, ROOK } = types;
const {
  AREA_HI,
  AREA_LO,
  BY_ANY,
  BY_TWO,
  RING_ATTACKERS,
  RING_ATTACKS,
  RING_HI,
  RING_LO,
  attackMap: map,
  sides: side,
} = attacks;
const { BISHOP_MOBILITY, KING_ATTACKS, KNIGHT_MOBILITY, QUEEN_MOBILITY, ROOK_MOBILITY } = terms;

const W = weightVector;
const SLIDERS = SLIDER_ATTACKS;
const KNIGHTS = KNIGHT_ATTACKS;

/** Returns the packed score of all pieces of a side but pawns and king, and adds their attacks to its maps; `entry` is that of the pawn cache. */
export function scorePieces(us: Color, entry: number): number {
  const own = us << 4;
  const occLo = bb[ALL_WHITE] | bb[ALL_BLACK];
  const occHi = bb[ALL_WHITE + 1] | bb[ALL_BLACK + 1];
  const queensLo = bb[2 * QUEEN] | bb[2 * QUEEN + 16];
  const queensHi = bb[2 * QUEEN + 1] | bb[2 * QUEEN + 17];
  let score = scorePosts(us, entry) + scoreKnights(us, entry);
  score += scoreBishops(us, occLo & ~queensLo, occHi & ~queensHi, entry);
  score += scoreRooks(
    us,
    occLo & ~(queensLo | bb[own + 2 * ROOK]),
    occHi & ~(queensHi | bb[own + 2 * ROOK + 1]),
    entry,
  );
  return (score + scoreQueens(us, occLo, occHi)) | 0;
}

// What a piece gains from the squares it attacks: its mobility, and its pressure on the other king
function reach(us: Color, type: PieceType, mobilities: number, lo: number, hi: number): number {
  const own = us << 4;
  const mobility = mobilities + popcount(lo & side[own + AREA_LO], hi & side[own + AREA_HI]);
  if (tracing) count(us, mobility, 1);
  const ringLo = lo & side[(own ^ 16) + RING_LO];
  const ringHi = hi & side[(own ^ 16) + RING_HI];
  if ((ringLo | ringHi) === 0) return W[mobility];
  const attacks = popcount(ringLo, ringHi);
  side[own + RING_ATTACKERS]++;
  side[own + RING_ATTACKS] += attacks;
  if (tracing) count(us, KING_ATTACKS + type - KNIGHT, attacks);
  return W[mobility] + attacks * W[KING_ATTACKS + type - KNIGHT];
}

function scoreKnights(us: Color, entry: number): number {
  const own = us << 4;
  let lo = bb[own + 2 * KNIGHT];
  let hi = bb[own + 2 * KNIGHT + 1];
  let anyLo = map[own + BY_ANY];
  let anyHi = map[own + BY_ANY + 1];
  let twoLo = map[own + BY_TWO];
  let twoHi = map[own + BY_TWO + 1];
  let allLo = 0;
  let allHi = 0;
  let score = 0;
  while ((lo | hi) !== 0) {
    let square: number;
    if (lo !== 0) {
      square = 31 - Math.clz32(lo & -lo);
      lo &= lo - 1;
    } else {
      square = 63 - Math.clz32(hi & -hi);
      hi &= hi - 1;
    }
    const seenLo = KNIGHTS[2 * square];
    const seenHi = KNIGHTS[2 * square + 1];
    twoLo |= anyLo & seenLo;
    twoHi |= anyHi & seenHi;
    anyLo |= seenLo;
    anyHi |= seenHi;
    allLo |= seenLo;
    allHi |= seenHi;
    score += reach(us, KNIGHT, KNIGHT_MOBILITY, seenLo, seenHi);
    score += scoreKnightPost(us, square, seenLo, seenHi, entry);
  }
  map[own + 2 * KNIGHT] = allLo;
  map[own + 2 * KNIGHT + 1] = allHi;
  map[own + BY_ANY] = anyLo;
  map[own + BY_ANY + 1] = anyHi;
  map[own + BY_TWO] = twoLo;
  map[own + BY_TWO + 1] = twoHi;
  return score;
}

function scoreBishops(us: Color, occLo: number, occHi: number, entry: number): number {
  const own = us << 4;
  let lo = bb[own + 2 * BISHOP];
  let hi = bb[own + 2 * BISHOP + 1];
  let anyLo = map[own + BY_ANY];
  let anyHi = map[own + BY_ANY + 1];
  let twoLo = map[own + BY_TWO];
  let twoHi = map[own + BY_TWO + 1];
  let allLo = 0;
  let allHi = 0;
  let score = 0;
  while ((lo | hi) !== 0) {
    let square: number;
    if (lo !== 0) {
      square = 31 - Math.clz32(lo & -lo);
      lo &= lo - 1;
    } else {
      square = 63 - Math.clz32(hi & -hi);
      hi &= hi - 1;
    }
    const seen = bishopIndex(square, occLo, occHi);
    const seenLo = SLIDERS[seen];
    const seenHi = SLIDERS[seen + 1];
    twoLo |= anyLo & seenLo;
    twoHi |= anyHi & seenHi;
    anyLo |= seenLo;
    anyHi |= seenHi;
    allLo |= seenLo;
    allHi |= seenHi;
    score += reach(us, BISHOP, BISHOP_MOBILITY, seenLo, seenHi);
    score += scoreBishopPost(us, square, seenLo, seenHi, entry);
  }
  map[own + 2 * BISHOP] = allLo;
  map[own + 2 * BISHOP + 1] = allHi;
  map[own + BY_ANY] = anyLo;
  map[own + BY_ANY + 1] = anyHi;
  map[own + BY_TWO] = twoLo;
  map[own + BY_TWO + 1] = twoHi;
  return score;
}

function scoreRooks(us: Color, occLo: number, occHi: number, entry: number): number {
  const own = us << 4;
  let lo = bb[own + 2 * ROOK];
  let hi = bb[own + 2 * ROOK + 1];
  let anyLo = map[own + BY_ANY];
  let anyHi = map[own + BY_ANY + 1];
  let twoLo = map[own + BY_TWO];
  let twoHi = map[own + BY_TWO + 1];
  let allLo = 0;
  let allHi = 0;
  let score = 0;
  while ((lo | hi) !== 0) {
    let square: number;
    if (lo !== 0) {
      square = 31 - Math.clz32(lo & -lo);
      lo &= lo - 1;
    } else {
      square = 63 - Math.clz32(hi & -hi);
      hi &= hi - 1;
    }
    const seen = rookIndex(square, occLo, occHi);
    const seenLo = SLIDERS[seen];
    const seenHi = SLIDERS[seen + 1];
    twoLo |= anyLo & seenLo;
    twoHi |= anyHi & seenHi;
    anyLo |= seenLo;
    anyHi |= seenHi;
    allLo |= seenLo;
    allHi |= seenHi;
    score += reach(us, ROOK, ROOK_MOBILITY, seenLo, seenHi);
    score += scoreRookPost(us, square, seenLo, seenHi, entry);
  }
  map[own + 2 * ROOK] = allLo;
  map[own + 2 * ROOK + 1] = allHi;
  map[own + BY_ANY] = anyLo;
  map[own + BY_ANY + 1] = anyHi;
  map[own + BY_TWO] = twoLo;
  map[own + BY_TWO + 1] = twoHi;
  return score;
}

function scoreQueens(us: Color, occLo: number, occHi: number): number {
  const own = us << 4;
  let lo = bb[own + 2 * QUEEN];
  let hi = bb[own + 2 * QUEEN + 1];
  let anyLo = map[own + BY_ANY];
  let anyHi = map[own + BY_ANY + 1];
  let twoLo = map[own + BY_TWO];
  let twoHi = map[own + BY_TWO + 1];
  let allLo = 0;
  let allHi = 0;
  let score = 0;
  while ((lo | hi) !== 0) {
    let square: number;
    if (lo !== 0) {
      square = 31 - Math.clz32(lo & -lo);
      lo &= lo - 1;
    } else {
      square = 63 - Math.clz32(hi & -hi);
      hi &= hi - 1;
    }
    const straight = rookIndex(square, occLo, occHi);
    const oblique = bishopIndex(square, occLo, occHi);
    const seenLo = SLIDERS[straight] | SLIDERS[oblique];
    const seenHi = SLIDERS[straight + 1] | SLIDERS[oblique + 1];
    twoLo |= anyLo & seenLo;
    twoHi |= anyHi & seenHi;
    anyLo |= seenLo;
    anyHi |= seenHi;
    allLo |= seenLo;
    allHi |= seenHi;
    score += reach(us, QUEEN, QUEEN_MOBILITY, seenLo, seenHi);
  }
  map[own + 2 * QUEEN] = allLo;
  map[own + 2 * QUEEN + 1] = allHi;
  map[own + BY_ANY] = anyLo;
  map[own + BY_ANY + 1] = anyHi;
  map[own + BY_TWO] = twoLo;
  map[own + BY_TWO + 1] = twoHi;
  return score;
}
