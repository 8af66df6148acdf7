// Quiescence: captures and promotions are played out, and every evasion when in check, until the static evaluation can be trusted.

import { isRepetition, unmakeMove } from '../board/makemove.js';
import { EN_PASSANT, type Move, NO_MOVE, PROMOTION } from '../board/move.js';
import { board as mailbox, RULE50, state as scalars } from '../board/position.js';
import { SEE_VALUE, seeAtLeast } from '../board/see.js';
import { PAWN } from '../board/types.js';
import { evaluate } from '../eval/evaluate.js';
import { corrected } from './correction.js';
import { nextMove, startQuiescencePicker } from './movepicker.js';
import { params } from './params.js';
import { INFINITE, MATE_BOUND, MAX_PLY, matedIn, NO_SCORE } from './score.js';
import { clearPv, control, enterNode, rootPv, updatePv } from './stack.js';
import { isCheckedAt, startAtRoot, stepDown } from './step.js';
import { BOUND_EXACT, BOUND_LOWER, BOUND_NONE, BOUND_UPPER, hit, probe, store } from './tt.js';

const board = mailbox;
const state = scalars;

/** Returns the quiescence score for the side to move, in centipawns. */
export function qsearch(alpha: number, beta: number, ply: number): number {
  alpha |= 0;
  beta |= 0;
  ply |= 0;
  const pvNode = beta - alpha > 1;
  if (pvNode) clearPv(ply);
  if (enterNode(ply)) return 0;
  const inCheck = isCheckedAt(ply);
  // In check after a hundred plies it may be mate, which counts before the draw
  if (state[RULE50] > 3 && (isRepetition(ply) || (state[RULE50] >= 100 && !inCheck))) return 0;
  if (ply >= MAX_PLY) return inCheck ? 0 : evaluate();

  const isKnown = probe(ply);
  const ttMove = hit.move;
  if (
    isKnown &&
    !pvNode &&
    (hit.bound === BOUND_EXACT || (hit.bound === BOUND_LOWER ? hit.score >= beta : hit.score <= alpha))
  ) {
    return hit.score;
  }

  // Stand pat: the side to move need not capture
  let rawEval = NO_SCORE;
  let staticEval = NO_SCORE;
  let bestScore = matedIn(ply);
  if (!inCheck) {
    rawEval = isKnown && hit.staticEval !== NO_SCORE ? hit.staticEval : evaluate();
    staticEval = corrected(rawEval, ply);
    bestScore = staticEval;
    // A bound from the table says more than the static evaluation, but its line would be missing from the principal variation
    if (
      isKnown &&
      !pvNode &&
      hit.bound !== (hit.score > staticEval ? BOUND_UPPER : BOUND_LOWER) &&
      hit.bound !== BOUND_NONE
    ) {
      bestScore = hit.score;
    }
    if (bestScore >= beta) return bestScore;
    if (bestScore > alpha) alpha = bestScore;
  }

  const futile = inCheck ? -INFINITE : staticEval + params.qsDeltaMargin;
  let bestMove: Move = NO_MOVE;
  let bound = BOUND_UPPER;
  startQuiescencePicker(ply, ttMove, inCheck);
  for (let move = nextMove(ply); move !== NO_MOVE; move = nextMove(ply)) {
    // Delta pruning: even winning the victim outright does not reach alpha
    if (!inCheck && move >>> 14 !== PROMOTION) {
      const victim = move >>> 14 === EN_PASSANT ? PAWN : board[(move >>> 6) & 63] & 7;
      const reach = futile + SEE_VALUE[victim];
      if (reach <= alpha) {
        if (reach > bestScore) bestScore = reach;
        continue;
      }
      // Nor does an exchange that wins nothing
      if (futile <= alpha && !seeAtLeast(move, 1)) {
        if (futile > bestScore) bestScore = futile;
        continue;
      }
    }
    stepDown(ply, move);
    const score = 0 - qsearch(0 - beta, 0 - alpha, ply + 1);
    unmakeMove(move);
    if (control.stopped) return 0;
    if (score <= bestScore) continue;
    bestScore = score;
    if (score <= alpha) continue;
    alpha = score;
    bestMove = move;
    if (pvNode) updatePv(ply, move);
    if (score >= beta) {
      bound = BOUND_LOWER;
      break;
    }
    bound = BOUND_EXACT;
  }
  store(bestMove, 0, bound === BOUND_EXACT && !pvNode ? BOUND_UPPER : bound, bestScore, rawEval, ply);
  return bestScore;
}

/** Returns the moves of the quiescence search's principal variation from the position, which is left as it was; empty when it is quiet. */
export function resolveQuiet(): Move[] {
  control.stopped = false;
  control.nodeLimit = Number.POSITIVE_INFINITY;
  control.deadline = Number.POSITIVE_INFINITY;
  startAtRoot();
  const score = qsearch(-INFINITE, INFINITE, 0);
  return Math.abs(score) >= MATE_BOUND ? [] : rootPv();
}
