// When a search ends: depth, nodes, time, or a stop from outside. Node limits are exact, so that runs can be repeated.

import { P } from '../params.js';

/** Time kept back for the way between engine and GUI, in ms: a busy machine pauses a Node process for longer than a native one. */
export const DEFAULT_MOVE_OVERHEAD = 30;

/** Overheads that should be on the clock before the increment is spent in full. */
const SAVINGS = 5;

/** What a search may use; absent fields do not limit. Times in ms. */
export interface Limits {
  depth?: number;
  /** The search ends at exactly this many nodes. */
  nodes?: number;
  /** No new iteration begins after this many nodes. */
  softNodes?: number;
  movetime?: number;
  wtime?: number;
  btime?: number;
  winc?: number;
  binc?: number;
  movestogo?: number;
  /** Ends when a mate in so many moves is proven. */
  mate?: number;
  infinite?: boolean;
  /** The search waits for ponderhit: the clock does not count yet. */
  ponder?: boolean;
  /** Root moves to consider; absent or empty means all. */
  searchMoves?: number[];
}

/** Reads a clock in ms. */
export type Now = () => number;

/** Time to aim at and time never to exceed, in ms from the start of the search. */
export interface TimeBudget {
  soft: number;
  hard: number;
}

/** Time on a clock and what is added for each move, in ms. */
export interface OwnClock {
  time: number;
  increment: number;
}

/** Returns the side's clock; undefined where none runs. */
export function ownClock(limits: Limits, isWhite: boolean): OwnClock | undefined {
  // A GUI that tells one clock only is better answered as if both showed that time than never
  const time = (isWhite ? limits.wtime : limits.btime) ?? limits.wtime ?? limits.btime;
  return time === undefined ? undefined : { time, increment: (isWhite ? limits.winc : limits.binc) ?? 0 };
}

/**
 * Returns the time that the clock allows for one move; both infinite without a clock. `overhead` (ms) is kept back for the way to the GUI,
 * or twice the `lag` (ms) that was seen on a busy machine, but not more than half of the clock.
 */
export function timeBudget(limits: Limits, isWhite: boolean, overhead: number, lag = 0): TimeBudget {
  if (limits.movetime !== undefined) {
    // A late answer costs little here, and a time far below the one asked for is no answer to it
    const time = Math.max(1, limits.movetime - Math.min(overhead, 10));
    return { soft: time, hard: time };
  }
  const clock = ownClock(limits, isWhite);
  if (clock === undefined) return { soft: Number.POSITIVE_INFINITY, hard: Number.POSITIVE_INFINITY };
  const kept = Math.max(overhead, Math.min(2 * lag, clock.time / 2));
  const usable = Math.max(1, clock.time - kept);
  // What the way to the GUI takes of an increment cannot be spent
  const increment = (P.TM_INCREMENT / 100) * Math.max(0, clock.increment - lag);
  if (limits.movestogo !== undefined && limits.movestogo > 0) {
    const share = usable / Math.min(limits.movestogo, 40) + increment;
    const hard = Math.min(limits.movestogo === 1 ? 0.85 * usable : 0.5 * usable, (P.TM_HARD / 100) * share);
    return { soft: Math.min((P.TM_SOFT / 100) * share, hard), hard: Math.max(1, hard) };
  }
  // Down to some overheads, time is saved rather than spent as it comes in: one pause of the machine would lose the game
  const saved = Math.min(1, usable / (SAVINGS * Math.max(1, kept)));
  const share = usable / P.TM_SHARE + increment * saved;
  const hard = Math.max(1, Math.min(0.4 * usable, (P.TM_HARD / 100) * share));
  return { soft: Math.min((P.TM_SOFT / 100) * share, hard), hard };
}
