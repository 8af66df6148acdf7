// King safety: what a side has gathered against the other king, and how open the own king stands. Danger grows faster than the
// number of attackers; tables by count keep that and the linearity of the evaluation.

import { bishopIndex, KNIGHT_ATTACKS, rookIndex, SLIDER_ATTACKS } from '../board/attacks.js';
import { popcount } from '../board/bitboard.js';
import * as position from '../board/position.js';
import type { Color } from '../board/types.js';
import * as types from '../board/types.js';
import * as attacks from './attack-map.js';
import * as terms from './terms.js';
import { count, tracing } from './trace.js';
import { weightVector } from './weight-vector.js';

const { ALL_BLACK, ALL_WHITE, KING_SQUARE, bb, state } = position;
const { BISHOP, KING, KNIGHT, QUEEN, ROOK } = types;
const { BY_ANY, BY_TWO, RING_ATTACKERS, RING_ATTACKS, RING_HI, RING_LO, attackMap: map, sides: side } = attacks;
const { KING_ATTACKERS, KING_CHECKS, KING_DANGER, KING_LINES, KING_WEAK } = terms;

const W = weightVector;
const SLIDERS = SLIDER_ATTACKS;
const KNIGHTS = KNIGHT_ATTACKS;

/** Returns the packed score of a side's attack on the other king; all attacks must be known. */
export function scoreKingAttack(us: Color): number {
  const own = us << 4;
  const them = own ^ 16;
  const attackers = side[own + RING_ATTACKERS];
  const theirLo = map[them + BY_ANY];
  const theirHi = map[them + BY_ANY + 1];

  // Squares we attack that they hold with no more than king or queen
  const weakLo = map[own + BY_ANY] & ~map[them + BY_TWO] & (~theirLo | map[them + 2 * KING] | map[them + 2 * QUEEN]);
  const weakHi =
    map[own + BY_ANY + 1] & ~map[them + BY_TWO + 1] & (~theirHi | map[them + 2 * KING + 1] | map[them + 2 * QUEEN + 1]);

  // Checks that they cannot simply take
  const safeLo = ~bb[ALL_WHITE + own] & (~theirLo | (weakLo & map[own + BY_TWO]));
  const safeHi = ~bb[ALL_WHITE + own + 1] & (~theirHi | (weakHi & map[own + BY_TWO + 1]));
  const king = state[KING_SQUARE + (us ^ 1)];
  const occLo = bb[ALL_WHITE] | bb[ALL_BLACK];
  const occHi = bb[ALL_WHITE + 1] | bb[ALL_BLACK + 1];
  const oblique = bishopIndex(king, occLo, occHi);
  const straight = rookIndex(king, occLo, occHi);
  const obliqueLo = SLIDERS[oblique] & safeLo;
  const obliqueHi = SLIDERS[oblique + 1] & safeHi;
  const straightLo = SLIDERS[straight] & safeLo;
  const straightHi = SLIDERS[straight + 1] & safeHi;
  let score = 0;
  let kinds = 0;
  for (let type = KNIGHT; type <= QUEEN; type++) {
    let lo = map[own + 2 * type];
    let hi = map[own + 2 * type + 1];
    if (type === KNIGHT) {
      lo &= KNIGHTS[2 * king] & safeLo;
      hi &= KNIGHTS[2 * king + 1] & safeHi;
    } else {
      lo &= (type === ROOK ? 0 : obliqueLo) | (type === BISHOP ? 0 : straightLo);
      hi &= (type === ROOK ? 0 : obliqueHi) | (type === BISHOP ? 0 : straightHi);
    }
    if ((lo | hi) === 0) continue;
    kinds++;
    const squares = popcount(lo, hi);
    const checks = KING_CHECKS + 3 * (type - KNIGHT) + (squares > 3 ? 2 : squares - 1);
    score += W[checks];
    if (tracing) count(us, checks, 1);
  }
  if (attackers === 0 && kinds === 0) return 0;

  const withQueen = (bb[own + 2 * QUEEN] | bb[own + 2 * QUEEN + 1]) === 0 ? 0 : 1;
  const many = KING_ATTACKERS + 6 * withQueen + (attackers > 5 ? 5 : attackers);
  score += W[many];
  if (tracing) count(us, many, 1);

  const weakSquares = popcount(weakLo & side[them + RING_LO], weakHi & side[them + RING_HI]);
  const weak = KING_WEAK + 10 * withQueen + weakSquares;
  score += W[weak];
  if (tracing) count(us, weak, 1);

  const units = attackers + side[own + RING_ATTACKS] + weakSquares + 2 * kinds;
  const danger = KING_DANGER + 32 * withQueen + (units > 31 ? 31 : units);
  score += W[danger];
  if (tracing) count(us, danger, 1);
  return score | 0;
}

/** Returns the packed score of the lines that lie open towards a side's king: the moves of a queen in its place, past enemy pieces. */
export function scoreKingLines(us: Color): number {
  const king = state[KING_SQUARE + us];
  const them = (us ^ 1) << 4;
  const occLo = bb[ALL_WHITE + (us << 4)] | bb[them];
  const occHi = bb[ALL_WHITE + (us << 4) + 1] | bb[them + 1];
  const oblique = bishopIndex(king, occLo, occHi);
  const straight = rookIndex(king, occLo, occHi);
  const lo = (SLIDERS[oblique] | SLIDERS[straight]) & ~occLo;
  const hi = (SLIDERS[oblique + 1] | SLIDERS[straight + 1]) & ~occHi;
  const lines = KING_LINES + popcount(lo, hi);
  if (tracing) count(us, lines, 1);
  return W[lines];
}
