// Move histories: a butterfly history of quiet moves, a pawn history (by pawn structure), and continuation histories, which score a quiet
// move by the moves one, two and four plies before it. Captures and promotions have a separate history by moving piece, target square and
// victim. (Ideas: threats in the butterfly history, Sirius; pawn history, Stockfish.)

import { hasSquare, lowBits } from '../board/bitboards/bitboard.js';
import { moveFrom, moveTo, NO_MOVE } from '../board/move-fields.js';
import { board, keys, state } from '../board/position.js';
import { KING } from '../board/types.js';
import { moves, threats } from '../board/workspace.js';
import { abs, min } from '../kernel/primitives.js';
import {
  BACK,
  HISTORY_LIMIT,
  histories,
  NOTHING,
  PAWN_STRUCTURES,
  PIECE_TO,
  playedPieceTo,
  tried,
} from './history-tables.js';
import { P } from './params.js';
import { stack, values } from './plies.js';
import { threatsAt } from './squares.js';

/** Records the move about to be made at the ply; NO_MOVE for a null move. */
export function noteMove(ply: i32, move: Move): void {
  playedPieceTo[ply + BACK] = move === NO_MOVE ? NOTHING : pieceTo(move);
  stack.statScore[ply] = 0;
}

/** Returns the piece and the target square of the move made `back` plies before the ply (at most BACK). */
export function moveBefore(ply: i32, back: i32): i32 {
  return playedPieceTo[ply + BACK - back];
}

function pieceTo(move: Move): i32 {
  const piece = board[moveFrom(move)];
  // Codes 6 and 7 are not pieces
  return ((piece - 2 * (piece >> 3)) << 6) | moveTo(move);
}

/** Returns the history of a capture or promotion, within ±HISTORY_LIMIT. */
export function noisyHistory(move: Move): i32 {
  return histories.capture[noisyEntry(move)];
}

function noisyEntry(move: Move): i32 {
  return (pieceTo(move) << 3) | (board[moveTo(move)] & 7);
}

// The squares that the opponent attacks
function attackedAt(ply: i32): u64 {
  return threats[threatsAt(ply) + KING];
}

// Data common to all moves of a node are passed as arguments, so a loop over the moves loads them once
function quietEntry(attacked: u64, us: Color, move: Move): i32 {
  const leaves = hasSquare(attacked, moveFrom(move)) ? 1 : 0;
  const meets = hasSquare(attacked, moveTo(move)) ? 1 : 0;
  return (((2 * leaves) | meets) << 13) | (us << 12) | (move & 0xfff);
}

// Start of the entries for the current pawn structure
function structureRow(): i32 {
  return (lowBits(keys.pawns) & (PAWN_STRUCTURES - 1)) * PIECE_TO;
}

// Start of the entries for the move made `back` plies before
function continuationRow(ply: i32, back: i32): i32 {
  return moveBefore(ply, back) * PIECE_TO;
}

function sumOf(entry: i32, structure: i32, last: i32, second: i32, fourth: i32): i32 {
  return (
    histories.butterfly[entry] +
    histories.pawn[structure] +
    histories.continuation[last] +
    histories.continuation[second] +
    (histories.continuation[fourth] >> 1)
  );
}

/** Returns the sum of a quiet move's histories, each within ±HISTORY_LIMIT. The one for the move four plies before counts half. */
export function quietHistory(ply: i32, move: Move): i32 {
  const to = pieceTo(move);
  return sumOf(
    quietEntry(attackedAt(ply), state.stm, move),
    structureRow() + to,
    continuationRow(ply, 1) + to,
    continuationRow(ply, 2) + to,
    continuationRow(ply, 4) + to,
  );
}

/** Writes the quietHistory of the quiet moves `moves[start..end)` to `values`, with common rows looked up once. */
export function quietHistories(ply: i32, start: i32, end: i32): void {
  const attacked = attackedAt(ply);
  const us = state.stm;
  const structure = structureRow();
  const last = continuationRow(ply, 1);
  const second = continuationRow(ply, 2);
  const fourth = continuationRow(ply, 4);
  for (let i = start; i < end; i++) {
    const move = moves[i];
    const to = pieceTo(move);
    values[i] = sumOf(quietEntry(attacked, us, move), structure + to, last + to, second + to, fourth + to);
  }
}

/** Rewards a quiet move that caused a cut-off, and penalises the quiet moves `tried.quiets[start..end)` that did not. */
export function rewardQuiet(move: Move, depth: i32, ply: i32, start: i32, end: i32): void {
  addToQuiet(ply, move, historyBonus(depth));
  for (let i = start; i < end; i++) addToQuiet(ply, tried.quiets[i], historyMalus(depth));
}

/** Rewards a late quiet move whose re-search after a reduction failed high (`isGood`), or penalises one whose re-search failed low. */
export function updatePostLmrHistory(move: Move, depth: i32, ply: i32, isGood: boolean): void {
  addToContinuations(ply, move, isGood ? historyBonus(depth) : historyMalus(depth));
}

/** Rewards a noisy move that caused a cut-off (NO_MOVE if a quiet one did), and penalises `tried.noisies[start..end)`, which did not. */
export function rewardNoisy(move: Move, depth: i32, start: i32, end: i32): void {
  if (move !== NO_MOVE) addToNoisy(move, historyBonus(depth));
  for (let i = start; i < end; i++) addToNoisy(tried.noisies[i], historyMalus(depth));
}

function historyBonus(depth: i32): i32 {
  return min(P.HISTORY_MAX, P.HISTORY_FACTOR * depth - P.HISTORY_OFFSET);
}

function historyMalus(depth: i32): i32 {
  return 0 - min(P.MALUS_MAX, P.MALUS_FACTOR * depth - P.MALUS_OFFSET);
}

function addToNoisy(move: Move, bonus: i32): void {
  const entry = noisyEntry(move);
  histories.capture[entry] += gravity(histories.capture[entry], bonus);
}

function addToQuiet(ply: i32, move: Move, bonus: i32): void {
  const entry = quietEntry(attackedAt(ply), state.stm, move);
  histories.butterfly[entry] += gravity(histories.butterfly[entry], bonus);
  const structure = structureRow() + pieceTo(move);
  histories.pawn[structure] += gravity(histories.pawn[structure], bonus);
  addToContinuations(ply, move, bonus);
}

function addToContinuations(ply: i32, move: Move, bonus: i32): void {
  for (let back = 1; back <= BACK; back *= 2) {
    if (moveBefore(ply, back) === NOTHING) continue;
    const entry = continuationRow(ply, back) + pieceTo(move);
    histories.continuation[entry] += gravity(histories.continuation[entry], bonus);
  }
}

/** Returns the change in a history value for a bonus. Changes shrink as the value approaches HISTORY_LIMIT (gravity). */
export function gravity(value: i32, bonus: i32): i32 {
  return bonus - (((value * abs(bonus)) / HISTORY_LIMIT) | 0);
}
