// The clocks of a game, and how it ends, on the board or by them: minutes for each side, and seconds that each move adds. A side's clock runs while
// it is to move, from the second move of the game on; moves that are taken back give their time back.

import type { GameEnd, Position } from '../../engine/library/types.js';
import { type Game, present } from './game.js';
import { element } from './view.js';

export type Side = Position['turn'];
type Times = Readonly<Record<Side, number>>;

/** ms between two looks at the clocks, and of the time that shows tenths of a second. */
const TICK = 100;
const SHORT = 20_000;
/** ms left that are announced. */
const ANNOUNCED = [60_000, 30_000, 10_000];

/** Returns time as a clock shows it: `1:02:03`, `4:59`, or `9.4` for the last seconds. */
export function shownTime(ms: number): string {
  if (ms < SHORT) return (Math.floor(Math.max(0, ms) / 100) / 10).toFixed(1);
  const seconds = Math.ceil(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [hours, minutes, rest] = parts.map((part) => `${part}`.padStart(2, '0'));
  return parts[0] > 0 ? `${parts[0]}:${minutes}:${rest}` : `${Number(minutes) + 60 * Number(hours)}:${rest}`;
}

/** Returns the limits of a search by clocks. */
export interface ClockLimits {
  wtime: number;
  btime: number;
  winc: number;
  binc: number;
}

export class GameClock {
  /** The side whose time is up. */
  flagged: Side | null = null;
  /** ms; 0 where there is no clock. */
  private base = 0;
  private increment = 0;
  private game: Game = [];
  /** Of each position. */
  private history: Times[] = [];
  private running: Side | null = null;
  private since = 0;
  private readonly onFlag: () => void;
  private readonly announce: (words: string) => void;

  /** Calls `onFlag` when a side's time is up, and `announce` when it gets short. */
  constructor(onFlag: () => void, announce: (words: string) => void) {
    this.onFlag = onFlag;
    this.announce = announce;
    setInterval(() => this.tick(), TICK);
  }

  /** Sets both clocks: minutes and seconds as in `3+2`; anything else means none. */
  set(words: string): void {
    const [, minutes, seconds] = /^(\d+)\+(\d+)$/.exec(words) ?? [];
    this.base = 60_000 * Number(minutes ?? 0);
    this.increment = 1000 * Number(seconds ?? 0);
    this.game = [];
  }

  /** Follows the game, whose side to move is timed if `isTimed`. */
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
    this.running = isTimed && this.base > 0 && game.length > 1 && this.flagged === null ? present(game).turn : null;
    element('clocks').hidden = this.base === 0 || !isTimed;
    this.show();
  }

  /** Returns what a search may use, or null without a clock. */
  limits(): ClockLimits | null {
    if (this.base === 0) return null;
    const { white, black } = this.now();
    const ms = (time: number): number => Math.max(1, Math.round(time));
    return { wtime: ms(white), btime: ms(black), winc: this.increment, binc: this.increment };
  }

  /** The time control as PGN has it, in seconds; undefined without a clock. */
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
    const passed = ANNOUNCED.find((ms) => ms < this.base && left <= ms && left > ms - TICK);
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

/** The end of a game: its result, and in words. */
export interface Outcome {
  result: '1-0' | '0-1' | '1/2-1/2';
  words: string;
  /** By time, for PGN. */
  termination?: 'time forfeit';
}

const lossOf = (side: Side): '1-0' | '0-1' => (side === 'white' ? '0-1' : '1-0');

/** Returns the end of a game in the position; `flagged` is the side whose time is up, `heft` the one that Heft plays. Null if the game goes on. */
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
