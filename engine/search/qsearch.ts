// Quiescence search: tries captures, promotions, evasions and, in the first plies, quiet checks, until the static evaluation is reliable.

import { isRepetition } from '../board/draws.js';
import { unmakeMove } from '../board/makemove.js';
import { moveKind, NO_MOVE, PROMOTION } from '../board/move-fields.js';
import { generateLegal } from '../board/movegen.js';
import { state } from '../board/position.js';
import { seeAtLeast, victimOf } from '../board/see.js';
import { SEE_VALUE, SPARE_LIST } from '../board/workspace.js';
import { evaluate } from '../eval/evaluate.js';
import { corrected } from './correction.js';
import { isNoisy, nextMove, skipNoisy, startQuiescencePicker } from './movepicker.js';
import { P } from './params.js';
import { signals, stack } from './plies.js';
import { DRAW, INFINITE, MATE_BOUND, MAX_PLY, matedIn, NO_SCORE } from './score.js';
import { enterNode, stepDown, updatePv } from './step.js';
import { BOUND_EXACT, BOUND_LOWER, BOUND_NONE, BOUND_UPPER, hit } from './tt/memory.js';
import { probe, store } from './tt/tt.js';

/** Returns the quiescence score for the side to move, in centipawns; the first `checkPlies` plies try quiet checks as well. */
export function qsearch(alpha: i32, beta: i32, ply: i32, checkPlies: i32): i32 {
  const pvNode = beta - alpha > 1;
  if (enterNode(ply)) return 0;
  const inCheck = stack.isChecked[ply] !== 0;
  if (state.rule50 > 3 && isRepetition(ply)) return DRAW;
  // Mate on the hundredth ply takes precedence over the draw
  if (state.rule50 >= 100 && !(inCheck && generateLegal(SPARE_LIST) === SPARE_LIST)) return DRAW;
  if (ply >= MAX_PLY) return inCheck ? DRAW : evaluate();

  const ttHit = probe(ply);
  const ttMove = hit.move;
  const ttPv = pvNode || hit.isPv !== 0;
  if (
    ttHit &&
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
    rawEval = ttHit && hit.staticEval !== NO_SCORE ? hit.staticEval : evaluate();
    staticEval = corrected(rawEval, ply);
    bestScore = staticEval;
    // A table bound is better than the static evaluation, but would leave the principal variation incomplete
    if (
      ttHit &&
      !pvNode &&
      hit.bound !== (hit.score > staticEval ? BOUND_UPPER : BOUND_LOWER) &&
      hit.bound !== BOUND_NONE
    ) {
      bestScore = hit.score;
    }
    if (bestScore >= beta) {
      if (!ttHit) store(NO_MOVE, 0, BOUND_LOWER, bestScore, rawEval, ply, false);
      return bestScore;
    }
    if (bestScore > alpha) alpha = bestScore;
  }

  const futilityBase = inCheck ? -INFINITE : staticEval + P.QS_DELTA_MARGIN;
  let bestMove: Move = NO_MOVE;
  let bound = BOUND_UPPER;
  let moveCount = 0;
  startQuiescencePicker(ply, ttMove, inCheck, checkPlies > 0);
  for (let move = nextMove(ply); move !== NO_MOVE; move = nextMove(ply)) {
    const isQuiet = !isNoisy(move);
    if (inCheck) {
      // Outside the principal variation, one evasion that avoids mate is enough; quiet evasions come last
      if (!pvNode && isQuiet && bestScore > -MATE_BOUND) break;
    } else if (!isQuiet) {
      // Further captures rarely help if the best ones do not
      if (!pvNode && moveCount === P.QS_MOVES) {
        skipNoisy(ply);
        continue;
      }
      // Delta pruning: even winning the victim outright does not reach alpha
      if (moveKind(move) !== PROMOTION) {
        const reach = futilityBase + SEE_VALUE[victimOf(move)];
        if (reach <= alpha) {
          if (reach > bestScore) bestScore = reach;
          continue;
        }
        // Exchanges that win nothing do not help either
        if (futilityBase <= alpha && !seeAtLeast(move, 1)) {
          if (futilityBase > bestScore) bestScore = futilityBase;
          continue;
        }
      }
    }
    moveCount++;
    stepDown(ply, move);
    const score = 0 - qsearch(0 - beta, 0 - alpha, ply + 1, checkPlies - 1);
    unmakeMove(move);
    if (signals.stopped !== 0) return 0;
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
  store(bestMove, 0, bound === BOUND_EXACT && !pvNode ? BOUND_UPPER : bound, bestScore, rawEval, ply, ttPv);
  return bestScore;
}
