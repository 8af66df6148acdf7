// The clocks of a game (minutes per side and an increment in seconds), and the result when it ends on the board or on time. The clock of
// the side to move runs from the second ply to the end of the game; taking back a move restores the times before it.

import type { GameEnd, Position, SearchRequest } from '../../engine/library/types.js';
import { type Game, present } from './game.js';
import { element } from './view.js';

export type Side = Position['turn'];
type Times = Readonly<Record<Side, number>>;

/** Interval between ticks in ms, and time in ms below which tenths are shown. */
const TICK = 100;
const SHORT = 20_000;
/** Remaining times in ms that are announced. */
const ANNOUNCED = [60_000, 30_000, 10_000];

/** Returns a clock time such as `1:02:03`, `4:59`, or `9.4` for the last seconds. */
function shownTime(ms: number): string {
  if (ms < SHORT) return (Math.floor(Math.max(0, ms) / 100) / 10).toFixed(1);
  const seconds = Math.ceil(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [hours, minutes, rest] = parts.map((part) => `${part}`.padStart(2, '0'));
  return parts[0] > 0 ? `${parts[0]}:${minutes}:${rest}` : `${Number(minutes) + 60 * Number(hours)}:${rest}`;
}

export class ChessClock {
  /** The side whose time is up. */
  flagged: Side | null = null;
  /** In ms; 0 without a clock. */
  private base = 0;
  private increment = 0;
  private game: Game = [];
  /** Clock times by position. */
  private history: Times[] = [];
  private running: Side | null = null;
  private since = 0;
  /** Time in ms of the running side at the last tick, or when its clock started. */
  private before = 0;

  /** Calls `onFlag` when a side's time is up, and `announce` when it runs short. */
  constructor(
    private readonly onFlag: () => void,
    private readonly announce: (words: string) => void,
  ) {
    setInterval(() => this.tick(), TICK);
  }

  /** Sets both clocks from text such as `3+2` (minutes and seconds); any other text means no clock. */
  set(words: string): void {
    const [, minutes, seconds] = /^(\d+)\+(\d+)$/.exec(words) ?? [];
    this.base = 60_000 * Number(minutes ?? 0);
    this.increment = 1000 * Number(seconds ?? 0);
    this.game = [];
  }

  /** Updates the game; the side to move is timed if `isTimed`. */
  follow(game: Game, isTimed: boolean): void {
    const last = this.game.length - 1;
    const isMove = last >= 0 && game.length === last + 2 && game[last] === this.game[last];
    const isBack = game.length <= last + 1 && game[game.length - 1] === this.game[game.length - 1];
    const now = this.now();
    if (isMove && this.running !== null) {
      this.history.push({ ...now, [this.running]: now[this.running] + this.increment });
    } else if (isMove) this.history.push(now);
    else if (!isBack) this.history = game.map(() => ({ white: this.base, black: this.base }));
    else if (game.length <= last) this.history.length = game.length;
    else this.history[last] = now;
    if (game !== this.game) this.flagged = null;
    this.game = game;
    this.since = performance.now();
    const { turn, end } = present(game);
    this.running = isTimed && this.base > 0 && game.length > 1 && this.flagged === null && end === null ? turn : null;
    this.before = this.running === null ? 0 : this.now()[this.running];
    element('clocks').hidden = this.base === 0 || !isTimed;
    this.show();
  }

  /** Returns the limits of a search, or null without a clock. */
  limits(): Pick<SearchRequest, 'wtime' | 'btime' | 'winc' | 'binc'> | null {
    if (this.base === 0) return null;
    const { white, black } = this.now();
    const ms = (time: number): number => Math.max(1, Math.round(time));
    return { wtime: ms(white), btime: ms(black), winc: this.increment, binc: this.increment };
  }

  /** The time control in PGN's format, in seconds; undefined without a clock. */
  get control(): string | undefined {
    return this.base === 0 ? undefined : `${this.base / 1000}+${this.increment / 1000}`;
  }

  private now(): Times {
    const times = this.history.at(-1) ?? { white: this.base, black: this.base };
    const { running } = this;
    return running === null ? times : { ...times, [running]: times[running] - (performance.now() - this.since) };
  }

  private show(): void {
    const times = this.now();
    for (const side of ['white', 'black'] as const) {
      const clock = element(`clock${side}`);
      const text = shownTime(times[side]);
      if (clock.textContent !== text) clock.textContent = text;
      const box = clock.parentElement as HTMLElement;
      box.classList.toggle('running', this.running === side);
      box.classList.toggle('short', this.base > 0 && times[side] < SHORT);
    }
  }

  private tick(): void {
    const { running } = this;
    if (running === null) return;
    const left = this.now()[running];
    // In a background tab, ticks are a second or more apart
    const passed = ANNOUNCED.findLast((ms) => ms < this.base && left <= ms && this.before > ms);
    this.before = left;
    if (passed !== undefined) this.announce(`${running === 'white' ? 'White' : 'Black'} has ${passed / 1000} seconds.`);
    if (left > 0) return this.show();
    this.history[this.history.length - 1] = { ...this.now(), [running]: 0 };
    this.running = null;
    this.flagged = running;
    this.show();
    this.onFlag();
  }
}

const ENDS: Record<GameEnd, string> = {
  checkmate: 'Checkmate.',
  stalemate: 'Draw by stalemate.',
  repetition: 'Draw by repetition.',
  fifty: 'Draw by the fifty-move rule.',
  material: 'Draw: neither side can mate.',
};

/** The end of a game: its result and description. */
export interface Outcome {
  result: '1-0' | '0-1' | '1/2-1/2';
  words: string;
  /** Set if the game ended on time, for PGN. */
  termination?: 'time forfeit';
}

const lossOf = (side: Side): '1-0' | '0-1' => (side === 'white' ? '0-1' : '1-0');

/**
 * Returns the end of a game in the position, or null if it continues. `flagged` is the side that ran out of time, `heft` is Heft's side.
 */
export function outcomeOf({ end, turn, fen }: Position, flagged: Side | null, heft: string): Outcome | null {
  if (end !== null) return { result: end === 'checkmate' ? lossOf(turn) : '1/2-1/2', words: ENDS[end] };
  if (flagged === null) return null;
  const [places] = fen.split(' ');
  const others = places.match(flagged === 'white' ? /[a-z]/g : /[A-Z]/g) ?? [];
  if (others.length === 1)
    return { result: '1/2-1/2', words: 'Draw: time is up, and the other side has only its king.' };
  const words = flagged === heft ? "Heft's time is up: you win." : 'Your time is up: Heft wins.';
  return { result: lossOf(flagged), words, termination: 'time forfeit' };
}
