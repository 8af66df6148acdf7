// Plays scheduled games, several at a time; that number may change during the run. Each game has engine processes of its own.
// Games may end in any order.

import type { UciEngine } from '../engines/uci-engine.js';
import type { Opening } from '../games/openings.js';
import { type LiveMove, type PlayedGame, type Player, playGame } from './game.js';
import type { GameSettings } from './game-settings.js';
import { GameSlot } from './game-slot.js';
import type { Competitor } from './series-settings.js';

/** A game to play: its number, and which engines have White and Black. */
export interface ScheduledGame {
  index: number;
  white: number;
  black: number;
  opening: Opening;
}

export interface PoolOptions {
  engines: Competitor[];
  /** How many games at a time to begin with, and by which rules. */
  settings: GameSettings;
  /** Returns the next game to play, null when there is none left, or 'later' when it depends on those being played. */
  next: () => ScheduledGame | null | 'later';
  /** Called before a game with its players, White first: options of this game's own are set here. */
  prepare?: (scheduled: ScheduledGame, players: Player[]) => void;
  onGame: (scheduled: ScheduledGame, game: PlayedGame) => void;
  /** Told of a game's failed engine before the game is, while it still knows what was said. */
  onFailure: (scheduled: ScheduledGame, game: PlayedGame, engine: UciEngine) => void;
  onMove?: (scheduled: ScheduledGame, move: LiveMove) => void;
  /** Told of every engine that was started. */
  onEngine: (index: number, engine: UciEngine) => void;
  /** Told of all engines when they have been started once, before the first game. */
  onReady: (engines: UciEngine[]) => void;
  onWarning: (message: string) => void;
}

export class GamePool {
  private readonly options: PoolOptions;
  private readonly playing = new Set<GameSlot>();
  private readonly spare: GameSlot[] = [];
  private readonly known = new Set<number>();
  private readonly leaving = new Set<Promise<void>>();
  private workers: number;
  private isReady = false;
  private isOver = false;
  private isStopped = false;
  private error: unknown;
  private onEnd: () => void = () => undefined;

  constructor(options: PoolOptions) {
    this.options = options;
    this.workers = options.settings.workers;
  }

  /** Plays until there is no next game, or until stopped; rejects with a UserError when an engine does not start. */
  async run(): Promise<void> {
    const end = new Promise<void>((resolve) => {
      this.onEnd = resolve;
    });
    await this.startAll();
    this.isReady = true;
    this.fill();
    await end;
    await Promise.all(this.leaving);
    if (this.error !== undefined) throw this.error;
  }

  /** Sets how many games are played at a time; with fewer than before, and with 0, those in progress are played on. */
  resize(workers: number): void {
    this.workers = workers;
    if (this.isReady) this.fill();
  }

  /** Ends all games at once; those not finished are forgotten. */
  stop(): void {
    this.isStopped = true;
    this.isOver = true;
    for (const slot of [...this.playing, ...this.spare]) slot.stop();
    if (this.isReady) this.fill();
  }

  // All engines are started once before the first game: a missing one shows now, not after hours.
  private async startAll(): Promise<void> {
    const { engines, onReady } = this.options;
    const slot = this.newSlot();
    this.playing.add(slot);
    try {
      const players = await slot.take(engines.map((_, index) => index));
      onReady(players.map(({ engine }) => engine));
    } catch (error) {
      if (!this.isStopped) this.error = error;
      this.isOver = true;
    }
    this.playing.delete(slot);
    this.spare.push(slot);
  }

  private newSlot(): GameSlot {
    const { engines, onEngine, onWarning } = this.options;
    return new GameSlot(engines, this.known, { onEngine, onWarning });
  }

  // Begins as many games as there is room for; ends the run when there are none left and the last one is over.
  private fill(): void {
    while (!this.isOver && this.playing.size < this.workers) {
      const scheduled = this.options.next();
      if (scheduled === 'later') break;
      if (scheduled === null) this.isOver = true;
      else void this.play(scheduled);
    }
    const wanted = this.isOver ? 0 : Math.max(0, this.workers - this.playing.size);
    for (const slot of this.spare.splice(wanted)) this.send(slot);
    if (this.isOver && this.playing.size === 0) this.onEnd();
  }

  private send(slot: GameSlot): void {
    const left = slot.leave(() => true).finally(() => this.leaving.delete(left));
    this.leaving.add(left);
  }

  private async play(scheduled: ScheduledGame): Promise<void> {
    const slot = this.spare.pop() ?? this.newSlot();
    this.playing.add(slot);
    try {
      await this.playOne(scheduled, slot);
    } catch (error) {
      // What remains is not worth playing: the run is going to end with this error.
      if (!this.isStopped) this.error = error;
      this.stop();
    }
    this.playing.delete(slot);
    this.spare.push(slot);
    this.fill();
  }

  private async playOne(scheduled: ScheduledGame, slot: GameSlot): Promise<void> {
    const { settings, prepare, onGame, onMove, onFailure } = this.options;
    const sides = [scheduled.white, scheduled.black];
    const players = await slot.take(sides);
    const [white, black] = players;
    prepare?.(scheduled, players);
    const onOwnMove = onMove === undefined ? undefined : (move: LiveMove) => onMove(scheduled, move);
    const game = await playGame(white, black, scheduled.opening, settings, onOwnMove);
    if (this.isStopped) return;
    const { offender } = game;
    if (offender !== undefined) onFailure(scheduled, game, players[offender].engine);
    onGame(scheduled, game);
    if (offender !== undefined) await slot.leave((index) => index === sides[offender]);
  }
}
