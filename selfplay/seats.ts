// The engine processes that one slot of a series plays with: started when first needed, kept from game to game, started
// again when they have failed.

import { UserError } from './cli.js';
import type { Player } from './match-game.js';
import type { Competitor } from './match-settings.js';
import { UciEngine } from './uci-engine.js';

/** Processes kept by a slot beside those that play: enough for a small tournament to run without restarts. */
const MAX_WAITING = 4;

export class Seats {
  private readonly competitors: Competitor[];
  private readonly onEngine: (index: number, engine: UciEngine) => void;
  private readonly engines = new Map<number, UciEngine>();
  private isStopped = false;

  /** `onEngine` is told of every engine that was started. */
  constructor(competitors: Competitor[], onEngine: (index: number, engine: UciEngine) => void) {
    this.competitors = competitors;
    this.onEngine = onEngine;
  }

  /** Returns the players of those numbers, ready for a game; rejects with a UserError when one does not start. */
  async take(indices: number[]): Promise<Player[]> {
    const waiting = [...this.engines.keys()].filter((index) => !indices.includes(index));
    const surplus = waiting.slice(0, Math.max(0, waiting.length - MAX_WAITING));
    await this.leave((index, { alive, spec }) => surplus.includes(index) || !alive || spec.restart === true);
    const players = await Promise.allSettled(indices.map((index) => this.seat(index)));
    return players.map((player) => {
      if (player.status === 'rejected') throw player.reason;
      return player.value;
    });
  }

  /** Ends the processes of the engines chosen, and waits for their end. */
  async leave(isLeaving: (index: number, engine: UciEngine) => boolean): Promise<void> {
    const leaving = [...this.engines].filter(([index, engine]) => isLeaving(index, engine));
    for (const [index] of leaving) this.engines.delete(index);
    await Promise.all(leaving.map(([, engine]) => engine.quit()));
  }

  /** Ends whatever the engines do, so that their games fail; no more are started. */
  stop(): void {
    this.isStopped = true;
    for (const engine of this.engines.values()) void engine.quit();
  }

  private async seat(index: number): Promise<Player> {
    const { spec, limits } = this.competitors[index];
    const seated = this.engines.get(index);
    if (seated !== undefined) return { engine: seated, limits };
    if (this.isStopped) throw new Error('stopped');
    const engine = new UciEngine(spec);
    this.engines.set(index, engine);
    try {
      await engine.handshake();
    } catch (error) {
      const name = spec.name ?? [spec.command, ...spec.args].join(' ');
      throw new UserError(`engine ${index + 1} (${name}) does not start: ${(error as Error).message}`);
    }
    this.onEngine(index, engine);
    return { engine, limits };
  }
}
