// The search below the root: principal variation search with pruning, reductions and extensions.

import { popcount } from '../board/bitboards/bitboard.js';
import { canRepeat, isMaterialDraw, isRepetition } from '../board/draws.js';
import { isLegal } from '../board/legality.js';
import { unmakeMove, unmakeNullMove } from '../board/makemove.js';
import { moveKind, NO_MOVE, PROMOTION } from '../board/move-fields.js';
import { generateLegal } from '../board/movegen.js';
import { officers } from '../board/placement.js';
import { state } from '../board/position.js';
import { seeAtLeast, victimOf } from '../board/see.js';
import { MAX_MOVES, SEE_VALUE, SPARE_LIST } from '../board/workspace.js';
import { hasBareKing } from '../eval/endgame/endgame.js';
import { evaluate } from '../eval/evaluate.js';
import { abs, max, min, onRootMove } from '../kernel/primitives.js';
import { beginTest, endTest, isTestDue, isUnderTest } from './audit.js';
import * as A from './audit-counts.js';
import { corrected, learnCorrection } from './correction.js';
import { noisyHistory, quietHistory, rewardNoisy, rewardQuiet, updatePostLmrHistory } from './history.js';
import { TRIED_MOVES, tried } from './history-tables.js';
import { isNoisy, isPickingBadNoisy, nextMove, skipQuiets, startPicker, startQuiescencePicker } from './movepicker.js';
import { P, reductions } from './params.js';
import { AFTER_NULL, counters, rootEffort, rootMoves, signals, stack, VERIFYING } from './plies.js';
import { qsearch } from './qsearch.js';
import { DRAW, INFINITE, MATE_BOUND, MAX_PLY, matedIn, mateIn, NO_SCORE } from './score.js';
import { givesDirectCheck } from './squares.js';
import { enterNode, pass, startAtRoot, stepDown, updatePv } from './step.js';
import { BOUND_EXACT, BOUND_LOWER, BOUND_UPPER, hit } from './tt/memory.js';
import { probe, store } from './tt/tt.js';

/** Returns whether the search may play the move at the root. */
function isRootMove(move: Move): boolean {
  for (let i = 0; rootMoves[i] !== NO_MOVE; i++) if (rootMoves[i] === move) return true;
  return false;
}

/** Returns the fail-soft score of the position in centipawns for the side to move, from a search of `depth` plies. */
export function alphaBeta(alpha: i32, beta: i32, depth: i32, ply: i32, cutNode: boolean): i32 {
  if (depth <= 0) return qsearch(alpha, beta, ply, P.QS_CHECKS);
  const isRoot = ply === 0;
  if (isRoot) {
    signals.rootDepth = depth;
    startAtRoot();
  }
  const excluded = stack.excluded[ply];
  const pvNode = beta - alpha > 1;
  if (enterNode(ply)) return 0;
  const inCheck = stack.isChecked[ply] !== 0;

  if (!isRoot) {
    // Step 1. Draws and the maximum ply
    if (state.rule50 > 3 && isRepetition(ply)) return DRAW;
    if (state.rule50 >= 100 && !(inCheck && generateLegal(SPARE_LIST) === SPARE_LIST)) return DRAW;
    if (isMaterialDraw()) return DRAW;
    if (ply >= MAX_PLY) return inCheck ? DRAW : evaluate();

    // Step 2. Mate distance pruning: no line from here can beat a shorter mate already found
    alpha = max(alpha, matedIn(ply));
    beta = min(beta, mateIn(ply + 1));
    if (alpha >= beta) return alpha;

    // Step 3. Upcoming repetition: an earlier position is one move away, so the side to move has at least a draw
    if (alpha < DRAW && state.rule50 >= 3 && !hasBareKing() && canRepeat(ply)) {
      alpha = DRAW;
      if (alpha >= beta) return alpha;
    }
  }

  // Step 4. Transposition table
  const ttHit = probe(ply);
  const ttMove = hit.move;
  const ttScore = hit.score;
  const ttBound = hit.bound;
  const ttDepth = hit.depth;
  const ttEval = hit.staticEval;
  // The node is on a principal variation now, or was when the entry was stored
  const ttPv = pvNode || hit.isPv !== 0;
  if (
    ttHit &&
    !pvNode &&
    excluded === NO_MOVE &&
    ttDepth >= depth &&
    state.rule50 < 90 &&
    (ttBound === BOUND_EXACT || (ttBound === BOUND_LOWER ? ttScore >= beta : ttScore <= alpha))
  ) {
    if (ttScore >= beta && ttMove !== NO_MOVE && !isNoisy(ttMove) && isLegal(ttMove)) {
      rewardQuiet(ttMove, depth, ply, 0, 0);
    }
    return ttScore;
  }

  // Step 5. Static evaluation. `improving` means that it is higher than at the side's previous move, and `opponentWorsening` that the
  // opponent's last move raised it
  let rawEval = NO_SCORE;
  let staticEval = NO_SCORE;
  let evaluation = NO_SCORE;
  let improving = !inCheck;
  let opponentWorsening = false;
  if (!inCheck) {
    rawEval = ttHit && ttEval !== NO_SCORE ? ttEval : evaluate();
    staticEval = corrected(rawEval, ply);
    evaluation = staticEval;
    if (ttHit && (ttScore > staticEval ? ttBound !== BOUND_UPPER : ttBound !== BOUND_LOWER)) evaluation = ttScore;
    let before = ply >= 2 ? stack.staticEval[ply - 2] : NO_SCORE;
    if (before === NO_SCORE && ply >= 4) before = stack.staticEval[ply - 4];
    improving = before === NO_SCORE || staticEval > before;
    if (ply > 0 && stack.staticEval[ply - 1] !== NO_SCORE)
      opponentWorsening = staticEval > 1 - stack.staticEval[ply - 1];
  }
  stack.staticEval[ply] = staticEval;
  stack.cutoffs[ply + 1] = 0;
  const pieceCount = popcount(officers(state.stm));

  const isCuttable = !pvNode && excluded === NO_MOVE && !(A.AUDITING && isUnderTest(ply));
  if (isCuttable && !inCheck) {
    // Step 6. Reverse futility: the evaluation is so far above beta that a quiet reply is unlikely to bring it below. The margin grows with
    // the history of the opponent's last move (idea: Weiss). Disabled while a null move is verified, because it ignores zugzwang
    if (
      stack.nullMove[ply] !== VERIFYING &&
      depth <= P.RFP_DEPTH &&
      evaluation -
        (improving ? P.RFP_IMPROVING : P.RFP_MARGIN) * depth +
        (opponentWorsening ? P.RFP_WORSENING : 0) -
        ((stack.statScore[ply - 1] / P.RFP_HISTORY) | 0) >=
        beta &&
      evaluation < MATE_BOUND &&
      beta > -P.DECIDED
    ) {
      if (A.AUDITING) testCutoff(A.BY_RFP, ((evaluation - beta) / (16 * depth)) | 0, beta, depth, ply, cutNode);
      return (evaluation + beta) >> 1;
    }

    // Step 7. Razoring: the evaluation is so far below alpha that only captures can help, and quiescence finds those
    if (depth <= P.RAZOR_DEPTH && alpha < P.DECIDED && evaluation + P.RAZOR_MARGIN * depth <= alpha) {
      const score = qsearch(alpha, alpha + 1, ply, P.QS_CHECKS);
      if (signals.stopped !== 0) return 0;
      if (score <= alpha) {
        if (A.AUDITING) testFailLow(A.BY_RAZORING, ((alpha - evaluation) / (100 * depth)) | 0, alpha, depth, ply);
        return score;
      }
    }

    // Step 8. Null move: if passing fails high, a move will too. Pawn endings are excluded because of zugzwang. At high depth, or with a
    // single piece, a search without a null move at this node verifies the cut-off
    if (
      depth >= P.NMP_DEPTH &&
      evaluation >= beta + P.NMP_EVAL_MARGIN &&
      staticEval >= beta + P.NMP_STATIC_BASE - P.NMP_STATIC_SLOPE * depth &&
      beta > -P.DECIDED &&
      stack.nullMove[ply] === 0 &&
      pieceCount > 0
    ) {
      const reduction =
        P.NMP_BASE + ((depth / P.NMP_DIVISOR) | 0) + min(4, ((evaluation - beta) / P.NMP_EVAL_DIVISOR) | 0);
      stack.nullMove[ply + 1] = AFTER_NULL;
      pass(ply);
      const score = 0 - alphaBeta(0 - beta, 1 - beta, depth - reduction, ply + 1, !cutNode);
      unmakeNullMove();
      stack.nullMove[ply + 1] = 0;
      if (signals.stopped !== 0) return 0;
      if (score >= beta) {
        const proven = score >= MATE_BOUND ? beta : score;
        if (A.AUDITING) testCutoff(A.BY_NULL_MOVE, ((evaluation - beta) / 50) | 0, beta, depth, ply, cutNode);
        if (depth < P.NMP_VERIFY_DEPTH && pieceCount > 1) return proven;
        // Passing may be better than any move (zugzwang)
        stack.nullMove[ply] = VERIFYING;
        const verified = alphaBeta(beta - 1, beta, depth - reduction, ply, false);
        stack.nullMove[ply] = 0;
        if (signals.stopped !== 0) return 0;
        if (verified >= beta) return proven;
      }
    }
  }

  // Step 9. ProbCut: a capture that beats a raised beta at a reduced depth will probably beat beta at full depth
  const probBeta = beta + P.PC_MARGIN;
  if (
    isCuttable &&
    !inCheck &&
    depth >= P.PC_DEPTH &&
    abs(beta) < MATE_BOUND &&
    !(ttHit && ttDepth >= depth - 3 && ttScore < probBeta)
  ) {
    startQuiescencePicker(ply, ttMove, false, false);
    for (let move = nextMove(ply); move !== NO_MOVE; move = nextMove(ply)) {
      if (!seeAtLeast(move, probBeta - staticEval)) continue;
      stepDown(ply, move);
      let score = 0 - qsearch(0 - probBeta, 1 - probBeta, ply + 1, P.QS_CHECKS);
      if (score >= probBeta) score = 0 - alphaBeta(0 - probBeta, 1 - probBeta, depth - 4, ply + 1, !cutNode);
      unmakeMove(move);
      if (signals.stopped !== 0) return 0;
      if (score >= probBeta) {
        if (A.AUDITING) testCutoff(A.BY_PROBCUT, 0, beta, depth, ply, cutNode);
        store(move, depth - 3, BOUND_LOWER, score, rawEval, ply, ttPv);
        return score < MATE_BOUND ? score - P.PC_MARGIN : score;
      }
    }
  }

  // Step 10. Internal iterative reduction: without a table move of sufficient depth, the move order is too poor for a search at full depth
  if ((ttMove === NO_MOVE || ttDepth + P.IIR_SHALLOW < depth) && excluded === NO_MOVE && depth >= P.IIR_DEPTH) {
    depth--;
  }

  // Step 11. Singular extension: the table move is extended if no other move comes near its score. Otherwise the node is cut off if
  // singularBeta reaches beta (multi-cut). Failing that, the table move is reduced if its score reaches beta, or at a cut-node
  let extension = 0;
  if (
    !isRoot &&
    excluded === NO_MOVE &&
    depth >= P.SE_DEPTH &&
    ply < 2 * signals.rootDepth &&
    ttHit &&
    ttDepth >= depth - 3 &&
    ttBound !== BOUND_UPPER &&
    abs(ttScore) < MATE_BOUND &&
    isLegal(ttMove)
  ) {
    const singularBeta = ttScore - ((P.SE_MARGIN * depth) >> 3);
    stack.excluded[ply] = ttMove;
    const score = alphaBeta(singularBeta - 1, singularBeta, (depth - 1) >> 1, ply, cutNode);
    stack.excluded[ply] = NO_MOVE;
    if (signals.stopped !== 0) return 0;
    if (score < singularBeta) {
      extension = 1;
      if (!pvNode && score < singularBeta - P.SE_DOUBLE_MARGIN) {
        extension = score < singularBeta - P.SE_TRIPLE_MARGIN && !isNoisy(ttMove) ? 3 : 2;
      }
    } else if (singularBeta >= beta && !(A.AUDITING && isUnderTest(ply))) {
      if (A.AUDITING) testCutoff(A.BY_MULTICUT, 0, beta, depth, ply, cutNode);
      return singularBeta;
    } else if (ttScore >= beta) extension = -2;
    else if (cutNode) extension = -1;
  }

  // Step 12. The moves
  const oldAlpha = alpha;
  const triedStart = ply * TRIED_MOVES;
  let quietsEnd = triedStart;
  let noisiesEnd = triedStart;
  let bestScore = -INFINITE;
  let bestMove: Move = NO_MOVE;
  let moveCount = 0;
  const isTtNoisy = ttMove !== NO_MOVE && isNoisy(ttMove);
  const lmpLimit =
    depth <= P.LMP_DEPTH
      ? ((P.LMP_BASE * 100 + P.LMP_FACTOR * depth * depth) / (improving ? 100 : 200)) | 0
      : MAX_MOVES;
  startPicker(ply, ttMove);
  for (let move = nextMove(ply); move !== NO_MOVE; move = nextMove(ply)) {
    if (move === excluded || (isRoot && !isRootMove(move))) continue;
    const isQuiet = !isNoisy(move);
    moveCount++;
    if (isRoot) onRootMove(move, moveCount);

    // Step 13. Pruning at low depth, once a move that avoids mate is known
    const history = isQuiet ? quietHistory(ply, move) : noisyHistory(move);
    const isBadCapture = !isQuiet && isPickingBadNoisy(ply);
    const baseReduction = reductions[(min(depth, 63) << 6) | min(moveCount, 63)];
    const lmrDepth = max(0, depth - 1 - (baseReduction >> 10));
    if (!isRoot && bestScore > -MATE_BOUND && pieceCount > 0) {
      if (isQuiet) {
        // Late move pruning: enough moves have preceded this one. Futility pruning: the evaluation is too far below alpha for a quiet move.
        // Neither prunes direct checks, which may mate
        if (!inCheck && moveCount > lmpLimit + ((history / P.LMP_HISTORY) | 0) && !givesDirectCheck(ply, move)) {
          if (A.AUDITING) testMove(A.BY_LMP, ((history + 16000) / 4000) | 0, move, alpha, depth, ply);
          skipQuiets(ply);
          continue;
        }
        if (
          !inCheck &&
          lmrDepth < P.FP_DEPTH &&
          staticEval + P.FP_BASE + P.FP_MARGIN * lmrDepth + ((history / P.FP_HISTORY) | 0) <= alpha &&
          !givesDirectCheck(ply, move)
        ) {
          if (A.AUDITING) testMove(A.BY_FUTILITY, ((alpha - staticEval - P.FP_BASE) / 50) | 0, move, alpha, depth, ply);
          skipQuiets(ply);
          continue;
        }
        if (lmrDepth < P.HP_DEPTH && history < -P.HP_MARGIN * lmrDepth) {
          if (A.AUDITING) testMove(A.BY_HISTORY, (-history / 2000) | 0, move, alpha, depth, ply);
          continue;
        }
        if (lmrDepth < P.SEE_DEPTH && !seeAtLeast(move, -P.SEE_QUIET_MARGIN * lmrDepth)) {
          if (A.AUDITING) testMove(A.BY_SEE_QUIET, 0, move, alpha, depth, ply);
          continue;
        }
      } else if (depth <= P.SEE_DEPTH && isBadCapture && !seeAtLeast(move, -P.SEE_NOISY_MARGIN * depth * depth)) {
        if (A.AUDITING) testMove(A.BY_SEE_NOISY, 0, move, alpha, depth, ply);
        continue;
      } else if (
        !inCheck &&
        lmrDepth < P.CF_DEPTH &&
        moveKind(move) !== PROMOTION &&
        !givesDirectCheck(ply, move) &&
        staticEval + P.CF_BASE + P.CF_MARGIN * lmrDepth + SEE_VALUE[victimOf(move)] <= alpha
      ) {
        if (A.AUDITING) testMove(A.BY_CAPTURE_FUTILITY, 0, move, alpha, depth, ply);
        continue;
      }
    }

    const nodesBefore = counters.nodes;
    const givesCheck = stepDown(ply, move);
    if (isQuiet) stack.statScore[ply] = history;

    // Step 14. Check extension
    const newDepth = depth - 1 + (move === ttMove && extension !== 0 ? extension : givesCheck ? 1 : 0);
    let score: i32;
    let isDecided = false;
    let reduction = 0;

    if (moveCount === 1) {
      score = 0 - alphaBeta(0 - beta, 0 - alpha, newDepth, ply + 1, pvNode ? false : !cutNode);
    } else {
      // Step 15. Late move reduction
      if (depth >= P.LMR_DEPTH && moveCount > (pvNode ? 2 : 1) && (isQuiet || !ttPv || isBadCapture)) {
        // In 1/1024 plies
        let less = 0;
        if (pvNode) less += P.LMR_PV;
        if (ttPv) less += P.LMR_TT_PV;
        if (givesCheck || inCheck) less += P.LMR_CHECK;
        if (!isQuiet) less += P.LMR_NOISY;
        let more = baseReduction;
        if (cutNode) more += P.LMR_CUT_NODE;
        if (!improving) more += P.LMR_NOT_IMPROVING;
        if (isTtNoisy && isQuiet) more += P.LMR_TT_NOISY;
        if (!inCheck) less += P.LMR_CORRECTION * abs(staticEval - rawEval);
        if (stack.cutoffs[ply + 1] > 2) more += P.LMR_FAIL_HIGHS;
        reduction = (more - less - (((1024 * history) / P.LMR_HISTORY_DIVISOR) | 0)) >> 10;
        reduction = max(0, min(reduction, newDepth - 1));
      }

      // Step 16. Null-window search, reduced at first; a full window only on the principal variation
      score = 0 - alphaBeta(-1 - alpha, 0 - alpha, newDepth - reduction, ply + 1, reduction > 0 || !cutNode);
      if (score > alpha && reduction > 0) {
        // The margin over the best score decides whether the re-search is a ply deeper or shallower
        const deeper =
          score > bestScore + P.LMR_DEEPER_MARGIN ? 1 : score < bestScore + P.LMR_SHALLOWER_MARGIN ? -1 : 0;
        if (deeper > -reduction) {
          score = 0 - alphaBeta(-1 - alpha, 0 - alpha, newDepth + deeper, ply + 1, !cutNode);
          isDecided = score <= alpha || score >= beta;
        }
      }
      if (score > alpha && pvNode) score = 0 - alphaBeta(0 - beta, 0 - alpha, newDepth, ply + 1, false);
    }
    unmakeMove(move);
    if (isRoot) rootEffort[move] += counters.nodes - nodesBefore;
    if (signals.stopped !== 0) return 0;
    if (A.AUDITING && reduction > 0 && score <= alpha) testMove(A.BY_LMR, reduction, move, alpha, newDepth + 1, ply);
    if (isDecided && isQuiet) updatePostLmrHistory(move, newDepth, ply, score >= beta);

    // Step 17. The best move so far
    if (score > bestScore) {
      bestScore = score;
      if (score > alpha) {
        bestMove = move;
        alpha = score;
        if (pvNode) updatePv(ply, move);
        if (isRoot) signals.rootScore = score;
        if (score >= beta) break;
        // After a move has raised alpha, the remaining moves are searched less deeply
        if (!isRoot && depth > 3 && depth < 12 && abs(score) < MATE_BOUND) depth--;
      }
    }
    if (isQuiet) {
      if (quietsEnd < triedStart + TRIED_MOVES) tried.quiets[quietsEnd++] = move;
    } else if (noisiesEnd < triedStart + TRIED_MOVES) tried.noisies[noisiesEnd++] = move;
  }

  // Step 18. Mate or stalemate
  if (moveCount === 0) return excluded !== NO_MOVE ? alpha : inCheck ? matedIn(ply) : DRAW;

  // Step 19. History updates, and the table entry
  if (bestScore >= beta) {
    stack.cutoffs[ply]++;
    const isQuiet = !isNoisy(bestMove);
    const weight = bestScore > beta + P.HISTORY_SURPRISE ? depth + 1 : depth;
    if (isQuiet) rewardQuiet(bestMove, weight, ply, triedStart, quietsEnd);
    rewardNoisy(isQuiet ? NO_MOVE : bestMove, weight, triedStart, noisiesEnd);
  }
  const bound = bestScore >= beta ? BOUND_LOWER : bestScore > oldAlpha ? BOUND_EXACT : BOUND_UPPER;
  // The score of a further MultiPV line is not the value of the position
  if (excluded !== NO_MOVE || (isRoot && signals.rootLine > 0)) return bestScore;

  // Corrections are updated only in quiet positions, and by a bound only if it rules out the static evaluation
  if (
    !inCheck &&
    (bestMove === NO_MOVE || !isNoisy(bestMove)) &&
    (bound === BOUND_LOWER ? bestScore > staticEval : bound === BOUND_UPPER ? bestScore < staticEval : true) &&
    abs(bestScore) < MATE_BOUND
  ) {
    learnCorrection(bestScore - staticEval, depth, ply);
  }
  store(bestMove, depth, bound, bestScore, rawEval, ply, ttPv);
  return bestScore;
}

// Audit tests: each searches a node or move that a rule has pruned or reduced, and records whether the rule was wrong (audit-counts.ts)

// Tests whether the node fails high without node-level pruning
function testCutoff(rule: i32, margin: i32, beta: i32, depth: i32, ply: i32, cutNode: boolean): void {
  if (!isTestDue(rule, depth, margin)) return;
  beginTest(ply);
  const score = alphaBeta(beta - 1, beta, depth, ply, cutNode);
  endTest(rule, depth, margin, score < beta);
}

// Tests whether the node fails low without node-level pruning
function testFailLow(rule: i32, margin: i32, alpha: i32, depth: i32, ply: i32): void {
  if (!isTestDue(rule, depth, margin)) return;
  beginTest(ply);
  const score = alphaBeta(alpha, alpha + 1, depth, ply, false);
  endTest(rule, depth, margin, score > alpha);
}

// Tests whether the move fails low at full depth, without node-level pruning in the child node
function testMove(rule: i32, margin: i32, move: Move, alpha: i32, depth: i32, ply: i32): void {
  if (!isTestDue(rule, depth, margin)) return;
  const cutoffs = stack.cutoffs[ply + 1];
  beginTest(ply + 1);
  stepDown(ply, move);
  const score = 0 - alphaBeta(-1 - alpha, 0 - alpha, depth - 1, ply + 1, true);
  unmakeMove(move);
  endTest(rule, depth, margin, score > alpha);
  stack.cutoffs[ply + 1] = cutoffs;
}
