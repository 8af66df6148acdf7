// Plays scheduled games, several at a time. Each slot owns the processes of the engines it plays with and keeps them from
// game to game; an engine that failed is started again. What order games end in is nobody's business here.

import type { Adjudication } from './adjudication.js';
import { UserError } from './cli.js';
import { type PlayedGame, type Player, playGame } from './match-game.js';
import type { Competitor } from './match-settings.js';
import type { Opening } from './openings.js';
import { UciEngine } from './uci-engine.js';

/** A game to play: its number, and which engines have White and Black. */
export interface ScheduledGame {
  index: number;
  white: number;
  black: number;
  opening: Opening;
}

export interface PoolOptions {
  engines: Competitor[];
  slots: number;
  adjudication: Adjudication;
  chess960: boolean;
  /** Returns the next game to play, or null when there is none left. */
  next: () => ScheduledGame | null;
  onGame: (scheduled: ScheduledGame, game: PlayedGame) => void;
  /** Told of every engine that was started. */
  onEngine: (index: number, engine: UciEngine) => void;
}

export class GamePool {
  private readonly options: PoolOptions;
  private readonly engines = new Set<UciEngine>();
  private isStopped = false;

  constructor(options: PoolOptions) {
    this.options = options;
  }

  /** Plays until there is no next game, or until stopped; rejects with a UserError when an engine does not start. */
  async run(): Promise<void> {
    const slots = Array.from({ length: this.options.slots }, () => this.runSlot());
    const ends = await Promise.allSettled(slots);
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  /** Ends all games at once; those not finished are forgotten. */
  stop(): void {
    this.isStopped = true;
    for (const engine of this.engines) void engine.quit();
  }

  private async runSlot(): Promise<void> {
    const seats = new Map<number, UciEngine>();
    try {
      for (;;) {
        const scheduled = this.isStopped ? null : this.options.next();
        if (scheduled === null) return;
        await this.playOne(scheduled, seats);
      }
    } catch (error) {
      // What remains to the other slots is not worth playing: the run is going to end with this error.
      if (this.isStopped) return;
      this.stop();
      throw error;
    } finally {
      await Promise.all([...seats.values()].map((engine) => this.dismiss(engine)));
    }
  }

  private async playOne(scheduled: ScheduledGame, seats: Map<number, UciEngine>): Promise<void> {
    const { adjudication, chess960, onGame } = this.options;
    const sides = [scheduled.white, scheduled.black];
    await this.leave(seats, (index, engine) => !sides.includes(index) || !engine.alive || engine.spec.restart === true);
    const seated = await Promise.allSettled(sides.map((index) => this.seat(index, seats)));
    const [white, black] = seated.map((seat): Player => {
      if (seat.status === 'rejected') throw seat.reason;
      return seat.value;
    });
    const game = await playGame(white, black, scheduled.opening, { adjudication, chess960 });
    if (this.isStopped) return;
    onGame(scheduled, game);
    if (game.offender !== undefined) await this.leave(seats, (index) => index === sides[game.offender as number]);
  }

  private async seat(index: number, seats: Map<number, UciEngine>): Promise<Player> {
    const { spec, limits } = this.options.engines[index];
    const seated = seats.get(index);
    if (seated !== undefined) return { engine: seated, limits };
    const engine = new UciEngine(spec);
    seats.set(index, engine);
    this.engines.add(engine);
    try {
      await engine.handshake();
    } catch (error) {
      const command = [spec.command, ...spec.args].join(' ');
      throw new UserError(`engine ${index + 1} (${spec.name ?? command}) does not start: ${(error as Error).message}`);
    }
    this.options.onEngine(index, engine);
    return { engine, limits };
  }

  private async leave(
    seats: Map<number, UciEngine>,
    isLeaving: (index: number, engine: UciEngine) => boolean,
  ): Promise<void> {
    const leaving = [...seats].filter(([index, engine]) => isLeaving(index, engine));
    for (const [index] of leaving) seats.delete(index);
    await Promise.all(leaving.map(([, engine]) => this.dismiss(engine)));
  }

  private async dismiss(engine: UciEngine): Promise<void> {
    await engine.quit();
    this.engines.delete(engine);
  }
}
