// GameSlot: the engine processes of one parallel game. They are started on demand, reused for the next game, and restarted after a failure.

import { readFileSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { UserError } from '../common/errors.js';
import { isFile } from '../common/files.js';
import type { TrafficLog } from '../engines/transcript.js';
import { UciEngine } from '../engines/uci-engine.js';
import type { Player } from './game.js';
import type { Competitor, SeriesSettings } from './settings.js';

/** Maximum number of idle processes per slot, enough to play a small tournament without restarts. */
const MAX_WAITING = 4;

/** Start attempts for an engine that has started before. A new engine gets a single attempt. */
const MAX_STARTS = 3;

export interface GameSlotOptions {
  /** Processors in taskset's notation. */
  processors?: string | undefined;
  log?: TrafficLog | undefined;

  /** Called after each engine start. */
  onEngine: (index: number, engine: UciEngine) => void;
  onWarning: (message: string) => void;
}

export class GameSlot {
  private readonly engines = new Map<number, UciEngine>();
  private isStopped = false;

  /** `startedBefore` contains the engines that have started before, in any slot. */
  constructor(
    private readonly competitors: Competitor[],
    private readonly startedBefore: Set<number>,
    private readonly options: GameSlotOptions,
  ) {}

  get processors(): string | undefined {
    return this.options.processors;
  }

  /** Returns the players with these numbers, ready for a game; rejects with a UserError if one does not start. */
  async take(indices: number[]): Promise<Player[]> {
    const waiting = [...this.engines.keys()].filter((index) => !indices.includes(index));
    const surplus = waiting.slice(0, Math.max(0, waiting.length - MAX_WAITING));
    await this.quit((index, { alive, spec }) => surplus.includes(index) || !alive || spec.restart === true);
    const players = await Promise.allSettled(indices.map((index) => this.playerOf(index)));
    return players.map((player) => {
      if (player.status === 'rejected') throw player.reason;
      return player.value;
    });
  }

  /** Ends the processes of the selected engines, and waits for them. */
  async quit(isSelected: (index: number, engine: UciEngine) => boolean): Promise<void> {
    const selected = [...this.engines].filter(([index, engine]) => isSelected(index, engine));
    for (const [index] of selected) this.engines.delete(index);
    await Promise.all(selected.map(([, engine]) => engine.quit()));
  }

  /** Ends the engines so that their games fail. Prevents further starts. */
  stop(): void {
    this.isStopped = true;
    for (const engine of this.engines.values()) void engine.quit();
  }

  private async playerOf(index: number): Promise<Player> {
    const engine = this.engines.get(index) ?? (await this.start(index));
    return { engine, limits: this.competitors[index].limits };
  }

  private async start(index: number): Promise<UciEngine> {
    const { onEngine, onWarning } = this.options;
    for (let starts = 1; ; starts++) {
      if (this.isStopped) throw new Error('stopped');
      const started = await this.tryStart(index);
      if (started instanceof UciEngine) {
        this.startedBefore.add(index);
        onEngine(index, started);
        return started;
      }
      if (this.isStopped) throw new Error('stopped');
      if (starts === MAX_STARTS || !this.startedBefore.has(index)) throw started;
      onWarning(`${started.message}; trying again`);
    }
  }

  // Returns a UserError instead of the engine if the start fails
  private async tryStart(index: number): Promise<UciEngine | UserError> {
    const { spec } = this.competitors[index];
    const { processors, log } = this.options;
    const label = spec.name ?? basename(spec.command);
    try {
      const engine = new UciEngine(processors === undefined ? spec : { ...spec, processors }, log?.sinkOf(label));
      this.engines.set(index, engine);
      await engine.handshake();
      return engine;
    } catch (error) {
      this.engines.delete(index);
      const name = spec.name ?? [spec.command, ...spec.args].join(' ');
      return new UserError(`engine ${index + 1} (${name}) did not start: ${(error as Error).message}`);
    }
  }
}

// Processors for games: with --affinity, util-linux's taskset gives each parallel game its own processors. The engines of a game share
// them, because only one thinks at a time. With pondering, a game gets twice as many.

/**
 * Returns the processors of each possible parallel game in taskset's notation, such as `0,1`; throws a UserError if there are too few for
 * `workers` games.
 */
export function processorsOf({ engines, workers }: Pick<SeriesSettings, 'engines' | 'workers'>): string[] {
  const places = (process.env['PATH'] ?? '').split(delimiter);
  const hasTaskset = places.some((place) => isFile(join(place, 'taskset')));
  if (process.platform !== 'linux' || !hasTaskset) throw new UserError('--affinity needs Linux with taskset', 2);
  const processors = allowedProcessors(readFileSync('/proc/self/status', 'utf8'));
  const threads = engines.map(({ spec }) => Number(threadsOf(spec.options)));
  // Some engines choose the number of threads themselves if it is 0
  const size = Math.max(1, ...threads) * (engines.some(({ limits }) => limits.ponder === true) ? 2 : 1);
  const most = Math.floor(processors.length / size);
  if (workers <= most) {
    return Array.from({ length: most }, (_, game) => processors.slice(size * game, size * (game + 1)).join(','));
  }
  throw new UserError(
    `--affinity: ${workers} parallel games need ${size * workers} processors, but only ${processors.length} are available; reduce --workers`,
    2,
  );
}

function threadsOf(options: Record<string, string>): string {
  return Object.entries(options).find(([name]) => name.toLowerCase() === 'threads')?.[1] ?? '1';
}

/** Returns the processors available to a process, from its `/proc/PID/status`. */
export function allowedProcessors(status: string): number[] {
  const ranges = /^Cpus_allowed_list:\s*(\S+)/m.exec(status)?.[1]?.split(',') ?? [];
  return ranges.flatMap((range) => {
    const [first, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}
