// Passed pawns: how far they are, what is in their way, who helps and who hinders them.

import { KING_DISTANCE as DISTANCE } from '../../board/bitboards/attack-tables.js';
import { bitHi, bitLo, lowestSquare, withoutLowest } from '../../board/bitboards/bitboard.js';
import { ALL_BLACK, ALL_WHITE, bb, board, KING_SQUARE, STM, state } from '../../board/position.js';
import { EMPTY, KNIGHT, PAWN, QUEEN, ROOK, WHITE } from '../../board/types.js';
import { BY_ANY, attackMap as map } from '../attack-map.js';
import { PASSED, pawnTable as table } from '../pawn-cache.js';
import {
  PASSED_BLOCKER,
  PASSED_OWN_KING,
  PASSED_PATH,
  PASSED_PAWN,
  PASSED_ROOK,
  PASSED_SUPPORT,
  PASSED_THEIR_KING,
  PASSED_TO_MOVE,
  PASSED_UNSTOPPABLE,
} from '../terms.js';
import { count, tracing } from '../trace.js';
import { weightVector as W } from '../weights-in-use.js';
import { FORWARD } from './pawn-masks.js';

/** Returns the packed score of a side's passed pawns; `entry` is that of the pawn cache, and all attacks must be known. */
export function scorePassed(us: Color, entry: i32): i32 {
  let lo = table[entry + PASSED + 2 * us];
  let hi = table[entry + PASSED + 2 * us + 1];
  if ((lo | hi) === 0) return 0;
  const own = us << 4;
  const them = own ^ 16;
  const isRace = hasOnlyPawns(them);
  let score = 0;
  while ((lo | hi) !== 0) {
    const square = lowestSquare(lo, hi);
    hi = withoutLowest(lo, hi);
    lo &= lo - 1;
    const rank = us === WHITE ? square >> 3 : 7 - (square >> 3);
    const stop = us === WHITE ? square + 8 : square - 8;
    const stopLo = bitLo(stop);
    const stopHi = bitHi(stop);
    const isAttacked = ((stopLo & map[them + BY_ANY]) | (stopHi & map[them + BY_ANY + 1])) !== 0;
    const blocker = board[stop];

    const pawn = PASSED_PAWN + (blocker === EMPTY ? 0 : 16) + (isAttacked ? 8 : 0) + rank;
    score += W[pawn];
    if (tracing) count(us, pawn, 1);

    if (state[STM] === us) {
      score += W[PASSED_TO_MOVE + rank];
      if (tracing) count(us, PASSED_TO_MOVE + rank, 1);
    }

    if (blocker !== EMPTY && blocker >> 3 !== us && (blocker & 7) !== PAWN) {
      const by = PASSED_BLOCKER + (blocker & 7) - KNIGHT;
      score += W[by];
      if (tracing) count(us, by, 1);
    }

    if (((stopLo & map[own + BY_ANY]) | (stopHi & map[own + BY_ANY + 1])) !== 0) {
      score += W[PASSED_SUPPORT + rank];
      if (tracing) count(us, PASSED_SUPPORT + rank, 1);
    }

    const way = 2 * ((us << 6) | square);
    const pathLo = FORWARD[way];
    const pathHi = FORWARD[way + 1];
    const occupied = (pathLo & (bb[ALL_WHITE] | bb[ALL_BLACK])) | (pathHi & (bb[ALL_WHITE + 1] | bb[ALL_BLACK + 1]));
    if (occupied === 0 && ((pathLo & map[them + BY_ANY]) | (pathHi & map[them + BY_ANY + 1])) === 0) {
      score += W[PASSED_PATH + rank];
      if (tracing) count(us, PASSED_PATH + rank, 1);
    }

    const back = 2 * (((us ^ 1) << 6) | square);
    if (((FORWARD[back] & bb[own + 2 * ROOK]) | (FORWARD[back + 1] & bb[own + 2 * ROOK + 1])) !== 0) {
      score += W[PASSED_ROOK];
      if (tracing) count(us, PASSED_ROOK, 1);
    }
    if (((FORWARD[back] & bb[them + 2 * ROOK]) | (FORWARD[back + 1] & bb[them + 2 * ROOK + 1])) !== 0) {
      score += W[PASSED_ROOK + 1];
      if (tracing) count(us, PASSED_ROOK + 1, 1);
    }

    const stage = rank <= 3 ? 0 : rank === 4 ? 8 : 16;
    const ownKing = PASSED_OWN_KING + stage + DISTANCE[(state[KING_SQUARE + us] << 6) | stop];
    const theirKing = PASSED_THEIR_KING + stage + DISTANCE[(state[KING_SQUARE + (us ^ 1)] << 6) | stop];
    score += W[ownKing] + W[theirKing];
    if (tracing) {
      count(us, ownKing, 1);
      count(us, theirKing, 1);
    }

    if (isRace && occupied === 0) {
      // The rule of the square; a pawn on its second rank saves a move
      const promotion = us === WHITE ? 56 | (square & 7) : square & 7;
      const moves = rank === 1 ? 5 : 7 - rank;
      const ahead = state[STM] === us ? 0 : 1;
      if (DISTANCE[(state[KING_SQUARE + (us ^ 1)] << 6) | promotion] - ahead > moves) {
        score += W[PASSED_UNSTOPPABLE];
        if (tracing) count(us, PASSED_UNSTOPPABLE, 1);
      }
    }
  }
  return score | 0;
}

function hasOnlyPawns(side: i32): boolean {
  let pieces = 0;
  for (let type = KNIGHT; type <= QUEEN; type++) pieces |= bb[side + 2 * type] | bb[side + 2 * type + 1];
  return pieces === 0;
}
