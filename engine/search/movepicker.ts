// The move picker returns moves best first and generates each kind on demand: table move, captures that do not
// lose material by the victim's value, quiet moves by history, checks and threats, losing captures. One picker for each ply.

import { hasSquare } from '../board/bitboards/bitboard.js';
import { isLegal } from '../board/legality.js';
import { EN_PASSANT, NO_MOVE, PROMOTION } from '../board/move.js';
import { moveFrom, moveKind, moveTo } from '../board/move-fields.js';
import { ALL, generate, generateChecks, NOISY, QUIET } from '../board/movegen.js';
import { board } from '../board/position.js';
import { seeAtLeast } from '../board/see.js';
import { NO_PIECE, PAWN, QUEEN } from '../board/types.js';
import { checkSquares, MAX_MOVES, moves, SEE_VALUE, threats } from '../board/workspace.js';
import { max } from '../kernel/primitives.js';
import { noisyHistory, quietHistories, quietHistory } from './history.js';
import { P } from './params.js';
import { AFTER_NOISY, AFTER_TT, AT_STAGE, BAD_END, bad, END, FRAME, frames, NEXT, TT_MOVE, values } from './plies.js';
import { checksAt, givesDirectCheck, threatsAt } from './squares.js';

const STAGE_TT = 0;
const STAGE_GENERATE_NOISY = 1;
const STAGE_NOISY = 2;
const STAGE_GENERATE_QUIET = 3;
const STAGE_QUIET = 4;
const STAGE_QUIET_CHECKS = 5;
const STAGE_BAD_NOISY = 6;
const STAGE_GENERATE_EVASIONS = 7;
const STAGE_EVASIONS = 8;
const STAGE_GENERATE_SAFE_CHECKS = 9;
const STAGE_SAFE_CHECKS = 10;
const STAGE_DONE = 11;

/** Returns whether the move is a capture or a promotion. */
export function isNoisy(move: Move): boolean {
  const kind = moveKind(move);
  return kind === EN_PASSANT || kind === PROMOTION || (kind === 0 && board[moveTo(move)] !== NO_PIECE);
}

/** Starts the ply's picker over all moves. */
export function startPicker(ply: i32, ttMove: Move): void {
  const f = ply * FRAME;
  frames[f + AT_STAGE] = STAGE_TT;
  frames[f + TT_MOVE] = ttMove;
  frames[f + BAD_END] = ply * MAX_MOVES;
  frames[f + AFTER_TT] = STAGE_GENERATE_NOISY;
  frames[f + AFTER_NOISY] = STAGE_GENERATE_QUIET;
}

/**
 * Starts the ply's picker for quiescence: captures and promotions that do not lose material, and then, if wanted, quiet direct checks
 * that do not; or every evasion when in check.
 */
export function startQuiescencePicker(ply: i32, ttMove: Move, inCheck: boolean, withChecks: boolean): void {
  const f = ply * FRAME;
  startPicker(ply, inCheck || (ttMove !== NO_MOVE && isNoisy(ttMove)) ? ttMove : NO_MOVE);
  if (inCheck) frames[f + AFTER_TT] = STAGE_GENERATE_EVASIONS;
  frames[f + AFTER_NOISY] = withChecks ? STAGE_GENERATE_SAFE_CHECKS : STAGE_DONE;
}

/** Returns the ply's next move, or NO_MOVE after the last. */
export function nextMove(ply: i32): Move {
  const f = ply * FRAME;
  const ttMove = frames[f + TT_MOVE];
  while (frames[f + AT_STAGE] !== STAGE_DONE) {
    switch (frames[f + AT_STAGE]) {
      case STAGE_TT:
        frames[f + AT_STAGE] = frames[f + AFTER_TT];
        if (ttMove !== NO_MOVE && isLegal(ttMove)) return ttMove;
        frames[f + TT_MOVE] = NO_MOVE;
        return nextMove(ply);

      case STAGE_GENERATE_NOISY:
        frames[f + NEXT] = ply * MAX_MOVES;
        frames[f + END] = generate(ply * MAX_MOVES, NOISY);
        scoreNoisy(frames[f + NEXT], frames[f + END]);
        frames[f + AT_STAGE] = STAGE_NOISY;
        break;

      case STAGE_NOISY: {
        const move = pickBest(f);
        if (move === NO_MOVE) {
          frames[f + AT_STAGE] = frames[f + AFTER_NOISY];
          break;
        }
        if (move === ttMove) break;
        if (isGood(move)) return move;
        bad[frames[f + BAD_END]++] = move;
        break;
      }

      case STAGE_GENERATE_QUIET:
        frames[f + NEXT] = ply * MAX_MOVES;
        frames[f + END] = generate(ply * MAX_MOVES, QUIET);
        scoreQuiet(ply, frames[f + NEXT], frames[f + END]);
        frames[f + AT_STAGE] = STAGE_QUIET;
        break;

      case STAGE_QUIET: {
        const move = pickBest(f);
        if (move === NO_MOVE) startBadNoisy(ply);
        else if (move !== ttMove) return move;
        break;
      }

      case STAGE_QUIET_CHECKS: {
        const next = frames[f + NEXT]++;
        if (next >= frames[f + END]) startBadNoisy(ply);
        else {
          const move = moves[next];
          if (move !== ttMove && givesDirectCheck(ply, move)) return move;
        }
        break;
      }

      case STAGE_BAD_NOISY:
        if (frames[f + NEXT] < frames[f + BAD_END]) return bad[frames[f + NEXT]++];
        frames[f + AT_STAGE] = STAGE_DONE;
        break;

      case STAGE_GENERATE_EVASIONS:
        frames[f + NEXT] = ply * MAX_MOVES;
        frames[f + END] = generate(ply * MAX_MOVES, ALL);
        scoreEvasions(ply, frames[f + NEXT], frames[f + END]);
        frames[f + AT_STAGE] = STAGE_EVASIONS;
        break;

      case STAGE_EVASIONS: {
        const move = pickBest(f);
        if (move === NO_MOVE) frames[f + AT_STAGE] = STAGE_DONE;
        else if (move !== ttMove) return move;
        break;
      }

      case STAGE_GENERATE_SAFE_CHECKS:
        frames[f + NEXT] = ply * MAX_MOVES;
        frames[f + END] = generateChecks(ply * MAX_MOVES, checksAt(ply));
        frames[f + AT_STAGE] = STAGE_SAFE_CHECKS;
        break;

      case STAGE_SAFE_CHECKS: {
        const next = frames[f + NEXT]++;
        if (next >= frames[f + END]) frames[f + AT_STAGE] = STAGE_DONE;
        else if (seeAtLeast(moves[next], 0)) return moves[next];
        break;
      }
    }
  }
  return NO_MOVE;
}

/** Returns whether the ply's picker has reached the captures that lose material. */
export function isPickingBadNoisy(ply: i32): boolean {
  return frames[ply * FRAME + AT_STAGE] === STAGE_BAD_NOISY;
}

/** Makes the ply's picker skip the remaining quiet moves except direct checks. */
export function skipQuiets(ply: i32): void {
  const f = ply * FRAME;
  if (frames[f + AT_STAGE] === STAGE_QUIET) frames[f + AT_STAGE] = STAGE_QUIET_CHECKS;
}

/** Makes the ply's picker for quiescence skip the remaining captures. */
export function skipNoisy(ply: i32): void {
  frames[ply * FRAME + AT_STAGE] = frames[ply * FRAME + AFTER_NOISY];
}

function startBadNoisy(ply: i32): void {
  frames[ply * FRAME + AT_STAGE] = STAGE_BAD_NOISY;
  frames[ply * FRAME + NEXT] = ply * MAX_MOVES;
}

// Under-promotions and captures that lose material come last
function isGood(move: Move): boolean {
  if (moveKind(move) === PROMOTION && ((move >>> 12) & 3) !== 3) return false;
  return seeAtLeast(move, 0);
}

// Most valuable victim first, then by history
function scoreNoisy(start: i32, end: i32): void {
  for (let i = start; i < end; i++) {
    const move = moves[i];
    const kind = moveKind(move);
    const victim = kind === EN_PASSANT ? PAWN : board[moveTo(move)] & 7;
    const promotion = kind === PROMOTION && ((move >>> 12) & 3) === 3 ? SEE_VALUE[QUEEN] : 0;
    values[i] = 64 * (SEE_VALUE[victim] + promotion) + noisyHistory(move);
  }
}

// By history; safe checks and pieces that leave the attack of a lesser one come earlier (idea: Stockfish)
function scoreQuiet(ply: i32, start: i32, end: i32): void {
  quietHistories(ply, start, end);
  const threatStart = threatsAt(ply);
  const checks = checksAt(ply);
  const orderEscape = P.ORDER_ESCAPE;
  for (let i = start; i < end; i++) {
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

function scoreEvasions(ply: i32, start: i32, end: i32): void {
  scoreNoisy(start, end);
  for (let i = start; i < end; i++) {
    values[i] = isNoisy(moves[i]) ? values[i] + (1 << 24) : quietHistory(ply, moves[i]);
  }
}

// One step of selection sort, as most nodes need only the first few moves; branch-free, because the branches would be unpredictable
function pickBest(f: i32): Move {
  const next = frames[f + NEXT];
  const end = frames[f + END];
  if (next >= end) return NO_MOVE;
  let best = next;
  let most = values[next];
  for (let i = next + 1; i < end; i++) {
    const value = values[i];
    best = value > most ? i : best;
    most = max(value, most);
  }
  const move = moves[best];
  moves[best] = moves[next];
  values[best] = values[next];
  frames[f + NEXT] = next + 1;
  return move;
}
