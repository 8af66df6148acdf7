// External control of a search: limits, stop and ponder flags, callbacks, and the nodes of other threads.

import { host, sharedMemory } from '../../kernel/primitives.js';
import { counters, pv, pvLength, signals } from '../plies.js';
import { isOvertaken } from './deepest-line.js';
import { STOP } from './flags.js';
import type { Now } from './limits.js';

export const control = {
  flags: new Int32Array(sharedMemory(12)) as Int32Array,
  now: (() => 0) as Now,
  /** Node count at which the search must end. */
  nodeLimit: Number.POSITIVE_INFINITY,
  /** Time in ms, as returned by `now`, at which the search must end. */
  deadline: Number.POSITIVE_INFINITY,
  /** Depth of this iteration in plies, infinite if it cannot be overtaken. `overtaken`: another thread has finished this depth or more. */
  depth: Number.POSITIVE_INFINITY,
  overtaken: false,
  /** Whether depth 1 is in progress, which ignores clock and stop for its first nodes. */
  isFirstDepth: false,
  /** Called at each poll. */
  onPoll: (): void => {},
  /** Called before each root move with its number, from 1. */
  onRootMove: (_move: Move, _number: number): void => {},
  /** Nodes of every thread that searches the position, as of its last poll, and the index of this thread. */
  threadNodes: new Float64Array(1) as Float64Array,
  thread: 0,
};

const POLL_EVERY = 256;
/** Nodes for which depth 1 ignores clock and stop, a few milliseconds. With dozens of queens on the board, depth 1 could take hours. */
const FIRST_DEPTH_NODES = 10_000;

/** Returns the total nodes of all threads; other threads are counted as of their last poll. */
export function totalNodes(): number {
  const { threadNodes, thread } = control;
  threadNodes[thread] = counters.nodes;
  let total = 0;
  for (let i = 0; i < threadNodes.length; i++) total += threadNodes[i];
  return total;
}

function poll(): void {
  control.onPoll();
  const isDue = Atomics.load(control.flags, STOP) !== 0 || control.now() >= control.deadline;
  const isGuarded = control.isFirstDepth && counters.nodes < FIRST_DEPTH_NODES;
  if (totalNodes() >= control.nodeLimit || (isDue && !isGuarded)) signals.stopped = 1;
  if (isOvertaken(control.depth)) {
    control.overtaken = true;
    signals.stopped = 1;
  }
  counters.nextPoll = Math.min(control.nodeLimit, counters.nodes + POLL_EVERY);
}

/** Returns the principal variation from the root. */
export function rootPv(): Move[] {
  return Array.from(pv.subarray(0, pvLength[0]));
}

host.poll = poll;
host.onRootMove = (move, number) => control.onRootMove(move, number);
host.isStopRaised = () => Atomics.load(control.flags, STOP) !== 0;
