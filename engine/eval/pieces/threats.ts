// Threats: attacked enemy pieces by attacker, defence and number; pawn pushes that attack pieces; safe attacks on the queen; contested
// squares. Some have an additional value for the side to move.

import { bishopAttacks, rookAttacks } from '../../board/bitboards/attacks.js';
import {
  forward,
  hasSquare,
  lowestSquare,
  pawnAttacks,
  popcount,
  withoutLowest,
} from '../../board/bitboards/bitboard.js';
import { DIAGONALS, EMPTY, FULL, KNIGHT_ATTACKS, RANK_3, RANK_6, STRAIGHTS } from '../../board/bitboards/tables.js';
import { ALL_BLACK, ALL_WHITE, bb, board, state } from '../../board/position.js';
import { BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE } from '../../board/types.js';
import { min } from '../../kernel/primitives.js';
import * as T from '../terms.js';
import { weigh } from '../trace.js';
import { BY_ANY, BY_TWO, attackMap as map } from '../workspace.js';

/** Returns the packed score of a side's threats. The attack maps must be complete. */
export function scoreThreats(us: Color): i32 {
  const own = us << 3;
  const them = own ^ 8;
  let score = 0;

  // Firmly defended squares: defended by a pawn, or defended twice and attacked at most once
  const held = map[them | PAWN] | (map[them | BY_TWO] & ~map[own | BY_TWO]);
  const any = map[own | BY_ANY];
  const defended = map[them | BY_ANY];
  const attacked = bb[ALL_WHITE | them] & ~bb[them | KING] & any;
  if (attacked !== EMPTY) {
    for (let attacker = PAWN; attacker <= KING; attacker++) {
      for (let rest = attacked & map[own | attacker]; rest !== EMPTY; rest = withoutLowest(rest)) {
        const square = lowestSquare(rest);
        const cell = 10 * attacker + (hasSquare(defended, square) ? 5 : 0) + (board[square] & 7);
        score += scoreMore(us, T.THREAT, T.THREAT_TO_MOVE, cell);
      }
    }
    const loose = attacked & ((FULL ^ defended) | (map[own | BY_TWO] & ~held));
    for (let rest = loose; rest !== EMPTY; rest = withoutLowest(rest)) {
      score += scoreMore(us, T.HANGING, T.HANGING_TO_MOVE, board[lowestSquare(rest)] & 7);
    }
  }

  // Squares attacked by both sides and not firmly defended
  const contested = popcount(any & defended & ~held);
  score += weigh(us, T.RESTRICTION, contested);
  return (score + scoreCount(us) + scorePushes(us) + scoreQueenReach(us)) | 0;
}

// Scores a cell of a term, and for the side to move also the same cell of a second term
function scoreMore(us: Color, term: i32, toMove: i32, cell: i32): i32 {
  return weigh(us, term + cell, 1) + (state.stm === us ? weigh(us, toMove + cell, 1) : 0);
}

// The number of attacked pieces is a term of its own, because only one of several can move away
function scoreCount(us: Color): i32 {
  const own = us << 3;
  const them = own ^ 8;
  const loose = map[own | PAWN] | (map[own | BY_ANY] & ~map[them | BY_ANY]);
  const minors = map[own | KNIGHT] | map[own | BISHOP];
  const attacked =
    ((bb[them | KNIGHT] | bb[them | BISHOP]) & loose) |
    (bb[them | ROOK] & (loose | minors)) |
    (bb[them | QUEEN] & (loose | minors | map[own | ROOK]));
  if (attacked === EMPTY) return 0;
  return weigh(us, T.THREAT_COUNT + (state.stm === us ? 5 : 0) + min(4, popcount(attacked)), 1);
}

// Squares from which the enemy's only queen could be attacked next
function scoreQueenReach(us: Color): i32 {
  const own = us << 3;
  const them = own ^ 8;
  const queens = bb[them | QUEEN];
  if (popcount(queens) !== 1) return 0;
  const queen = lowestSquare(queens);
  const safe = ((FULL ^ map[them | BY_ANY]) | map[own | BY_TWO]) & ~(bb[ALL_WHITE | own] | map[them | PAWN]);
  let score = countReach(us, KNIGHT, map[own | KNIGHT] & KNIGHT_ATTACKS[queen] & safe);

  // Usually no slider can reach a line of the queen, so the slider attacks from the queen's square need not be computed
  const bishops = map[own | BISHOP] & safe & DIAGONALS[queen];
  const rooks = map[own | ROOK] & safe & STRAIGHTS[queen];
  const occupied = bb[ALL_WHITE] | bb[ALL_BLACK];
  if (bishops !== EMPTY) score += countReach(us, BISHOP, bishopAttacks(queen, occupied) & bishops);
  if (rooks !== EMPTY) score += countReach(us, ROOK, rookAttacks(queen, occupied) & rooks);
  return score;
}

function countReach(us: Color, type: PieceType, reached: u64): i32 {
  return weigh(us, T.QUEEN_REACH + type - KNIGHT, popcount(reached));
}

// Pieces that a pawn would attack after a safe push
function scorePushes(us: Color): i32 {
  const own = us << 3;
  const them = own ^ 8;
  const free = FULL ^ (bb[ALL_WHITE] | bb[ALL_BLACK]);
  const safe = free & ~map[them | PAWN] & (map[own | BY_ANY] | (FULL ^ map[them | BY_ANY]));
  const once = forward(us, bb[own | PAWN]) & free;
  const twice = forward(us, once & (us === WHITE ? RANK_3 : RANK_6)) & free;
  const reached = pawnAttacks(us, (once | twice) & safe);
  let score = 0;
  const targets = reached & bb[ALL_WHITE | them] & ~(bb[them | PAWN] | bb[them | KING]);
  for (let rest = targets; rest !== EMPTY; rest = withoutLowest(rest)) {
    score += scoreMore(us, T.PUSH_THREAT, T.PUSH_THREAT_TO_MOVE, (board[lowestSquare(rest)] & 7) - KNIGHT);
  }
  return score;
}
