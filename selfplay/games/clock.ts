// Search limits of a game (time control, time per move, nodes, depth) and the clock of a side. Times are milliseconds; the text
// forms are seconds, as in cutechess and fastchess.

import { UserError } from '../common/errors.js';

/** `moves` in `time`, plus `increment` a move; moves 0: the whole game in `time`. */
export interface TimeControl {
  moves: number;
  time: number;
  increment: number;
}

/** What limits a side's searches; several at once are all sent. `margin`: how late an answer may be without losing. */
export interface GameLimits {
  tc?: TimeControl;
  movetime?: number;
  nodes?: number;
  depth?: number;
  margin: number;
  /** How long a search may take where no clock runs, before the engine counts as stalled. */
  stall: number;
  /** Think in the opponent's time too; only where a clock runs. */
  ponder?: boolean;
}

/** Returns the time control of the text, undefined for `inf`: no clock. */
export function parseClock(text: string, option = '--tc'): TimeControl | undefined {
  return text === 'inf' ? undefined : parseTimeControl(text, option);
}

/** Reads `time+inc`, `moves/time+inc` (time also as minutes:seconds); a wrong one throws a UserError naming the option. */
export function parseTimeControl(text: string, option = '--tc'): TimeControl {
  const parts = /^(?:(\d+)\/)?(?:(\d+):)?(\d+\.?\d*|\.\d+)(?:\+(\d+\.?\d*|\.\d+))?$/.exec(text);
  const time = parts === null ? 0 : 1000 * (60 * Number(parts[2] ?? 0) + Number(parts[3]));
  if (parts === null || !(time > 0) || parts[1] === '0') {
    throw new UserError(`${option} takes a time control such as 8+0.08 or 40/60+0.6 (seconds), not '${text}'`, 2);
  }
  return { moves: Number(parts[1] ?? 0), time: Math.round(time), increment: Math.round(1000 * Number(parts[4] ?? 0)) };
}

/** Returns the limits as PGN's TimeControl tag has them: `40/60+0.6`, `0.1/move`, `-` where no clock runs. */
export function timeControlTag(limits: GameLimits): string {
  const { tc, movetime } = limits;
  if (tc !== undefined) {
    const moves = tc.moves > 0 ? `${tc.moves}/` : '';
    return `${moves}${tc.time / 1000}${tc.increment > 0 ? `+${tc.increment / 1000}` : ''}`;
  }
  return movetime === undefined ? '-' : `${movetime / 1000}/move`;
}

/** Returns the limits in words, as in `8+0.08` or `10000 nodes per move`. */
export function describeLimits(limits: GameLimits): string {
  const parts: string[] = [];
  if (limits.tc !== undefined) parts.push(timeControlTag(limits));
  if (limits.movetime !== undefined) parts.push(`${limits.movetime / 1000} s per move`);
  if (limits.nodes !== undefined) parts.push(`${limits.nodes} nodes per move`);
  if (limits.depth !== undefined) parts.push(`depth ${limits.depth}`);
  if (limits.ponder === true) parts.push('pondering');
  return parts.join(', ');
}

/** The clock of one side in one game. The first move has its increment already, as in cutechess and fastchess. */
export class GameClock {
  readonly limits: GameLimits;
  /** Milliseconds left to the side, its increment included; meaningless without a time control. */
  left: number;
  private movesToGo: number;

  constructor(limits: GameLimits) {
    this.limits = limits;
    this.left = limits.tc === undefined ? 0 : limits.tc.time + limits.tc.increment;
    this.movesToGo = limits.tc?.moves ?? 0;
  }

  /** Whether a clock or a time per move runs, so that the side can lose on time. */
  get isTimed(): boolean {
    return this.limits.tc !== undefined || this.limits.movetime !== undefined;
  }

  /** Milliseconds the side may take for its move before it has lost on time; where no clock runs, the stall limit. */
  allowance(): number {
    const { tc, movetime, margin, stall } = this.limits;
    if (!this.isTimed) return stall;
    return (
      margin + Math.min(tc === undefined ? Number.POSITIVE_INFINITY : this.left, movetime ?? Number.POSITIVE_INFINITY)
    );
  }

  /** Takes a move's time off; returns false when it was more than allowed. */
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

  /** Returns the clock fields of `go`; `white` is White's clock. */
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

// Notices when this process stood still: stopped, frozen with its machine, or kept from the processor. What an engine sent meanwhile
// was read late, so that the time it took is not known. A timer gives a sign of life every now and then; a gap between two is a pause.
// The clock is monotonic: setting the machine's time is no pause.

const BEAT_MS = 100;
/** Longer than a busy machine delays a timer. */
const PAUSE_MS = 350;

let count = 0;
let lastSign = 0;
let timer: NodeJS.Timeout | undefined;
let lastRead = 0;
let stoodStill = 0;

/** Returns the number of process pauses since the first call. A difference between two calls is a pause between them. */
export function pausesSoFar(): number {
  const now = performance.now();
  if (timer === undefined) timer = setInterval(pausesSoFar, BEAT_MS).unref();
  else if (now - lastSign > PAUSE_MS) count++;
  lastSign = now;
  return count;
}

/** Returns the time in ms without pauses of this thread: for searches, which read the time every few milliseconds. */
export function workingTime(): number {
  const now = performance.now();
  if (now - lastRead > PAUSE_MS) stoodStill += now - lastRead;
  lastRead = now;
  return now - stoodStill;
}
