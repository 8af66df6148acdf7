// Threats: enemy pieces that are attacked, by what, how well they are held and how many at once; pawn moves that would attack one;
// where the queen could be attacked from; squares denied. Some count once more for the side to move.

import {
  KNIGHT_ATTACKS as KNIGHTS,
  BISHOP_RAYS as OBLIQUE,
  ROOK_RAYS as STRAIGHT,
} from '../../board/bitboards/attack-tables.js';
import { bishopAttacks, highHalf, lowHalf, rookAttacks } from '../../board/bitboards/attacks.js';
import { lowestSquare, popcount, withoutLowest } from '../../board/bitboards/bitboard.js';
import { ALL_BLACK, ALL_WHITE, bb, board, STM, state } from '../../board/position.js';
import { BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE } from '../../board/types.js';
import { lsb, min } from '../../kernel/integers.js';
import { BY_ANY, BY_TWO, attackMap as map } from '../attack-map.js';
import {
  HANGING,
  HANGING_TO_MOVE,
  PUSH_THREAT,
  PUSH_THREAT_TO_MOVE,
  QUEEN_REACH,
  RESTRICTION,
  THREAT,
  THREAT_COUNT,
  THREAT_TO_MOVE,
} from '../terms.js';
import { count, tracing } from '../trace.js';
import { weightVector as W } from '../weights-in-use.js';

/** Returns the packed score of what a side threatens; all attacks must be known. */
export function scoreThreats(us: Color): i32 {
  const own = us << 4;
  const them = own ^ 16;
  const toMove = state[STM] === us;
  let score = 0;

  // Held: by a pawn, or by two where we do not attack twice
  const heldLo = map[them + 2 * PAWN] | (map[them + BY_TWO] & ~map[own + BY_TWO]);
  const heldHi = map[them + 2 * PAWN + 1] | (map[them + BY_TWO + 1] & ~map[own + BY_TWO + 1]);
  const anyLo = map[own + BY_ANY];
  const anyHi = map[own + BY_ANY + 1];
  const defendedLo = map[them + BY_ANY];
  const defendedHi = map[them + BY_ANY + 1];
  const attackedLo = bb[ALL_WHITE + them] & ~bb[them + 2 * KING] & anyLo;
  const attackedHi = bb[ALL_WHITE + them + 1] & ~bb[them + 2 * KING + 1] & anyHi;
  if ((attackedLo | attackedHi) !== 0) {
    for (let attacker = PAWN; attacker <= KING; attacker++) {
      let lo = attackedLo & map[own + 2 * attacker];
      let hi = attackedHi & map[own + 2 * attacker + 1];
      while ((lo | hi) !== 0) {
        let square: i32;
        let isDefended: i32;
        if (lo !== 0) {
          square = lsb(lo);
          isDefended = (defendedLo >>> square) & 1;
          lo &= lo - 1;
        } else {
          square = 32 + lsb(hi);
          isDefended = (defendedHi >>> square) & 1;
          hi &= hi - 1;
        }
        const threat = THREAT + 10 * attacker + 5 * isDefended + (board[square] & 7);
        score += W[threat];
        if (tracing) count(us, threat, 1);
        if (toMove) {
          const more = threat + THREAT_TO_MOVE - THREAT;
          score += W[more];
          if (tracing) count(us, more, 1);
        }
      }
    }
    let lo = attackedLo & (~defendedLo | (~heldLo & map[own + BY_TWO]));
    let hi = attackedHi & (~defendedHi | (~heldHi & map[own + BY_TWO + 1]));
    while ((lo | hi) !== 0) {
      const square = lowestSquare(lo, hi);
      hi = withoutLowest(lo, hi);
      lo &= lo - 1;
      const hanging = HANGING + (board[square] & 7);
      score += W[hanging];
      if (tracing) count(us, hanging, 1);
      if (toMove) {
        const more = hanging + HANGING_TO_MOVE - HANGING;
        score += W[more];
        if (tracing) count(us, more, 1);
      }
    }
  }

  // Squares both sides attack and they do not hold
  const contested = popcount(anyLo & defendedLo & ~heldLo, anyHi & defendedHi & ~heldHi);
  score += contested * W[RESTRICTION];
  if (tracing) count(us, RESTRICTION, contested);
  return (score + scoreCount(us) + scorePushes(us) + scoreQueenReach(us)) | 0;
}

// How many pieces are attacked at once, of which the other side saves one only
function scoreCount(us: Color): i32 {
  const own = us << 4;
  const them = own ^ 16;
  const looseLo = map[own + 2 * PAWN] | (map[own + BY_ANY] & ~map[them + BY_ANY]);
  const looseHi = map[own + 2 * PAWN + 1] | (map[own + BY_ANY + 1] & ~map[them + BY_ANY + 1]);
  const minorsLo = map[own + 2 * KNIGHT] | map[own + 2 * BISHOP];
  const minorsHi = map[own + 2 * KNIGHT + 1] | map[own + 2 * BISHOP + 1];
  const attackedLo =
    ((bb[them + 2 * KNIGHT] | bb[them + 2 * BISHOP]) & looseLo) |
    (bb[them + 2 * ROOK] & (looseLo | minorsLo)) |
    (bb[them + 2 * QUEEN] & (looseLo | minorsLo | map[own + 2 * ROOK]));
  const attackedHi =
    ((bb[them + 2 * KNIGHT + 1] | bb[them + 2 * BISHOP + 1]) & looseHi) |
    (bb[them + 2 * ROOK + 1] & (looseHi | minorsHi)) |
    (bb[them + 2 * QUEEN + 1] & (looseHi | minorsHi | map[own + 2 * ROOK + 1]));
  if ((attackedLo | attackedHi) === 0) return 0;
  const pieces = THREAT_COUNT + (state[STM] === us ? 5 : 0) + min(4, popcount(attackedLo, attackedHi));
  if (tracing) count(us, pieces, 1);
  return W[pieces];
}

// Where the enemy's only queen could be attacked from next
function scoreQueenReach(us: Color): i32 {
  const own = us << 4;
  const them = own ^ 16;
  const queenLo = bb[them + 2 * QUEEN];
  const queenHi = bb[them + 2 * QUEEN + 1];
  if ((queenLo | queenHi) === 0 || popcount(queenLo, queenHi) !== 1) return 0;
  const queen = lowestSquare(queenLo, queenHi);
  const safeLo = ~(bb[ALL_WHITE + own] | map[them + 2 * PAWN]) & (~map[them + BY_ANY] | map[own + BY_TWO]);
  const safeHi =
    ~(bb[ALL_WHITE + own + 1] | map[them + 2 * PAWN + 1]) & (~map[them + BY_ANY + 1] | map[own + BY_TWO + 1]);
  let score = countReach(us, KNIGHT, KNIGHTS[2 * queen] & safeLo, KNIGHTS[2 * queen + 1] & safeHi);

  // Most often no slider can go to a line of the queen, and what stands between need not be looked at
  const bishopLo = map[own + 2 * BISHOP] & safeLo & OBLIQUE[2 * queen];
  const bishopHi = map[own + 2 * BISHOP + 1] & safeHi & OBLIQUE[2 * queen + 1];
  const rookLo = map[own + 2 * ROOK] & safeLo & STRAIGHT[2 * queen];
  const rookHi = map[own + 2 * ROOK + 1] & safeHi & STRAIGHT[2 * queen + 1];
  const occLo = bb[ALL_WHITE] | bb[ALL_BLACK];
  const occHi = bb[ALL_WHITE + 1] | bb[ALL_BLACK + 1];
  if ((bishopLo | bishopHi) !== 0) {
    const oblique = bishopAttacks(queen, occLo, occHi);
    score += countReach(us, BISHOP, lowHalf(oblique) & bishopLo, highHalf(oblique) & bishopHi);
  }
  if ((rookLo | rookHi) !== 0) {
    const straight = rookAttacks(queen, occLo, occHi);
    score += countReach(us, ROOK, lowHalf(straight) & rookLo, highHalf(straight) & rookHi);
  }
  return score;
}

function countReach(us: Color, type: PieceType, lo: i32, hi: i32): i32 {
  const at = (us << 4) + 2 * type;
  const squares = popcount(map[at] & lo, map[at + 1] & hi);
  if (tracing) count(us, QUEEN_REACH + type - KNIGHT, squares);
  return squares * W[QUEEN_REACH + type - KNIGHT];
}

// Pieces that a pawn would attack after a step onto a square where it is safe
function scorePushes(us: Color): i32 {
  const own = us << 4;
  const them = own ^ 16;
  const freeLo = ~(bb[ALL_WHITE] | bb[ALL_BLACK]);
  const freeHi = ~(bb[ALL_WHITE + 1] | bb[ALL_BLACK + 1]);
  const safeLo = freeLo & ~map[them + 2 * PAWN] & (map[own + BY_ANY] | ~map[them + BY_ANY]);
  const safeHi = freeHi & ~map[them + 2 * PAWN + 1] & (map[own + BY_ANY + 1] | ~map[them + BY_ANY + 1]);
  const pawnsLo = bb[own];
  const pawnsHi = bb[own + 1];
  let reachedLo: i32;
  let reachedHi: i32;
  if (us === WHITE) {
    const onceLo = (pawnsLo << 8) & freeLo;
    const onceHi = ((pawnsHi << 8) | (pawnsLo >>> 24)) & freeHi;
    // Two steps from the second rank stay in the lower half of the board
    const pushesLo = (onceLo | (((onceLo & 0x00ff0000) << 8) & freeLo)) & safeLo;
    const pushesHi = onceHi & safeHi;
    const besideLo = ((pushesLo & 0x7f7f7f7f) << 1) | ((pushesLo & ~0x01010101) >>> 1);
    const besideHi = ((pushesHi & 0x7f7f7f7f) << 1) | ((pushesHi & ~0x01010101) >>> 1);
    reachedLo = besideLo << 8;
    reachedHi = (besideHi << 8) | (besideLo >>> 24);
  } else {
    const onceLo = ((pawnsLo >>> 8) | (pawnsHi << 24)) & freeLo;
    const onceHi = (pawnsHi >>> 8) & freeHi;
    const pushesLo = onceLo & safeLo;
    const pushesHi = (onceHi | (((onceHi & 0x0000ff00) >>> 8) & freeHi)) & safeHi;
    const besideLo = ((pushesLo & 0x7f7f7f7f) << 1) | ((pushesLo & ~0x01010101) >>> 1);
    const besideHi = ((pushesHi & 0x7f7f7f7f) << 1) | ((pushesHi & ~0x01010101) >>> 1);
    reachedLo = (besideLo >>> 8) | (besideHi << 24);
    reachedHi = besideHi >>> 8;
  }
  let lo = reachedLo & bb[ALL_WHITE + them] & ~(bb[them] | bb[them + 2 * KING]);
  let hi = reachedHi & bb[ALL_WHITE + them + 1] & ~(bb[them + 1] | bb[them + 2 * KING + 1]);
  let score = 0;
  while ((lo | hi) !== 0) {
    const square = lowestSquare(lo, hi);
    hi = withoutLowest(lo, hi);
    lo &= lo - 1;
    const push = PUSH_THREAT + (board[square] & 7) - KNIGHT;
    score += W[push];
    if (tracing) count(us, push, 1);
    if (state[STM] === us) {
      const more = push + PUSH_THREAT_TO_MOVE - PUSH_THREAT;
      score += W[more];
      if (tracing) count(us, more, 1);
    }
  }
  return score;
}
