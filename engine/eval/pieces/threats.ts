// Threats: enemy pieces that are attacked, by what and how well they are held; pawn moves that would attack one; squares denied.

import { lowestSquare, popcount } from '../../board/bitboards/bitboard.js';
import { ALL_BLACK, ALL_WHITE, bb, board } from '../../board/position.js';
import { KING, KNIGHT, PAWN, WHITE } from '../../board/types.js';
import { lsb } from '../../kernel/integers.js';
import { BY_ANY, BY_TWO, attackMap as map } from '../attack-map.js';
import { HANGING, PUSH_THREAT, RESTRICTION, THREAT } from '../terms.js';
import { count, tracing } from '../trace.js';
import { weightVector as W } from '../weights-in-use.js';

/** Returns the packed score of what a side threatens; all attacks must be known. */
export function scoreThreats(us: Color): i32 {
  const own = us << 4;
  const them = own ^ 16;
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
      }
    }
    let lo = attackedLo & (~defendedLo | (~heldLo & map[own + BY_TWO]));
    let hi = attackedHi & (~defendedHi | (~heldHi & map[own + BY_TWO + 1]));
    while ((lo | hi) !== 0) {
      const square = lowestSquare(lo, hi);
      if (lo !== 0) lo &= lo - 1;
      else hi &= hi - 1;
      const hanging = HANGING + (board[square] & 7);
      score += W[hanging];
      if (tracing) count(us, hanging, 1);
    }
  }

  // Squares both sides attack and they do not hold
  const contested = popcount(anyLo & defendedLo & ~heldLo, anyHi & defendedHi & ~heldHi);
  score += contested * W[RESTRICTION];
  if (tracing) count(us, RESTRICTION, contested);
  return (score + scorePushes(us)) | 0;
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
    if (lo !== 0) lo &= lo - 1;
    else hi &= hi - 1;
    const push = PUSH_THREAT + (board[square] & 7) - KNIGHT;
    score += W[push];
    if (tracing) count(us, push, 1);
  }
  return score;
}
