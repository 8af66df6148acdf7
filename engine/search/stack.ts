// What the parts of the search share: counters, the stop, static evaluations and principal variations by ply.

import { type Move, NO_MOVE } from '../board/move.js';
import type { Now } from './limits.js';
import { isOvertaken } from './overtaking.js';
import { MAX_PLY } from './score.js';

const LINE = MAX_PLY + 2;

/** Static evaluation for the side to move at each ply; NO_SCORE when in check. */
export const staticEvals = new Int32Array(LINE);

/** Principal variation from each ply: moves at `ply * (MAX_PLY + 2)`, as many as `pvLength[ply]`. */
const pv = new Int32Array(LINE * LINE);
const pvLength = new Int32Array(LINE);

/** Nodes searched, deepest ply reached; doubles, as analysis can outgrow 32 bits. */
export const counters = new Float64Array(2);
export const NODES = 0;
export const SELDEPTH = 1;

/** Ends the search: set to a value other than 0 by whoever wants it to stop, from any thread. */
export const STOP = 0;
/** Set once the opponent has played the move pondered on. */
export const PONDER_HIT = 1;
/** Counts changes of the other flags; a finished search that must not answer yet sleeps on it. */
export const WAKE = 2;

interface Control {
  flags: Int32Array;
  now: Now;
  /** Nodes at which the search must end, and at which the clock is next looked at. */
  nodeLimit: number;
  nextPoll: number;
  /** ms by `now` at which the search must end. */
  deadline: number;
  stopped: boolean;
  /** Depth in plies at which another thread overtakes this one, and whether it has. */
  depth: number;
  overtaken: boolean;
  /** The first depth is finished, whatever the clock or a stop says, unless it takes very many nodes. */
  isFirstDepth: boolean;
  /** Depth in plies of the present iteration. */
  rootDepth: number;
  /** Score of the root's principal variation. */
  rootScore: number;
  /** Called at each poll. */
  onPoll: () => void;
  /** Called before each root move with its number, from 1. */
  onRootMove: (move: Move, number: number) => void;
  /** Nodes of every thread that searches the position, as of its last poll, and which entry is this thread's. */
  threadNodes: Float64Array;
  thread: number;
}

export const control: Control = {
  flags: new Int32Array(new SharedArrayBuffer(12)),
  now: () => 0,
  nodeLimit: Number.POSITIVE_INFINITY,
  nextPoll: 0,
  deadline: Number.POSITIVE_INFINITY,
  stopped: false,
  depth: Number.POSITIVE_INFINITY,
  overtaken: false,
  isFirstDepth: false,
  rootDepth: 0,
  rootScore: 0,
  onPoll: () => {},
  onRootMove: () => {},
  threadNodes: new Float64Array(1),
  thread: 0,
};

const POLL_EVERY = 256;
/** Some milliseconds; with dozens of queens on the board the first depth may take hours. */
const FIRST_DEPTH_NODES = 10_000;

/** Counts a node; tells whether the search must end instead, in which case the node does not count. */
export function enterNode(ply: number): boolean {
  if (counters[NODES] >= control.nextPoll) poll();
  if (control.stopped) return true;
  counters[NODES]++;
  if (ply > counters[SELDEPTH]) counters[SELDEPTH] = ply;
  return false;
}

/** Returns the nodes of all threads: this one's as they are, the others' as of their last poll. */
export function totalNodes(): number {
  const { threadNodes, thread } = control;
  threadNodes[thread] = counters[NODES];
  let total = 0;
  for (let i = 0; i < threadNodes.length; i++) total += threadNodes[i];
  return total;
}

function poll(): void {
  control.onPoll();
  const isDue = Atomics.load(control.flags, STOP) !== 0 || control.now() >= control.deadline;
  const isGuarded = control.isFirstDepth && counters[NODES] < FIRST_DEPTH_NODES;
  if (totalNodes() >= control.nodeLimit || (isDue && !isGuarded)) control.stopped = true;
  if (isOvertaken(control.depth)) {
    control.overtaken = true;
    control.stopped = true;
  }
  control.nextPoll = Math.min(control.nodeLimit, counters[NODES] + POLL_EVERY);
}

/** Begins an empty principal variation at the ply. */
export function clearPv(ply: number): void {
  pvLength[ply] = 0;
}

/** Makes the ply's principal variation the move followed by the next ply's. */
export function updatePv(ply: number, move: Move): void {
  const at = ply * LINE;
  const below = at + LINE;
  const length = pvLength[ply + 1];
  pv[at] = move;
  for (let i = 0; i < length; i++) pv[at + 1 + i] = pv[below + i];
  pvLength[ply] = length + 1;
}

/** Returns the principal variation from the root. */
export function rootPv(): Move[] {
  return Array.from(pv.subarray(0, pvLength[0]));
}

/** Returns the first move of the root's principal variation, or NO_MOVE. */
export function rootBestMove(): Move {
  return pvLength[0] > 0 ? pv[0] : NO_MOVE;
}
