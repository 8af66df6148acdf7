// King safety: what a side has gathered against the other king, one sum of danger, and how open the own king stands.

import {
  BETWEEN,
  KNIGHT_ATTACKS as KNIGHTS,
  BISHOP_RAYS as OBLIQUE,
  ROOK_RAYS as STRAIGHT,
} from '../../board/bitboards/attack-tables.js';
import { bishopAttacks, highHalf, lowHalf, rookAttacks } from '../../board/bitboards/attacks.js';
import { lowestSquare, popcount, withoutLowest } from '../../board/bitboards/bitboard.js';
import { ALL_BLACK, ALL_WHITE, bb, KING_SQUARE, STM, state } from '../../board/position.js';
import { BISHOP, KING, KNIGHT, QUEEN, ROOK, WHITE } from '../../board/types.js';
import {
  BY_ANY,
  BY_TWO,
  FLANKS,
  attackMap as map,
  RING_ATTACKERS,
  RING_DANGER,
  RING_HI,
  RING_LO,
  sides as side,
} from '../attack-map.js';
import { dangerScore } from '../danger.js';
import { SHELTER_DANGER, SHELTER_SHIFT, shelterTable } from '../pawn-cache.js';
import {
  DANGER_CHECKS,
  DANGER_CHECKS_TO_MOVE,
  DANGER_FLANK,
  DANGER_FLANK_HELD,
  DANGER_PINS,
  DANGER_QUEEN,
  DANGER_TO_MOVE,
  DANGER_UNSAFE_CHECKS,
  DANGER_WEAK,
  KING_LINES,
} from '../terms.js';
import { count, countDanger, dropDanger, tracing } from '../trace.js';
import { weightVector as W } from '../weights-in-use.js';

/** Returns the packed score of a side's attack on the other king; all attacks and shelters must be known. `entry` is that of the pawn cache. */
export function scoreKingAttack(us: Color, entry: i32): i32 {
  const own = us << 4;
  const them = own ^ 16;
  const attackers = side[own + RING_ATTACKERS];
  const theirLo = map[them + BY_ANY];
  const theirHi = map[them + BY_ANY + 1];

  // Squares we attack that they hold with no more than king or queen
  const weakLo = map[own + BY_ANY] & ~map[them + BY_TWO] & (~theirLo | map[them + 2 * KING] | map[them + 2 * QUEEN]);
  const weakHi =
    map[own + BY_ANY + 1] & ~map[them + BY_TWO + 1] & (~theirHi | map[them + 2 * KING + 1] | map[them + 2 * QUEEN + 1]);

  // Checks that they cannot simply take; of others only where the ring is attacked
  const safeLo = ~bb[ALL_WHITE + own] & (~theirLo | (weakLo & map[own + BY_TWO]));
  const safeHi = ~bb[ALL_WHITE + own + 1] & (~theirHi | (weakHi & map[own + BY_TWO + 1]));
  const wayLo = attackers === 0 ? safeLo : ~bb[ALL_WHITE + own];
  const wayHi = attackers === 0 ? safeHi : ~bb[ALL_WHITE + own + 1];
  const king = state[KING_SQUARE + (us ^ 1)];
  let danger = 0;
  const knightLo = map[own + 2 * KNIGHT] & KNIGHTS[2 * king] & wayLo;
  const knightHi = map[own + 2 * KNIGHT + 1] & KNIGHTS[2 * king + 1] & wayHi;
  let checks = knightLo | knightHi;
  if (checks !== 0) danger += checkDanger(us, KNIGHT, knightLo, knightHi, safeLo, safeHi);

  // Most often no slider's attack meets the king's lines at all, and what stands between need not be looked at
  const bishopLo = map[own + 2 * BISHOP] & wayLo;
  const bishopHi = map[own + 2 * BISHOP + 1] & wayHi;
  const rookLo = map[own + 2 * ROOK] & wayLo;
  const rookHi = map[own + 2 * ROOK + 1] & wayHi;
  const queenLo = map[own + 2 * QUEEN] & wayLo;
  const queenHi = map[own + 2 * QUEEN + 1] & wayHi;
  const occLo = bb[ALL_WHITE] | bb[ALL_BLACK];
  const occHi = bb[ALL_WHITE + 1] | bb[ALL_BLACK + 1];
  let queenChecksLo = 0;
  let queenChecksHi = 0;
  if ((((bishopLo | queenLo) & OBLIQUE[2 * king]) | ((bishopHi | queenHi) & OBLIQUE[2 * king + 1])) !== 0) {
    const oblique = bishopAttacks(king, occLo, occHi);
    const lo = lowHalf(oblique);
    const hi = highHalf(oblique);
    queenChecksLo = lo & queenLo;
    queenChecksHi = hi & queenHi;
    const seen = (lo & bishopLo) | (hi & bishopHi);
    checks |= seen;
    if (seen !== 0) danger += checkDanger(us, BISHOP, lo & bishopLo, hi & bishopHi, safeLo, safeHi);
  }
  if ((((rookLo | queenLo) & STRAIGHT[2 * king]) | ((rookHi | queenHi) & STRAIGHT[2 * king + 1])) !== 0) {
    const straight = rookAttacks(king, occLo, occHi);
    const lo = lowHalf(straight);
    const hi = highHalf(straight);
    queenChecksLo |= lo & queenLo;
    queenChecksHi |= hi & queenHi;
    const seen = (lo & rookLo) | (hi & rookHi);
    checks |= seen;
    if (seen !== 0) danger += checkDanger(us, ROOK, lo & rookLo, hi & rookHi, safeLo, safeHi);
  }
  if ((queenChecksLo | queenChecksHi) !== 0) {
    checks = 1;
    danger += checkDanger(us, QUEEN, queenChecksLo, queenChecksHi, safeLo, safeHi);
  }
  if (attackers === 0 && checks === 0) {
    if (tracing) dropDanger(us);
    return 0;
  }

  const weak = popcount(weakLo & side[them + RING_LO], weakHi & side[them + RING_HI]);
  const queen = DANGER_QUEEN + ((bb[own + 2 * QUEEN] | bb[own + 2 * QUEEN + 1]) === 0 ? 0 : 1);
  danger += W[queen] + weak * W[DANGER_WEAK] + side[own + RING_DANGER];
  danger += shelterTable[(entry >> SHELTER_SHIFT) + SHELTER_DANGER + (us ^ 1)];
  danger += flankDanger(us, king & 7) + pinDanger(us, king, occLo, occHi);
  if (state[STM] === us) {
    danger += W[DANGER_TO_MOVE];
    if (tracing) countDanger(us, DANGER_TO_MOVE, 1);
  }
  if (tracing) {
    countDanger(us, queen, 1);
    countDanger(us, DANGER_WEAK, weak);
  }
  return dangerScore(danger);
}

// Checks by one type of piece, of which there are some, safe ones or others
function checkDanger(us: Color, type: PieceType, lo: i32, hi: i32, safeLo: i32, safeHi: i32): i32 {
  const squares = popcount(lo & safeLo, hi & safeHi);
  const at = type - KNIGHT;
  const checks = squares === 0 ? DANGER_UNSAFE_CHECKS + at : DANGER_CHECKS + 3 * at + (squares > 3 ? 2 : squares - 1);
  if (tracing) countDanger(us, checks, 1);
  if (squares === 0 || state[STM] !== us) return W[checks];
  if (tracing) countDanger(us, DANGER_CHECKS_TO_MOVE + at, 1);
  return W[checks] + W[DANGER_CHECKS_TO_MOVE + at];
}

// The files around the other king, in its half of the board
function flankDanger(us: Color, file: i32): i32 {
  const own = (us << 4) + (us === WHITE ? 1 : 0);
  const files = FLANKS[file];
  const attacked = popcount(map[own + BY_ANY] & files, 0);
  const twice = popcount(map[own + BY_TWO] & files, 0);
  const held = popcount(map[(own ^ 16) + BY_ANY] & files, 0);
  if (tracing) {
    countDanger(us, DANGER_FLANK, attacked);
    countDanger(us, DANGER_FLANK + 1, twice);
    countDanger(us, DANGER_FLANK_HELD, held);
  }
  return attacked * W[DANGER_FLANK] + twice * W[DANGER_FLANK + 1] + held * W[DANGER_FLANK_HELD];
}

// Pieces that stand alone between a slider and the other king
function pinDanger(us: Color, king: Square, occLo: i32, occHi: i32): i32 {
  const own = us << 4;
  const queens = own + 2 * QUEEN;
  const rooks = own + 2 * ROOK;
  const bishops = own + 2 * BISHOP;
  const rays = 2 * king;
  let lo = (STRAIGHT[rays] & (bb[rooks] | bb[queens])) | (OBLIQUE[rays] & (bb[bishops] | bb[queens]));
  let hi =
    (STRAIGHT[rays + 1] & (bb[rooks + 1] | bb[queens + 1])) | (OBLIQUE[rays + 1] & (bb[bishops + 1] | bb[queens + 1]));
  let danger = 0;
  while ((lo | hi) !== 0) {
    const square = lowestSquare(lo, hi);
    hi = withoutLowest(lo, hi);
    lo &= lo - 1;
    const between = 2 * ((king << 6) | square);
    const shieldLo = BETWEEN[between] & occLo;
    const shieldHi = BETWEEN[between + 1] & occHi;
    if ((shieldLo | shieldHi) === 0 || popcount(shieldLo, shieldHi) !== 1) continue;
    const pin = DANGER_PINS + (((shieldLo & bb[ALL_WHITE + own]) | (shieldHi & bb[ALL_WHITE + own + 1])) === 0 ? 0 : 1);
    danger += W[pin];
    if (tracing) countDanger(us, pin, 1);
  }
  return danger;
}

/** Returns the packed score of the lines that lie open towards a side's king: the moves of a queen in its place, past enemy pieces. */
export function scoreKingLines(us: Color): i32 {
  const king = state[KING_SQUARE + us];
  const them = (us ^ 1) << 4;
  const occLo = bb[ALL_WHITE + (us << 4)] | bb[them];
  const occHi = bb[ALL_WHITE + (us << 4) + 1] | bb[them + 1];
  const oblique = bishopAttacks(king, occLo, occHi);
  const straight = rookAttacks(king, occLo, occHi);
  const lo = (lowHalf(oblique) | lowHalf(straight)) & ~occLo;
  const hi = (highHalf(oblique) | highHalf(straight)) & ~occHi;
  const lines = KING_LINES + popcount(lo, hi);
  if (tracing) count(us, lines, 1);
  return W[lines];
}
