// Iterative deepening from the root, with aspiration windows, MultiPV, and stop conditions.

import { isInCheck } from '../../board/kernel.js';
import { NO_MOVE } from '../../board/move.js';
import { keys, state } from '../../board/position.js';
import { legalMoves } from '../../board/rules.js';
import { WHITE } from '../../board/types.js';
import { evaluate } from '../../eval/kernel.js';
import { kernel } from '../kernel.js';
import { P } from '../params.js';
import { counters, rootEffort, rootMoves, signals } from '../plies.js';
import { DRAW, INFINITE, MATE, MATE_BOUND, MAX_PLY, mateMoves } from '../score.js';
import { ageTable, dropEntry, hashfull } from '../tt/memory.js';
import { control, rootPv, totalNodes } from './control.js';
import { deepestFinished, type Finished, publish, shownPv } from './deepest-line.js';
import { PONDER_HIT, STOP } from './flags.js';
import { expectClock, learnLag, unlearnLag } from './lag.js';
import { type Limits, type OwnClock, ownClock, timeBudget, timeFactor } from './limits.js';

/** A reported line: score in centipawns for the side to move, time in ms, hashfull per mille. */
export interface SearchInfo extends Finished {
  /** 1 for the best line. */
  multipv: number;
  bound: 'exact' | 'lower' | 'upper';
  nodes: number;
  time: number;
  hashfull: number;
}

export interface SearchResult {
  /** NO_MOVE if there is no legal move. */
  bestMove: Move;
  /** The expected reply, or NO_MOVE. */
  ponderMove: Move;
  /** The principal variation. */
  pv: Move[];
  /** Centipawns for the side to move. */
  score: number;
  depth: number;
  nodes: number;
}

/** A root move about to be searched. */
export interface RootMove {
  depth: number;
  move: Move;
  /** 1 for the first. */
  number: number;
}

export interface SearchOptions {
  multiPv: number;
  /** Overhead per move in ms. */
  moveOverhead: number;
  /** Called for each root move once the search has run for a few seconds. */
  onRootMove?: (progress: RootMove) => void;
  /** Called every few hundred nodes. */
  onPoll: () => void;
}

type Line = Pick<SearchInfo, 'depth' | 'seldepth' | 'score' | 'bound' | 'pv'>;

/** Search time in ms before root moves and bounds are reported, to avoid flooding the GUI. */
const REPORT_PROGRESS_AFTER = 3000;
/** Minimum depth in plies at which helper threads search ahead; lower depths end too soon. */
const LEAST_AHEAD = 5;

/** Searches the position within the limits and returns the best move; calls `onInfo` for each reported line. */
export function iterate(limits: Limits, options: SearchOptions, onInfo?: (info: SearchInfo) => void): SearchResult {
  const moves = chooseRootMoves(limits);
  const start = control.now();
  const clock = startClock(limits, options);
  if (moves.length === 0) {
    const score = isInCheck() ? -MATE : DRAW;
    onInfo?.({ depth: 0, seldepth: 0, multipv: 1, score, bound: 'exact', nodes: 0, time: 0, hashfull: 0, pv: [] });
    return { bestMove: NO_MOVE, ponderMove: NO_MOVE, pv: [], score, depth: 0, nodes: 0 };
  }

  const elapsed = (): number => Math.round(control.now() - start);
  // The answer uses the line as reported, because other threads may have changed the table entries that extended it
  let shown: Move[] = [];
  const report = (line: Line, multipv: number): void => {
    if (onInfo === undefined) return;
    const pv = shownPv(line.pv, line.score);
    if (multipv === 1) shown = pv;
    onInfo({ ...line, multipv, nodes: totalNodes(), time: elapsed(), hashfull: hashfull(), pv });
  };
  const reportFail = (line: Line, multipv: number): void => {
    if (elapsed() >= REPORT_PROGRESS_AFTER && Math.abs(line.score) < MATE_BOUND) report(line, multipv);
  };

  const { onRootMove } = options;
  const lineCount = Math.min(options.multiPv, moves.length);
  const maxDepth = Math.min(limits.depth ?? MAX_PLY - 1, MAX_PLY - 1);
  const scores: number[] = [];
  let stability = 0;
  let lines: Line[] = [];
  let finishedDepth = 0;
  for (const move of moves) rootEffort[move] = 0;
  for (let depth = 1; depth <= Math.max(1, maxDepth); depth++) {
    if (depth < maxDepth && isLeadersDepth(depth)) depth++;
    control.isFirstDepth = depth === 1;
    control.onRootMove = (move, number) => {
      if (onRootMove !== undefined && elapsed() >= REPORT_PROGRESS_AFTER) onRootMove({ depth, move, number });
    };
    // Helpers find only one line, so they cannot overtake a search of several
    control.depth = lineCount === 1 && depth > 1 ? depth : Number.POSITIVE_INFINITY;
    control.overtaken = false;
    const before = lines[0]?.pv[0];
    const found = searchLines(depth, moves, lineCount, lines, reportFail);
    const overtaker = control.overtaken ? deepestFinished() : null;
    if (overtaker !== null) {
      signals.stopped = 0;
      lines = [{ ...overtaker, bound: 'exact' }];
      depth = overtaker.depth;
    } else {
      // A single line from an aborted depth is used, because its move is at least as good as the one from the last depth. Several lines
      // would mix depths, and a bound is not an exact score
      const isWhole = signals.stopped === 0 || (lineCount === 1 && found[0]?.bound === 'exact');
      // A move that allows mate does not prove the position lost until the other moves have been searched
      const isLost = signals.stopped !== 0 && found.some(({ score }) => score <= -MATE_BOUND);
      if (found.length > 0 && (isWhole || lines.length === 0) && !isLost) lines = found;
      if (lines.length === 0) lines = [{ depth, seldepth: 1, score: evaluate(), bound: 'exact', pv: [moves[0]] }];
      if (lineCount === 1 && signals.stopped === 0) publish(lines[0]);
    }
    // `bestmove` must match the last reported line, even if the depth was aborted
    for (const [k, line] of lines.entries()) report(line, k + 1);
    if (signals.stopped !== 0) break;
    finishedDepth = depth;
    const [{ score, pv }] = lines;
    stability = pv[0] === before ? stability + 1 : 0;
    scores.push(score);
    const nodeShare = rootEffort[pv[0]] / Math.max(1, counters.nodes);
    const factor = timeFactor({ stability, scoreDrop: (scores.at(-3) ?? score) - score, nodeShare });
    if (isDone(limits, score, clock, factor, moves.length)) break;
  }
  const { own } = clock;
  // The clock does not run before a ponderhit
  const hasRun = limits.ponder !== true || Atomics.load(control.flags, PONDER_HIT) !== 0;
  if (own !== undefined && !hasRun) unlearnLag();
  else if (own !== undefined) expectClock(state.stm, own.time + own.increment - (control.now() - clock.start));
  // A search of only some moves does not give the value of the position
  if (moves.length < legalMoves().length) dropEntry(keys.position);
  const [best] = lines;
  const pv = onInfo === undefined ? shownPv(best.pv, best.score) : shown;
  const [bestMove, ponderMove = NO_MOVE] = pv;
  return { bestMove, ponderMove, pv, score: best.score, depth: finishedDepth, nodes: totalNodes() };
}

// A helper searches one depth ahead, so its table entries are new to the leader, and overtakes the leader if it finishes first
function isLeadersDepth(depth: number): boolean {
  return control.thread > 0 && depth >= LEAST_AHEAD && deepestFinished()?.depth === depth - 1;
}

// The order matters only if the search ends before it has finished a move, because it then returns the first one
function chooseRootMoves(limits: Limits): Move[] {
  const legal = legalMoves();
  const wanted = new Set(limits.searchMoves);
  return wanted.size === 0 ? legal : [...wanted].filter((move) => legal.includes(move));
}

/** Start of the move's time, soft limit in ms, and the side's clock if there is one. */
interface Clock {
  start: number;
  soft: number;
  own: OwnClock | undefined;
}

// While pondering the clock does not run; ponderhit starts it and sets the deadline
function startClock(limits: Limits, options: SearchOptions): Clock {
  const isWhite = state.stm === WHITE;
  const own = ownClock(limits, isWhite);
  const lag = own === undefined ? 0 : learnLag(state.stm, own.time);
  const { soft, hard } = timeBudget(limits, isWhite, options.moveOverhead, lag);
  const clock: Clock = { start: control.now(), soft, own };
  const start = (): void => {
    clock.start = control.now();
    control.deadline = clock.start + hard;
    control.onPoll = options.onPoll;
  };
  counters.nodes = 0;
  counters.nextPoll = 0;
  signals.stopped = 0;
  control.nodeLimit = limits.nodes ?? Number.POSITIVE_INFINITY;
  control.deadline = Number.POSITIVE_INFINITY;
  if (limits.ponder !== true) start();
  else {
    control.onPoll = () => {
      options.onPoll();
      if (Atomics.load(control.flags, PONDER_HIT) !== 0) start();
    };
  }
  ageTable();
  return clock;
}

/** Returns the best lines at the depth, best first; fewer than `lineCount` if the search was stopped. */
function searchLines(
  depth: number,
  moves: Move[],
  lineCount: number,
  previous: Line[],
  onFail: (line: Line, multipv: number) => void,
): Line[] {
  const lines: Line[] = [];
  counters.seldepth = 0;
  for (let k = 0; k < lineCount; k++) {
    const left = moves.filter((move) => !lines.some((line) => line.pv[0] === move));
    rootMoves.set(left);
    rootMoves[left.length] = NO_MOVE;
    signals.rootLine = k;
    const line = aspirate(depth, previous[k], (failed) => onFail(failed, k + 1));
    if (line !== null) lines.push(line);
    if (signals.stopped !== 0) break;
  }
  return lines.sort((a, b) => b.score - a.score);
}

/** Searches with a window around the last depth's score, widened while the score falls outside; returns null if nothing was found. */
function aspirate(depth: number, previous: Line | undefined, onFail: (line: Line) => void): Line | null {
  const expected = previous?.score ?? DRAW;
  const lineOf = (score: number, bound: Line['bound'], pv: Move[]): Line => {
    return { depth, seldepth: counters.seldepth + 1, score, bound, pv };
  };
  let delta = P.ASPIRATION_DELTA;
  let alpha = depth >= P.ASPIRATION_DEPTH ? Math.max(-INFINITE, expected - delta) : -INFINITE;
  let beta = depth >= P.ASPIRATION_DEPTH ? Math.min(INFINITE, expected + delta) : INFINITE;
  let reduced = 0;
  let best: Line | null = null;
  for (;;) {
    const score = kernel.alphaBeta(alpha, beta, Math.max(1, depth - reduced), 0, false);
    const pv = rootPv();
    if (signals.stopped !== 0) return pv.length > 0 ? lineOf(signals.rootScore, 'exact', pv) : best;
    if (score > alpha && score < beta) return lineOf(score, 'exact', pv);
    const isLow = score <= alpha;
    if (isLow) {
      const known = best ?? previous;
      if (known !== undefined) onFail(lineOf(score, 'upper', known.pv));
      beta = (alpha + beta) >> 1;
      alpha = Math.max(-INFINITE, score - delta);
      reduced = 0;
    } else {
      if (pv.length > 0) best = lineOf(score, 'lower', pv);
      if (best !== null) onFail(best);
      beta = Math.min(INFINITE, score + delta);
      if (score < MATE_BOUND) reduced = Math.min(3, reduced + 1);
    }
    delta += delta >> 1;
    if (delta > 1000 || Math.abs(score) >= MATE_BOUND) {
      if (isLow) alpha = -INFINITE;
      else beta = INFINITE;
    }
  }
}

function isDone(limits: Limits, score: number, clock: Clock, factor: number, moveCount: number): boolean {
  // A ponderhit since the last poll starts the clock
  control.onPoll();
  if (limits.mate !== undefined && Math.abs(score) >= MATE_BOUND && Math.abs(mateMoves(score)) <= limits.mate)
    return true;
  if (limits.softNodes !== undefined && totalNodes() >= limits.softNodes) return true;
  if (limits.ponder === true && Atomics.load(control.flags, PONDER_HIT) === 0) return false;
  if (Atomics.load(control.flags, STOP) !== 0) return true;
  const hasClock = clock.soft !== Number.POSITIVE_INFINITY && limits.movetime === undefined;
  return hasClock && (moveCount === 1 || control.now() - clock.start >= clock.soft * factor);
}
