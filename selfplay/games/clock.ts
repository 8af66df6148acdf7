// Search limits of a side (time control, time per move, nodes, depth), the clock of a side, and the detection of pauses of this process.
// Times are in milliseconds; in text they are in seconds, as in cutechess and fastchess.

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
  const time = parts === null ? 0 : 1000 * (60 * Number(parts[2] ?? 0) + Number(parts[3]));
  if (parts === null || !(time > 0) || parts[1] === '0') {
    throw new UserError(`${option} takes a time control such as 8+0.08 or 40/60+0.6 (seconds), not '${text}'`, 2);
  }
  return { moves: Number(parts[1] ?? 0), time: Math.round(time), increment: Math.round(1000 * Number(parts[4] ?? 0)) };
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

// Detects pauses of this process, which may be stopped, suspended with its machine or denied CPU time. After a pause, the output of an
// engine is read late, so its time of arrival is unknown. A timer ticks every BEAT_MS; a gap above PAUSE_MS between two ticks is a pause.
// The clock is monotonic, so changes to the system time have no effect.

const BEAT_MS = 100;
/** Above the usual timer delays of a busy machine. */
const PAUSE_MS = 350;

/** Shorter delays of the timer are not recorded. */
const LEAST_DELAY_MS = 20;
const MOST_DELAYS = 600;

let count = 0;
interface Delay {
  end: number;
  delay: number;
}
const delays: Delay[] = [];
/** The delay of the timer's next tick, if it is late already. */
let late: Delay | undefined;
let lastSign = 0;
/** When the timer ticks next, if nothing delays it. */
let nextBeat = 0;
let timer: NodeJS.Timeout | undefined;
let lastRead = 0;
/** Total length of all pauses of this thread in ms. */
let suspended = 0;

/** Returns the number of process pauses since the first call. A difference between two calls is a pause between them. */
export function pausesSoFar(): number {
  const now = performance.now();
  if (timer === undefined) {
    timer = setInterval(beat, BEAT_MS).unref();
    nextBeat = now + BEAT_MS;
  } else if (now - lastSign > PAUSE_MS) count++;
  const delay = now - nextBeat;
  if (delay > LEAST_DELAY_MS) {
    if (late === undefined) {
      late = { end: now, delay };
      delays.push(late);
    } else Object.assign(late, { end: now, delay });
    if (delays.length > MOST_DELAYS) delays.shift();
  }
  lastSign = now;
  return count;
}

function beat(): void {
  pausesSoFar();
  late = undefined;
  nextBeat = performance.now() + BEAT_MS;
}

/** Returns the longest delay of this process in ms that ended after `since` (performance.now()). Delays are kept for at least a minute. */
export function longestDelay(since: number): number {
  pausesSoFar();
  return delays.reduce((longest, { end, delay }) => (end > since ? Math.max(longest, delay) : longest), 0);
}

/** Returns the time in ms without pauses of this thread. Searches must read it every few milliseconds, because a gap counts as a pause. */
export function workingTime(): number {
  const now = performance.now();
  if (now - lastRead > PAUSE_MS) suspended += now - lastRead;
  lastRead = now;
  return now - suspended;
}
