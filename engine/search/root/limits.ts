// Limits of a search by depth, nodes or time. With one thread, node limits are exact, so results can be reproduced.

import { P } from '../params.js';

/** The full increment is spent only if the clock, less the reserve for communication, is at least this many times the reserve. */
const SAVINGS = 5;

/** Limits of a search; an absent field imposes no limit. Times are in ms. */
export interface Limits {
  depth?: number;
  /** With one thread, the search ends at exactly this many nodes. */
  nodes?: number;
  /** No new iteration begins after this many nodes. */
  softNodes?: number;
  movetime?: number;
  wtime?: number;
  btime?: number;
  winc?: number;
  binc?: number;
  movestogo?: number;
  /** Ends once a mate in this many moves is proven. */
  mate?: number;
  infinite?: boolean;
  /** Whether to ponder, so the clock does not run until ponderhit. */
  ponder?: boolean;
  /** Root moves to consider; absent or empty means all. */
  searchMoves?: number[];
}

/** Returns the current time in ms. */
export type Now = () => number;

/** Time on a clock and increment per move, in ms. */
export interface OwnClock {
  time: number;
  increment: number;
}

/** Returns the side's clock, or undefined. */
export function ownClock(limits: Limits, isWhite: boolean): OwnClock | undefined {
  // Some GUIs send only one clock, which then counts for both sides
  const time = (isWhite ? limits.wtime : limits.btime) ?? limits.wtime ?? limits.btime;
  return time === undefined ? undefined : { time, increment: (isWhite ? limits.winc : limits.binc) ?? 0 };
}

/** Soft and hard limit for one move, in ms. */
type TimeBudget = Record<'soft' | 'hard', number>;

const UNLIMITED: TimeBudget = { soft: Number.POSITIVE_INFINITY, hard: Number.POSITIVE_INFINITY };

/**
 * Returns the soft and hard limit (ms) for one move; infinite without `movetime` and a clock. With both, the search takes `movetime`, but
 * no more than the clock's hard limit. The larger of `overhead` (ms) and twice the measured `lag` (ms), the latter capped at half of the
 * clock, is reserved for communication.
 */
export function timeBudget(limits: Limits, isWhite: boolean, overhead: number, lag = 0): TimeBudget {
  const { movetime } = limits;
  const clock = ownClock(limits, isWhite);
  // Some GUIs send clocks of 0 with movetime
  const hasClock = clock !== undefined && (clock.time > 0 || movetime === undefined);
  const budget = hasClock ? clockBudget(clock, limits.movestogo ?? 0, overhead, lag) : UNLIMITED;
  if (movetime === undefined) return budget;
  // A move may be slightly later than movetime, but a much shorter search would violate the request
  const time = Math.min(Math.max(1, movetime - Math.min(overhead, 10)), budget.hard);
  return { soft: time, hard: time };
}

function clockBudget(clock: OwnClock, moves: number, overhead: number, lag: number): TimeBudget {
  const kept = Math.max(overhead, Math.min(2 * lag, clock.time / 2));
  const usable = Math.max(1, clock.time - kept);
  // The part of the increment that the lag consumes cannot be spent
  const increment = (P.TM_INCREMENT / 100) * Math.max(0, clock.increment - lag);
  // If the clock is down to a few times the reserve, the increment is saved, because one pause of the machine would lose the game
  const saved = Math.min(1, usable / (SAVINGS * Math.max(1, kept)));
  const share = moves > 0 ? usable / Math.min(moves, 40) + increment : usable / P.TM_SHARE + increment * saved;
  const most = moves === 1 ? 0.85 : moves > 0 ? 0.5 : 0.4;
  const hard = Math.max(1, Math.min(most * usable, (P.TM_HARD / 100) * share));
  return { soft: Math.min((P.TM_SOFT / 100) * share, hard), hard };
}

// Scaling of the soft limit: lower if the best move has been stable for many depths and took most of the nodes, higher if its score falls.
// (Ideas: stability and falling evaluation, Stockfish; node share, Koivisto.)

/** Statistics of the search so far. */
interface Progress {
  /** Consecutive depths with the same best move. */
  stability: number;
  /** Decrease in score since the depth before last, in centipawns. */
  scoreDrop: number;
  /** Share of this thread's nodes spent on the best move, 0 to 1. */
  nodeShare: number;
}

/** Returns the factor for the soft limit, usually near 1. */
export function timeFactor({ stability, scoreDrop, nodeShare }: Progress): number {
  const settled = (P.TM_STABILITY_BASE - P.TM_STABILITY_STEP * Math.min(stability, 8)) / 100;
  const falling = Math.max(80, Math.min(P.TM_SCORE_MOST, 100 + (P.TM_SCORE_DROP * scoreDrop) / 100)) / 100;
  const effort = (P.TM_NODES_BASE - P.TM_NODES_SHARE * nodeShare) / 100;
  return settled * falling * effort;
}
