// King safety: what a side has gathered against the other king, and how open the own king stands. Danger grows faster than the
// number of attackers; tables by count keep that and the linearity of the evaluation.

import {
  KNIGHT_ATTACKS as KNIGHTS,
  BISHOP_RAYS as OBLIQUE,
  SLIDER_ATTACKS as SLIDERS,
  ROOK_RAYS as STRAIGHT,
} from '../../board/bitboards/attack-tables.js';
import { bishopIndex, rookIndex } from '../../board/bitboards/attacks.js';
import { popcount } from '../../board/bitboards/bitboard.js';
import { ALL_BLACK, ALL_WHITE, bb, KING_SQUARE, state } from '../../board/position.js';
import { BISHOP, KING, KNIGHT, QUEEN, ROOK } from '../../board/types.js';
import {
  BY_ANY,
  BY_TWO,
  attackMap as map,
  RING_ATTACKERS,
  RING_ATTACKS,
  RING_HI,
  RING_LO,
  sides as side,
} from '../attack-map.js';
import { KING_ATTACKERS, KING_CHECKS, KING_DANGER, KING_LINES, KING_WEAK } from '../terms.js';
import { count, tracing } from '../trace.js';
import { weightVector as W } from '../weights-in-use.js';

/** Returns the packed score of a side's attack on the other king; all attacks must be known. */
export function scoreKingAttack(us: Color): i32 {
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
  const knightLo = map[own + 2 * KNIGHT] & KNIGHTS[2 * king] & safeLo;
  const knightHi = map[own + 2 * KNIGHT + 1] & KNIGHTS[2 * king + 1] & safeHi;
  let score = 0;
  let kinds = 0;
  if ((knightLo | knightHi) !== 0) {
    score += scoreChecks(us, KNIGHT, knightLo, knightHi);
    kinds++;
  }

  // Most often no slider's attack meets the king's lines at all, and what stands between need not be looked at
  const bishopLo = map[own + 2 * BISHOP] & safeLo;
  const bishopHi = map[own + 2 * BISHOP + 1] & safeHi;
  const rookLo = map[own + 2 * ROOK] & safeLo;
  const rookHi = map[own + 2 * ROOK + 1] & safeHi;
  const queenLo = map[own + 2 * QUEEN] & safeLo;
  const queenHi = map[own + 2 * QUEEN + 1] & safeHi;
  const occLo = bb[ALL_WHITE] | bb[ALL_BLACK];
  const occHi = bb[ALL_WHITE + 1] | bb[ALL_BLACK + 1];
  let queenChecksLo = 0;
  let queenChecksHi = 0;
  if ((((bishopLo | queenLo) & OBLIQUE[2 * king]) | ((bishopHi | queenHi) & OBLIQUE[2 * king + 1])) !== 0) {
    const oblique = bishopIndex(king, occLo, occHi);
    const lo = SLIDERS[oblique];
    const hi = SLIDERS[oblique + 1];
    queenChecksLo = lo & queenLo;
    queenChecksHi = hi & queenHi;
    if (((lo & bishopLo) | (hi & bishopHi)) !== 0) {
      score += scoreChecks(us, BISHOP, lo & bishopLo, hi & bishopHi);
      kinds++;
    }
  }
  if ((((rookLo | queenLo) & STRAIGHT[2 * king]) | ((rookHi | queenHi) & STRAIGHT[2 * king + 1])) !== 0) {
    const straight = rookIndex(king, occLo, occHi);
    const lo = SLIDERS[straight];
    const hi = SLIDERS[straight + 1];
    queenChecksLo |= lo & queenLo;
    queenChecksHi |= hi & queenHi;
    if (((lo & rookLo) | (hi & rookHi)) !== 0) {
      score += scoreChecks(us, ROOK, lo & rookLo, hi & rookHi);
      kinds++;
    }
  }
  if ((queenChecksLo | queenChecksHi) !== 0) {
    score += scoreChecks(us, QUEEN, queenChecksLo, queenChecksHi);
    kinds++;
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

// Safe checks of one type of piece, of which there are some
function scoreChecks(us: Color, type: PieceType, lo: i32, hi: i32): i32 {
  const squares = popcount(lo, hi);
  const checks = KING_CHECKS + 3 * (type - KNIGHT) + (squares > 3 ? 2 : squares - 1);
  if (tracing) count(us, checks, 1);
  return W[checks];
}

/** Returns the packed score of the lines that lie open towards a side's king: the moves of a queen in its place, past enemy pieces. */
export function scoreKingLines(us: Color): i32 {
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
