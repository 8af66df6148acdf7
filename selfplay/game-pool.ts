// Plays scheduled games, several at a time, each slot with processes of its own. In what order games end is nobody's
// business here.

import type { Adjudication } from './adjudication.js';
import { type PlayedGame, playGame } from './match-game.js';
import type { Competitor } from './match-settings.js';
import type { Opening } from './openings.js';
import { Seats } from './seats.js';
import type { LiveMove } from './series-events.js';
import type { UciEngine } from './uci-engine.js';

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
  onMove?: (scheduled: ScheduledGame, move: LiveMove) => void;
  /** Told of every engine that was started. */
  onEngine: (index: number, engine: UciEngine) => void;
  /** Told of all engines when they have been started once, before the first game. */
  onReady: (engines: UciEngine[]) => void;
}

export class GamePool {
  private readonly options: PoolOptions;
  private readonly slots: Seats[];
  private isStopped = false;

  constructor(options: PoolOptions) {
    this.options = options;
    this.slots = Array.from({ length: options.slots }, () => new Seats(options.engines, options.onEngine));
  }

  /** Plays until there is no next game, or until stopped; rejects with a UserError when an engine does not start. */
  async run(): Promise<void> {
    const [first, ...others] = this.slots;
    try {
      // All engines are started once before the first game: a missing one shows now, not after hours.
      const players = await first.take(this.options.engines.map((_, index) => index));
      this.options.onReady(players.map(({ engine }) => engine));
    } catch (error) {
      await first.leave(() => true);
      if (this.isStopped) return;
      throw error;
    }
    const ends = await Promise.allSettled([first, ...others].map((seats) => this.runSlot(seats)));
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  /** Ends all games at once; those not finished are forgotten. */
  stop(): void {
    this.isStopped = true;
    for (const seats of this.slots) seats.stop();
  }

  private async runSlot(seats: Seats): Promise<void> {
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
      await seats.leave(() => true);
    }
  }

  private async playOne(scheduled: ScheduledGame, seats: Seats): Promise<void> {
    const { adjudication, chess960, onGame, onMove } = this.options;
    const sides = [scheduled.white, scheduled.black];
    const [white, black] = await seats.take(sides);
    const game = await playGame(white, black, scheduled.opening, {
      ...{ adjudication, chess960 },
      ...(onMove !== undefined && { onMove: (move) => onMove(scheduled, move) }),
    });
    if (this.isStopped) return;
    onGame(scheduled, game);
    const { offender } = game;
    if (offender !== undefined) await seats.leave((index) => index === sides[offender]);
  }
}
