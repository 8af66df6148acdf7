// The move picker returns the most promising moves first and generates moves on demand. The order is: the table move, captures that do not
// lose material (by victim and history), quiet moves (by history, checks and threats), and losing captures with under-promotions. There is
// one picker per ply.

import { hasSquare } from '../board/bitboards/bitboard.js';
import { isLegal } from '../board/legality.js';
import { EN_PASSANT, moveFrom, moveKind, movePromotion, moveTo, NO_MOVE, PROMOTION } from '../board/move-fields.js';
import { ALL, generate, generateChecks, NOISY, QUIET } from '../board/movegen.js';
import { board } from '../board/position.js';
import { seeAtLeast, victimOf } from '../board/see.js';
import { NO_PIECE, QUEEN } from '../board/types.js';
import { checkSquares, MAX_MOVES, moves, SEE_VALUE, threats } from '../board/workspace.js';
import { greatest } from '../kernel/primitives.js';
import { noisyHistory, quietHistories, quietHistory } from './history.js';
import { P } from './params.js';
import { bad, picker, values } from './plies.js';
import { checksAt, givesDirectCheck, threatsAt } from './squares.js';

const STAGE_TT = 0;
const STAGE_GENERATE_NOISY = 1;
const STAGE_NOISY = 2;
const STAGE_GENERATE_QUIET = 3;
const STAGE_GENERATE_EVASIONS = 4;
const STAGE_QUIET = 5;
const STAGE_QUIET_CHECKS = 6;
const STAGE_BAD_NOISY = 7;
const STAGE_GENERATE_SAFE_CHECKS = 8;
const STAGE_SAFE_CHECKS = 9;
const STAGE_DONE = 10;

/** Returns whether the move is a capture or a promotion. */
export function isNoisy(move: Move): boolean {
  const kind = moveKind(move);
  return kind === EN_PASSANT || kind === PROMOTION || (kind === 0 && board[moveTo(move)] !== NO_PIECE);
}

/** Starts the ply's picker for all moves. */
export function startPicker(ply: i32, ttMove: Move): void {
  picker.stage[ply] = STAGE_TT;
  picker.ttMove[ply] = ttMove;
  picker.badEnd[ply] = ply * MAX_MOVES;
  picker.afterTt[ply] = STAGE_GENERATE_NOISY;
  picker.afterNoisy[ply] = STAGE_GENERATE_QUIET;
}

/**
 * Starts the ply's picker for quiescence. In check, it returns all evasions. Otherwise it returns captures and queen promotions that do not
 * lose material, and then, with `withChecks`, quiet direct checks that do not lose material.
 */
export function startQuiescencePicker(ply: i32, ttMove: Move, inCheck: boolean, withChecks: boolean): void {
  startPicker(ply, inCheck || (ttMove !== NO_MOVE && isNoisy(ttMove)) ? ttMove : NO_MOVE);
  if (inCheck) picker.afterTt[ply] = STAGE_GENERATE_EVASIONS;
  picker.afterNoisy[ply] = withChecks ? STAGE_GENERATE_SAFE_CHECKS : STAGE_DONE;
}

/** Returns the ply's next move, or NO_MOVE after the last. */
export function nextMove(ply: i32): Move {
  while (picker.stage[ply] !== STAGE_DONE) {
    const ttMove = picker.ttMove[ply];
    switch (picker.stage[ply]) {
      case STAGE_TT:
        picker.stage[ply] = picker.afterTt[ply];
        if (ttMove !== NO_MOVE && isLegal(ttMove)) return ttMove;
        picker.ttMove[ply] = NO_MOVE;
        break;

      case STAGE_GENERATE_NOISY:
        startList(ply, STAGE_NOISY, generate(ply * MAX_MOVES, NOISY));
        scoreNoisy(ply);
        break;

      case STAGE_NOISY: {
        const move = pickBest(ply);
        if (move === NO_MOVE) picker.stage[ply] = picker.afterNoisy[ply];
        else if (move !== ttMove) {
          if (isGood(move)) return move;
          bad[picker.badEnd[ply]++] = move;
        }
        break;
      }

      case STAGE_GENERATE_QUIET:
        startList(ply, STAGE_QUIET, generate(ply * MAX_MOVES, QUIET));
        scoreQuiet(ply);
        break;

      case STAGE_GENERATE_EVASIONS:
        startList(ply, STAGE_QUIET, generate(ply * MAX_MOVES, ALL));
        scoreEvasions(ply);
        break;

      case STAGE_QUIET: {
        const move = pickBest(ply);
        if (move === NO_MOVE) startList(ply, STAGE_BAD_NOISY, picker.badEnd[ply]);
        else if (move !== ttMove) return move;
        break;
      }

      case STAGE_QUIET_CHECKS: {
        const move = pickNext(ply);
        if (move === NO_MOVE) startList(ply, STAGE_BAD_NOISY, picker.badEnd[ply]);
        else if (move !== ttMove && givesDirectCheck(ply, move)) return move;
        break;
      }

      case STAGE_BAD_NOISY:
        if (picker.next[ply] < picker.end[ply]) return bad[picker.next[ply]++];
        picker.stage[ply] = STAGE_DONE;
        break;

      case STAGE_GENERATE_SAFE_CHECKS:
        startList(ply, STAGE_SAFE_CHECKS, generateChecks(ply * MAX_MOVES, checksAt(ply)));
        break;

      case STAGE_SAFE_CHECKS: {
        const move = pickNext(ply);
        if (move === NO_MOVE) picker.stage[ply] = STAGE_DONE;
        else if (seeAtLeast(move, 0)) return move;
        break;
      }
    }
  }
  return NO_MOVE;
}

/** Returns whether the ply's picker has reached the losing captures and under-promotions. */
export function isPickingBadNoisy(ply: i32): boolean {
  return picker.stage[ply] === STAGE_BAD_NOISY;
}

/** Makes the ply's picker skip the remaining quiet moves except direct checks. */
export function skipQuiets(ply: i32): void {
  if (picker.stage[ply] === STAGE_QUIET) picker.stage[ply] = STAGE_QUIET_CHECKS;
}

/** Makes the ply's picker for quiescence skip the remaining captures. */
export function skipNoisy(ply: i32): void {
  picker.stage[ply] = picker.afterNoisy[ply];
}

function startList(ply: i32, stage: i32, end: i32): void {
  picker.stage[ply] = stage;
  picker.next[ply] = ply * MAX_MOVES;
  picker.end[ply] = end;
}

// Under-promotions and captures that lose material come last
function isGood(move: Move): boolean {
  return !(moveKind(move) === PROMOTION && movePromotion(move) !== QUEEN) && seeAtLeast(move, 0);
}

// Scores captures and promotions by the victim's value and by history (up to ±256 centipawns)
function scoreNoisy(ply: i32): void {
  const end = picker.end[ply];
  for (let i = ply * MAX_MOVES; i < end; i++) {
    const move = moves[i];
    const kind = moveKind(move);
    const victim = victimOf(move);
    const promotion = kind === PROMOTION && movePromotion(move) === QUEEN ? SEE_VALUE[QUEEN] : 0;
    values[i] = 64 * (SEE_VALUE[victim] + promotion) + noisyHistory(move);
  }
}

// Scores quiet moves by history, with bonuses for safe checks and for leaving squares that a less valuable piece attacks, and a malus for
// entering such squares (idea: Stockfish)
function scoreQuiet(ply: i32): void {
  const end = picker.end[ply];
  quietHistories(ply, ply * MAX_MOVES, end);
  const threatStart = threatsAt(ply);
  const checks = checksAt(ply);
  const orderEscape = P.ORDER_ESCAPE;
  for (let i = ply * MAX_MOVES; i < end; i++) {
    const move = moves[i];
    const from = moveFrom(move);
    const to = moveTo(move);
    const type = board[from] & 7;
    const lesser = threats[threatStart + type];
    const escapes = (hasSquare(lesser, from) ? 1 : 0) - (hasSquare(lesser, to) ? 1 : 0);
    values[i] += orderEscape * SEE_VALUE[type] * escapes;
    if (hasSquare(checkSquares[checks + type], to) && seeAtLeast(move, 0)) values[i] += P.ORDER_CHECK;
  }
}

function scoreEvasions(ply: i32): void {
  scoreNoisy(ply);
  const end = picker.end[ply];
  for (let i = ply * MAX_MOVES; i < end; i++) {
    values[i] = isNoisy(moves[i]) ? values[i] + (1 << 20) : quietHistory(ply, moves[i]);
  }
}

function pickNext(ply: i32): Move {
  const next = picker.next[ply];
  if (next >= picker.end[ply]) return NO_MOVE;
  picker.next[ply] = next + 1;
  return moves[next];
}

// One step of selection sort, because most nodes need only the first few moves
function pickBest(ply: i32): Move {
  const next = picker.next[ply];
  const end = picker.end[ply];
  if (next >= end) return NO_MOVE;
  const best = greatest(values, next, end);
  const move = moves[best];
  moves[best] = moves[next];
  values[best] = values[next];
  picker.next[ply] = next + 1;
  return move;
}
