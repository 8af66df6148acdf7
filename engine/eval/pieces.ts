// Knights, bishops, rooks and queens: fills the attack maps, and scores what a piece gains from where it stands and what it sees.

import { bishopIndex, KNIGHT_ATTACKS, rookIndex, SLIDER_ATTACKS } from '../board/attacks.js';
import { popcount } from '../board/bitboard.js';
import * as position from '../board/position.js';
import type { Color, PieceType } from '../board/types.js';
import * as types from '../board/types.js';
import * as attacks from './attack-map.js';
import { scoreMinorPost, scoreRookPost } from './posts.js';
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

/** Where the mobility of each piece type begins among the terms. */
const MOBILITY = Int32Array.of(0, KNIGHT_MOBILITY, BISHOP_MOBILITY, ROOK_MOBILITY, QUEEN_MOBILITY);

/** Returns the packed score of all pieces of a side but pawns and king, and adds their attacks to its maps; `entry` is that of the pawn cache. */
export function scorePieces(us: Color, entry: number): number {
  const own = us << 4;
  const occLo = bb[ALL_WHITE] | bb[ALL_BLACK];
  const occHi = bb[ALL_WHITE + 1] | bb[ALL_BLACK + 1];
  const queensLo = bb[2 * QUEEN] | bb[2 * QUEEN + 16];
  const queensHi = bb[2 * QUEEN + 1] | bb[2 * QUEEN + 17];
  let score = scoreKnights(us, entry);
  score += scoreBishops(us, occLo & ~queensLo, occHi & ~queensHi, entry);
  score += scoreRooks(us, occLo & ~(queensLo | bb[own + 2 * ROOK]), occHi & ~(queensHi | bb[own + 2 * ROOK + 1]));
  return (score + scoreQueens(us, occLo, occHi)) | 0;
}

// A piece's attacks go into the maps, its mobility and its pressure on the other king into the score
function reach(us: Color, type: PieceType, lo: number, hi: number): number {
  const own = us << 4;
  const any = own + BY_ANY;
  const two = own + BY_TWO;
  map[two] |= map[any] & lo;
  map[two + 1] |= map[any + 1] & hi;
  map[any] |= lo;
  map[any + 1] |= hi;
  map[own + 2 * type] |= lo;
  map[own + 2 * type + 1] |= hi;

  const mobility = MOBILITY[type] + popcount(lo & side[own + AREA_LO], hi & side[own + AREA_HI]);
  let score = W[mobility];
  if (tracing) count(us, mobility, 1);

  const them = own ^ 16;
  const ringLo = lo & side[them + RING_LO];
  const ringHi = hi & side[them + RING_HI];
  if ((ringLo | ringHi) !== 0) {
    const attacks = popcount(ringLo, ringHi);
    side[own + RING_ATTACKERS]++;
    side[own + RING_ATTACKS] += attacks;
    score += attacks * W[KING_ATTACKS + type - KNIGHT];
    if (tracing) count(us, KING_ATTACKS + type - KNIGHT, attacks);
  }
  return score;
}

function scoreKnights(us: Color, entry: number): number {
  let score = 0;
  let lo = bb[(us << 4) + 2 * KNIGHT];
  let hi = bb[(us << 4) + 2 * KNIGHT + 1];
  while ((lo | hi) !== 0) {
    let square: number;
    if (lo !== 0) {
      square = 31 - Math.clz32(lo & -lo);
      lo &= lo - 1;
    } else {
      square = 63 - Math.clz32(hi & -hi);
      hi &= hi - 1;
    }
    const attacksLo = KNIGHTS[2 * square];
    const attacksHi = KNIGHTS[2 * square + 1];
    score += reach(us, KNIGHT, attacksLo, attacksHi);
    score += scoreMinorPost(us, KNIGHT, square, attacksLo, attacksHi, entry);
  }
  return score;
}

function scoreBishops(us: Color, occLo: number, occHi: number, entry: number): number {
  let score = 0;
  let lo = bb[(us << 4) + 2 * BISHOP];
  let hi = bb[(us << 4) + 2 * BISHOP + 1];
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
    const attacksLo = SLIDERS[seen];
    const attacksHi = SLIDERS[seen + 1];
    score += reach(us, BISHOP, attacksLo, attacksHi);
    score += scoreMinorPost(us, BISHOP, square, attacksLo, attacksHi, entry);
  }
  return score;
}

function scoreRooks(us: Color, occLo: number, occHi: number): number {
  let score = 0;
  let lo = bb[(us << 4) + 2 * ROOK];
  let hi = bb[(us << 4) + 2 * ROOK + 1];
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
    const attacksLo = SLIDERS[seen];
    const attacksHi = SLIDERS[seen + 1];
    score += reach(us, ROOK, attacksLo, attacksHi);
    score += scoreRookPost(us, square, attacksLo, attacksHi);
  }
  return score;
}

function scoreQueens(us: Color, occLo: number, occHi: number): number {
  let score = 0;
  let lo = bb[(us << 4) + 2 * QUEEN];
  let hi = bb[(us << 4) + 2 * QUEEN + 1];
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
    score += reach(us, QUEEN, SLIDERS[straight] | SLIDERS[oblique], SLIDERS[straight + 1] | SLIDERS[oblique + 1]);
  }
  return score;
}
