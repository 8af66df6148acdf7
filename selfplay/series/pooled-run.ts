// Plays scheduled games in parallel and counts them in the order of their numbers. The result therefore does not depend on the number of
// parallel games or on interruptions. Each parallel game has its own engine processes, which are reused for later games.

import type { Opening } from '../../engine/commands/random-opening.js';
import type { TrafficLog } from '../engines/transcript.js';
import type { UciEngine } from '../engines/uci-engine.js';
import { type LiveMove, type PlayedGame, type Player, playGame } from './game.js';
import type { GameSettings } from './game-settings.js';
import { GameSlot } from './game-slot.js';
import { Transcripts } from './incidents.js';
import { Ordered } from './journal.js';
import { type Pace, watchPace } from './pace-control.js';
import type { Competitor } from './settings.js';

/** A game to play: its number, and the engines with White and Black. */
export interface ScheduledGame {
  index: number;
  white: number;
  black: number;
  opening: Opening;
}

export interface RunHooks {
  /** Stops the run when aborted; games in progress are discarded. */
  signal?: AbortSignal;
  /** Called with a problem that does not stop the run, such as an unknown engine option. */
  onWarning?: (message: string) => void;
}

export interface PooledRunOptions<Outcome> {
  engines: Competitor[];
  settings: GameSettings;
  /** Folder of the run, if any, for the control file and transcripts of failed engines. */
  out: string | undefined;
  hooks: RunHooks;
  /** Processors of each parallel game in taskset's notation. */
  processors?: readonly string[];
  log?: TrafficLog | undefined;
  /** Number of games, or the maximum if a result may end the run. */
  games: number;
  /** Returns the number of games that may begin so far; needed only if later games depend on results. */
  settled?: (() => number) | undefined;
  /** Returns the game with this number, which is about to begin. */
  begin: (index: number) => ScheduledGame;
  /** Called before a game with its players, White first, for example to set engine options. */
  prepare?: (scheduled: ScheduledGame, players: Player[]) => void;
  /** Stores a finished game and returns the part to be counted. */
  store: (scheduled: ScheduledGame, game: PlayedGame) => Outcome;
  /** Counts the next game in order. Returns true if the run is decided, so later games do not count. */
  count: (outcome: Outcome, index: number) => boolean;
  /** Called after each game, whether or not it has been counted. */
  onGame: () => void;
  onMove?: (scheduled: ScheduledGame, move: LiveMove) => void;
  /** Called after each engine start. */
  onEngine?: (index: number, engine: UciEngine) => void;
  /** Called with all engines after their first start, before the first game. */
  onReady?: (engines: UciEngine[]) => void;
  onPace?: (pace: Pace) => void;
}

/** Number of engines started at the same time before the first game. */
const STARTED_AT_ONCE = 8;
/** Maximum attempts at a game disturbed by pauses of this process; the last attempt counts. */
const MAX_ATTEMPTS = 3;

export class PooledRun<Outcome> {
  /** Whether all necessary games are counted. */
  isFinished = false;
  /** Playing time of the run before this session, in seconds. */
  secondsBefore = 0;
  private readonly startedAt = performance.now();
  private readonly ended = new Set<number>();
  private readonly ordered = new Ordered<Outcome>((outcome, index) => this.count(outcome, index));
  private nextIndex = 0;
  private readonly playing = new Set<GameSlot>();
  private readonly spare: GameSlot[] = [];
  private readonly startedBefore = new Set<number>();
  /** Ends of the processes of surplus slots. */
  private readonly quitting = new Set<Promise<void>>();
  private readonly warned = new Set<string>();
  private readonly transcripts: Transcripts;
  private workers: number;
  /** Whether the engines have started, so games may begin. */
  private isReady = false;
  /** Whether no further game begins. */
  private isOver = false;
  /** Whether the games in progress are discarded too. */
  private isStopped = false;
  private error: unknown;
  private onEnd: () => void = () => undefined;

  constructor(private readonly options: PooledRunOptions<Outcome>) {
    this.workers = options.settings.workers;
    this.transcripts = new Transcripts(options.out);
  }

  /** Playing time of the run in seconds, over all sessions. */
  get seconds(): number {
    return this.secondsBefore + this.sessionSeconds;
  }

  get sessionSeconds(): number {
    return (performance.now() - this.startedAt) / 1000;
  }

  /** Adds the outcome of an earlier or new game. Each number counts once. */
  add(index: number, outcome: Outcome): void {
    if (this.ended.has(index)) return;
    this.ended.add(index);
    this.ordered.add(index, outcome);
  }

  /** Plays the remaining games until the run is finished or stopped. Rejects with a UserError if an engine does not start. */
  async play(): Promise<void> {
    const { settings, out, hooks, processors } = this.options;
    if (this.isFinished || hooks.signal?.aborted === true) return;
    const stop = (): void => this.stop();
    hooks.signal?.addEventListener('abort', stop);
    const unwatch = watchPace(out, settings.workers, (pace) => this.setPace(pace), this.warn, processors?.length);
    try {
      await this.startAll();
      await new Promise<void>((resolve) => {
        this.onEnd = resolve;
        this.isReady = true;
        this.fill();
      });
      await Promise.all(this.quitting);
      if (this.error !== undefined) throw this.error;
    } finally {
      unwatch();
      hooks.signal?.removeEventListener('abort', stop);
    }
  }

  private readonly warn = (message: string): void => this.options.hooks.onWarning?.(message);

  // A reduction or a pause does not stop the games in progress
  private setPace(pace: Pace): void {
    try {
      this.options.onPace?.(pace);
    } catch (error) {
      return this.fail(error);
    }
    this.workers = pace.paused ? 0 : pace.workers;
    if (this.isReady) this.fill();
  }

  private count(outcome: Outcome, index: number): void {
    if (this.isFinished) return;
    const isDecided = this.options.count(outcome, index);
    if (!isDecided && index < this.options.games - 1) return;
    this.isFinished = true;
    this.stop();
  }

  private stop(): void {
    this.isStopped = true;
    this.isOver = true;
    for (const slot of [...this.playing, ...this.spare]) slot.stop();
    if (this.isReady) this.fill();
  }

  // The remaining games are abandoned, because the run ends with this error
  private fail(error: unknown): void {
    if (!this.isStopped) this.error = error;
    this.stop();
  }

  // All engines are started once before the first game, to detect a missing one early. The slot ends most of them again, because the hash
  // tables of all engines of a large tournament may not fit in memory
  private async startAll(): Promise<void> {
    const slot = this.newSlot();
    this.playing.add(slot);
    try {
      const indices = this.options.engines.map((_, index) => index);
      const players: Player[] = [];
      while (indices.length > 0) players.push(...(await slot.take(indices.splice(0, STARTED_AT_ONCE))));
      for (const { engine } of players) engine.checkVariant(this.options.settings.chess960);
      this.options.onReady?.(players.map(({ engine }) => engine));
    } catch (error) {
      if (!this.isStopped) this.error = error;
      this.isOver = true;
    }
    this.playing.delete(slot);
    this.spare.push(slot);
  }

  private newSlot(): GameSlot {
    const onEngine = (index: number, engine: UciEngine): void => {
      this.options.onEngine?.(index, engine);
      for (const warning of engine.warnings) {
        const text = `engine ${index + 1} (${engine.name}): ${warning}`;
        if (!this.warned.has(text)) this.warn(text);
        this.warned.add(text);
      }
    };
    const { engines, processors = [], log } = this.options;
    const taken = [...this.playing, ...this.spare].map((slot) => slot.processors);
    const free = processors.find((set) => !taken.includes(set));
    return new GameSlot(engines, this.startedBefore, { onEngine, onWarning: this.warn, processors: free, log });
  }

  // Returns the number of the next game, null after the last game, or 'later' if it depends on games in progress
  private next(): number | null | 'later' {
    const { games, settled } = this.options;
    while (this.ended.has(this.nextIndex)) this.nextIndex++;
    if (this.nextIndex >= games) return null;
    return settled !== undefined && this.nextIndex >= settled() ? 'later' : this.nextIndex++;
  }

  // Starts games up to the limit. Ends the run when no game is left or in progress
  private fill(): void {
    while (!this.isOver && this.playing.size < this.workers) {
      const index = this.next();
      if (index === 'later') break;
      if (index === null) this.isOver = true;
      else void this.playIn(this.spare.pop() ?? this.newSlot(), index);
    }
    const spareNeeded = this.isOver ? 0 : Math.max(0, this.workers - this.playing.size);
    for (const slot of this.spare.splice(spareNeeded)) {
      const quit = slot.quit(() => true).finally(() => this.quitting.delete(quit));
      this.quitting.add(quit);
    }
    if (this.isOver && this.playing.size === 0) this.onEnd();
  }

  private async playIn(slot: GameSlot, index: number): Promise<void> {
    this.playing.add(slot);
    try {
      await this.playOne(slot, this.options.begin(index));
    } catch (error) {
      this.fail(error);
    }
    this.playing.delete(slot);
    this.spare.push(slot);
    this.fill();
  }

  private async playOne(slot: GameSlot, scheduled: ScheduledGame): Promise<void> {
    const { settings, begin, prepare, store, onGame, onMove } = this.options;
    const { index, opening } = scheduled;
    const sides = [scheduled.white, scheduled.black];
    const onOwnMove = onMove === undefined ? undefined : (move: LiveMove) => onMove(scheduled, move);
    for (let attempt = 1; ; attempt++) {
      const players = await slot.take(sides);
      if (this.isStopped) return;
      prepare?.(scheduled, players);
      const [white, black] = players;
      const endsAtPause = attempt < MAX_ATTEMPTS;
      const game = await playGame(white, black, opening, { ...settings, endsAtPause }, onOwnMove);
      if (this.isStopped) return;
      if (game.wasPaused) {
        const end = endsAtPause ? 'the game is replayed' : `the game counts anyway, after ${attempt} attempts`;
        this.warn(`game ${index + 1}: this process was suspended or delayed while an engine was thinking: ${end}`);
        if (endsAtPause) {
          begin(index);
          continue;
        }
      }
      const { offender } = game;
      if (offender !== undefined) this.transcripts.write(game, index, sides[offender], players[offender].engine);
      this.add(index, store(scheduled, game));
      onGame();
      if (offender !== undefined) await slot.quit((engine) => engine === sides[offender]);
      return;
    }
  }
}
