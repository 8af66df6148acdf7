// What the search remembers of moves across the tree: killers by ply, a butterfly history of quiet moves, and continuation
// histories: how a quiet move fared after the moves one, two and four plies before it. Captures have a history of their own, by piece, target and victim.

import { type Move, NO_MOVE } from '../board/move.js';
import { board as mailbox, STM, state as scalars } from '../board/position.js';
import { EMPTY } from '../board/types.js';
import { params } from './params.js';
import { MAX_PLY } from './score.js';

const state = scalars;
const board = mailbox;

/** Bound of a history value. */
export const HISTORY_LIMIT = 16384;

/** Two quiet moves that caused cut-offs at each ply. */
const killers = new Int32Array(2 * (MAX_PLY + 2));
/** Quiet moves by colour, from and to. */
const quiets = new Int32Array(2 * 64 * 64);

/** Pieces by the square they go to: how continuation histories name a move. */
const PIECE_TO = 16 * 64;
/** How many such names there are. */
export const MOVE_NAMES = PIECE_TO;
const continuations = new Int16Array(PIECE_TO * PIECE_TO);
/** Plies that continuation histories look back at most. */
const BACK = 4;
/** Stands for a null move, or for what came before the root. */
const NOTHING = EMPTY << 6;
/** The move made at each ply, as piece and target; BACK entries before the root. */
const made = new Int32Array(MAX_PLY + 2 + BACK).fill(NOTHING);

/** Notes the move about to be made at the ply, NO_MOVE for passing. */
export function noteMove(ply: number, move: Move): void {
  made[ply + BACK] = move === NO_MOVE ? NOTHING : pieceTo(move);
}

/** Returns the name of the move that led to the ply, by piece and target. */
export function moveBefore(ply: number): number {
  return made[ply + BACK - 1];
}

function pieceTo(move: Move): number {
  return (board[move & 63] << 6) | ((move >>> 6) & 63);
}

/** Captures and promotions by moving piece and target, and the victim's type. */
const noisies = new Int16Array(PIECE_TO * 8);

/** Returns how well a capture or promotion has fared, within ±HISTORY_LIMIT. */
export function noisyHistory(move: Move): number {
  return noisies[(pieceTo(move) << 3) | (board[(move >>> 6) & 63] & 7)];
}

/** Forgets everything: a new game. */
export function clearHistory(): void {
  noisies.fill(0);
  continuations.fill(0);
  killers.fill(NO_MOVE);
  quiets.fill(0);
}

/** Forgets the killers of a ply, which belong to another subtree. */
export function clearKillers(ply: number): void {
  killers[2 * ply] = NO_MOVE;
  killers[2 * ply + 1] = NO_MOVE;
}

/** Returns the first (0) or second (1) killer of the ply. */
export function killer(ply: number, index: number): Move {
  return killers[2 * ply + index];
}

/** Returns how well a quiet move of the side to move has fared: the sum of its histories, each within ±HISTORY_LIMIT, that of four plies ago by half. */
export function quietHistory(ply: number, move: Move): number {
  const to = pieceTo(move);
  return (
    quiets[(state[STM] << 12) | (move & 0xfff)] +
    continuations[made[ply + BACK - 1] * PIECE_TO + to] +
    continuations[made[ply + BACK - 2] * PIECE_TO + to] +
    (continuations[made[ply + BACK - 4] * PIECE_TO + to] >> 1)
  );
}

/** Records a quiet move that caused a cut-off, and the quiet moves `tried[start..end)` that did not. */
export function rewardQuiet(
  move: Move,
  depth: number,
  ply: number,
  tried: Int32Array,
  start: number,
  end: number,
): void {
  if (killers[2 * ply] !== move) {
    killers[2 * ply + 1] = killers[2 * ply];
    killers[2 * ply] = move;
  }
  const bonus = historyBonus(depth);
  addToQuiet(ply, move, bonus);
  for (let i = start; i < end; i++) addToQuiet(ply, tried[i], -bonus);
}

/** Records what a search to the depth said of a late quiet move that had looked good at a reduced one: whether it `isGood`. */
export function rewardLate(move: Move, depth: number, ply: number, isGood: boolean): void {
  const bonus = historyBonus(depth);
  addToContinuations(ply, move, isGood ? bonus : -bonus);
}

/** Records a capture that caused a cut-off (NO_MOVE if a quiet move did), and the captures `tried[start..end)` that did not. */
export function rewardNoisy(move: Move, depth: number, tried: Int32Array, start: number, end: number): void {
  const bonus = historyBonus(depth);
  if (move !== NO_MOVE) addToNoisy(move, bonus);
  for (let i = start; i < end; i++) addToNoisy(tried[i], -bonus);
}

function historyBonus(depth: number): number {
  return Math.min(params.historyMax, params.historyFactor * depth - params.historyOffset);
}

function addToNoisy(move: Move, bonus: number): void {
  const entry = (pieceTo(move) << 3) | (board[(move >>> 6) & 63] & 7);
  noisies[entry] += gravity(noisies[entry], bonus);
}

function addToQuiet(ply: number, move: Move, bonus: number): void {
  const entry = (state[STM] << 12) | (move & 0xfff);
  quiets[entry] += gravity(quiets[entry], bonus);
  addToContinuations(ply, move, bonus);
}

function addToContinuations(ply: number, move: Move, bonus: number): void {
  const to = pieceTo(move);
  for (let back = 1; back <= BACK; back *= 2) {
    const before = made[ply + BACK - back];
    if (before === NOTHING) continue;
    const continuation = before * PIECE_TO + to;
    continuations[continuation] += gravity(continuations[continuation], bonus);
  }
}

// History gravity: the nearer to its limit, the less a value grows
function gravity(value: number, bonus: number): number {
  return bonus - (((value * Math.abs(bonus)) / HISTORY_LIMIT) | 0);
}
