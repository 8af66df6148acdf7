// Search limits of a side (time control, time per move, nodes, depth), and the clock of a side. Times are in milliseconds; in text they are
// in seconds, as in cutechess and fastchess.

import { UserError } from '../common/errors.js';

/** `moves` moves in `time`, plus `increment` per move, both in ms. If `moves` is 0, `time` is for the whole game. */
export interface TimeControl {
  moves: number;
  time: number;
  increment: number;
}

/** Search limits of a side; the engine receives all that are set. */
export interface GameLimits {
  /** An engine's `tc=inf` is stored as undefined, and overrides the common clock. */
  tc?: TimeControl | undefined;
  movetime?: number;
  nodes?: number;
  depth?: number;
  margin: number;
  /** Time in ms after which a search without a clock counts as stalled. */
  stall: number;
  /** Whether the engine ponders; only with a clock. */
  ponder?: boolean;
}

/** Parses a time control; returns undefined for `inf`, which means no clock. */
export function parseClock(text: string, option = '--tc'): TimeControl | undefined {
  return text === 'inf' ? undefined : parseTimeControl(text, option);
}

/** Parses `time+inc` or `moves/time+inc`, in seconds or with the time as minutes:seconds; throws a UserError that names the option. */
export function parseTimeControl(text: string, option = '--tc'): TimeControl {
  const parts = /^(?:(\d+)\/)?(?:(\d+):)?(\d+\.?\d*|\.\d+)(?:\+(\d+\.?\d*|\.\d+))?$/.exec(text);
  const time = parts === null ? 0 : Math.round(1000 * (60 * Number(parts[2] ?? 0) + Number(parts[3])));
  if (parts === null || !(time > 0) || parts[1] === '0') {
    throw new UserError(`${option} takes a time control such as 8+0.08 or 40/60+0.6 (seconds), not '${text}'`, 2);
  }
  return { moves: Number(parts[1] ?? 0), time, increment: Math.round(1000 * Number(parts[4] ?? 0)) };
}

/** Returns the limits in the form of PGN's TimeControl tag: `40/60+0.6`, `0.1/move`, or `-` without a clock. */
export function timeControlTag(limits: GameLimits): string {
  const { tc, movetime } = limits;
  if (tc !== undefined) {
    const moves = tc.moves > 0 ? `${tc.moves}/` : '';
    return `${moves}${tc.time / 1000}${tc.increment > 0 ? `+${tc.increment / 1000}` : ''}`;
  }
  return movetime === undefined ? '-' : `${movetime / 1000}/move`;
}

/** Returns the limits as text, such as `8+0.08` or `10000 nodes per move`. */
export function describeLimits(limits: GameLimits): string {
  const parts: string[] = [];
  if (limits.tc !== undefined) parts.push(timeControlTag(limits));
  if (limits.movetime !== undefined) parts.push(`${limits.movetime / 1000} s per move`);
  if (limits.nodes !== undefined) parts.push(`${limits.nodes} nodes per move`);
  if (limits.depth !== undefined) parts.push(`depth ${limits.depth}`);
  if (limits.ponder === true) parts.push('pondering');
  return parts.join(', ');
}

/** The clock of one side in one game. The first move already includes its increment, as in cutechess and fastchess. */
export class GameClock {
  /** Milliseconds left, including the increment; meaningless without a time control. */
  left: number;
  private movesToGo: number;

  constructor(readonly limits: GameLimits) {
    this.left = limits.tc === undefined ? 0 : limits.tc.time + limits.tc.increment;
    this.movesToGo = limits.tc?.moves ?? 0;
  }

  /** Whether the side can lose on time: it has a clock or a time per move. */
  get isTimed(): boolean {
    return this.limits.tc !== undefined || this.limits.movetime !== undefined;
  }

  /** Returns the ms until the side loses on time; without a clock or a time per move, the stall limit. */
  allowance(): number {
    const { tc, movetime, margin, stall } = this.limits;
    if (!this.isTimed) return stall;
    return (
      margin + Math.min(tc === undefined ? Number.POSITIVE_INFINITY : this.left, movetime ?? Number.POSITIVE_INFINITY)
    );
  }

  /** Deducts the ms of a move and adds the increment. Returns false if the time exceeded the limit. */
  spend(milliseconds: number): boolean {
    const { tc } = this.limits;
    if (milliseconds > this.allowance()) return false;
    if (tc === undefined) return true;
    this.left = Math.max(0, this.left - milliseconds) + tc.increment;
    if (tc.moves > 0 && --this.movesToGo === 0) {
      this.movesToGo = tc.moves;
      this.left += tc.time;
    }
    return true;
  }

  /** Returns the `go` command with all limits of the mover; `white` is White's clock. */
  static go(white: GameClock, black: GameClock, whiteToMove: boolean): string {
    const mover = whiteToMove ? white : black;
    const { tc, movetime, nodes, depth } = mover.limits;
    let text = 'go';
    if (nodes !== undefined) text += ` nodes ${nodes}`;
    if (depth !== undefined) text += ` depth ${depth}`;
    if (movetime !== undefined) text += ` movetime ${movetime}`;
    if (tc !== undefined) {
      text += white.words('w') + black.words('b');
      if (tc.moves > 0) text += ` movestogo ${mover.movesToGo}`;
    }
    return text;
  }

  private words(side: 'w' | 'b'): string {
    const { tc } = this.limits;
    if (tc === undefined) return '';
    const increment = tc.increment > 0 ? ` ${side}inc ${tc.increment}` : '';
    return ` ${side}time ${Math.max(1, Math.floor(this.left))}${increment}`;
  }
}
