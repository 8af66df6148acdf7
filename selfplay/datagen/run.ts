// A self-play run: games in numbered shards, each written by one worker at a time, in the order of its games. The files therefore do not depend
// on the number of workers, and a killed run continues at the end of each shard, losing only the games in progress.

import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Tinypool from 'tinypool';
import { weightVectors } from '../../engine/eval/weight-set.js';
import { UserError } from '../common/errors.js';
import { makeFolder } from '../common/files.js';
import { lockFolder } from '../common/folder-lock.js';
import { addCounts, type Counts, countGame, NO_GAMES } from '../common/game-result.js';
import { workerFile } from '../common/program.js';
import { type Manifest, type ShardEntry, shardFault, writeManifest } from '../records/manifest.js';
import { openShard, type Shard, sha256OfFile } from '../records/shard.js';
import type { PlayedRecord } from './game.js';
import { openManifest, shardName } from './run-manifest.js';
import type { SelfplaySettings } from './settings.js';
import type { WorkerAnswer, WorkerData } from './worker.js';

/** Where a run stands; results from White's side. */
export interface SelfplayProgress {
  games: number;
  positions: number;
  results: Counts;
  /** Of this session. */
  seconds: number;
  nodes: number;
  gamesThisSession: number;
}

export interface SelfplayHooks {
  onProgress?: (progress: SelfplayProgress) => void;
  /** Called with each thing worth knowing, such as a shard that was mended. */
  onNote?: (note: string) => void;
  signal?: AbortSignal;
}

/** Plays the games that are not yet in the folder. The progress returned is complete unless the signal stopped the run. */
export async function runSelfplay(settings: SelfplaySettings, hooks: SelfplayHooks = {}): Promise<SelfplayProgress> {
  makeFolder(settings.out);
  const unlock = lockFolder(settings.out);
  try {
    const manifest = openManifest(settings);
    const isSound = manifest.shards.every((entry) => shardFault(settings.out, entry) === null);
    if (isSound && manifest.complete && manifest.games >= settings.games) return progressOf(manifest);
    return await new Run(settings, hooks, manifest).play();
  } finally {
    unlock();
  }
}

/** A shard of the run; `shard` is null while nobody appends to it. */
interface RunShard {
  entry: ShardEntry;
  results: Manifest['results'];
  shard: Shard | null;
}

class Run {
  private readonly settings: SelfplaySettings;
  private readonly hooks: SelfplayHooks;
  private readonly manifest: Manifest;
  private readonly progress: SelfplayProgress;
  private readonly secondsBefore: number;
  private readonly startedAt = performance.now();
  private readonly shards: RunShard[];
  private nextShard = 0;
  private isStopped = false;

  constructor(settings: SelfplaySettings, hooks: SelfplayHooks, manifest: Manifest) {
    this.settings = settings;
    this.hooks = hooks;
    this.manifest = manifest;
    this.manifest.command = settings.command;
    this.secondsBefore = manifest.seconds;
    const count = Math.ceil(settings.games / manifest.gamesPerShard);
    this.shards = Array.from({ length: count }, (_, number) => this.mendedShard(number));
    this.progress = progressOf(totalsOf(this.shards));
  }

  async play(): Promise<SelfplayProgress> {
    // A shard that is going to grow must be off the list before it does
    this.writeManifest();
    const unfinished = this.shards.filter((_, number) => !this.isFinished(number)).length;
    if (unfinished > 0) await this.playShards(Math.min(this.settings.workers, unfinished));
    this.writeManifest();
    return this.progress;
  }

  private async playShards(threads: number): Promise<void> {
    const { weights, ...settings } = this.settings;
    const book = settings.book.slice(0, settings.games);
    const workerData: WorkerData = { settings: { ...settings, book, ...weightVectors(weights) } };
    const filename = workerFile('selfplay/datagen/worker').href;
    const pool = new Tinypool({
      filename,
      minThreads: threads,
      maxThreads: threads,
      workerData,
      concurrentTasksPerWorker: 1,
    });
    try {
      const workers = Array.from({ length: threads }, () => this.work(pool));
      await Promise.race([Promise.all(workers), aborted(this.hooks.signal)]);
    } finally {
      this.isStopped = true;
      await pool.destroy();
      for (const { shard } of this.shards) shard?.close();
    }
  }

  // Every shard is mended before the first game: what is there already counts
  private mendedShard(number: number): RunShard {
    const file = shardName(number);
    const path = join(this.settings.out, file);
    const none = { file, games: 0, positions: 0, sha256: '' };
    const listed = this.manifest.shards.find((entry) => entry.file === file);
    const damage = listed === undefined ? null : shardFault(this.settings.out, listed);
    const noteDamage = (kept: number): void => {
      if (damage !== null) this.hooks.onNote?.(`${path} ${damage}; kept ${kept} of ${listed?.games} games`);
    };
    if (!existsSync(path)) {
      noteDamage(0);
      return { entry: none, results: NO_GAMES, shard: null };
    }
    const shard = openShard(path);
    const { games, positions, results, cut, fault } = shard.opened;
    shard.close();
    if (games > this.manifest.gamesPerShard) {
      throw new UserError(`${path} holds more games than a shard of this run; delete it to replay them`);
    }
    // Any of its games may be another legal one now
    if (listed !== undefined && damage !== null && sha256OfFile(path) !== listed.sha256) {
      noteDamage(0);
      rmSync(path);
      return { entry: none, results: NO_GAMES, shard: null };
    }
    noteDamage(games);
    if (damage === null && cut > 0)
      this.hooks.onNote?.(`${path}: cut off ${cut} bytes after its last whole game (${fault})`);
    const sha256 = games >= this.gamesOf(number) ? sha256OfFile(path) : '';
    return { entry: { file, games, positions, sha256 }, results, shard: null };
  }

  private gamesOf(number: number): number {
    const { gamesPerShard } = this.manifest;
    return Math.min(gamesPerShard, this.settings.games - number * gamesPerShard);
  }

  private isFinished(number: number): boolean {
    return this.shards[number].entry.sha256 !== '';
  }

  private async work(pool: Tinypool): Promise<void> {
    while (this.nextShard < this.shards.length) {
      const number = this.nextShard++;
      if (this.isFinished(number)) continue;
      const open = this.shards[number];
      const { entry } = open;
      const path = join(this.settings.out, entry.file);
      open.shard = openShard(path);
      while (entry.games < this.gamesOf(number)) {
        const answer: WorkerAnswer = await pool.run(number * this.manifest.gamesPerShard + entry.games);
        if (this.isStopped || this.hooks.signal?.aborted === true) return;
        if ('fault' in answer) throw new UserError(answer.fault);
        if (answer.stoodStill > 0) {
          const seconds = (answer.stoodStill / 1000).toFixed(1);
          this.hooks.onNote?.(`a game of ${path}: this program stood still for ${seconds} s, and so did its clocks`);
        }
        this.take(answer, open);
      }
      open.shard.close();
      open.shard = null;
      entry.sha256 = sha256OfFile(path);
      this.writeManifest();
    }
  }

  private take({ game, nodes }: PlayedRecord, open: RunShard): void {
    const { entry, shard } = open;
    shard?.append(game);
    entry.games++;
    entry.positions += game.moves.length;
    open.results = countGame(open.results, game.result);

    const { progress } = this;
    progress.games++;
    progress.positions += game.moves.length;
    progress.results = countGame(progress.results, game.result);
    progress.nodes += nodes;
    progress.gamesThisSession++;
    progress.seconds = (performance.now() - this.startedAt) / 1000;
    this.hooks.onProgress?.(progress);
  }

  private writeManifest(): void {
    const finished = this.shards.filter((_, number) => this.isFinished(number));
    Object.assign(this.manifest, {
      ...totalsOf(finished),
      seconds: Math.round(100 * (this.secondsBefore + this.progress.seconds)) / 100,
      complete: finished.length === this.shards.length,
      shards: finished.map(({ entry }) => entry),
    });
    writeManifest(this.settings.out, this.manifest);
  }
}

function progressOf({
  games,
  positions,
  results,
}: Pick<Manifest, 'games' | 'positions' | 'results'>): SelfplayProgress {
  return { games, positions, results, seconds: 0, nodes: 0, gamesThisSession: 0 };
}

function totalsOf(shards: readonly RunShard[]): Pick<Manifest, 'games' | 'positions' | 'results'> {
  const totals = { games: 0, positions: 0, results: NO_GAMES };
  for (const { entry, results } of shards) {
    totals.games += entry.games;
    totals.positions += entry.positions;
    totals.results = addCounts(totals.results, results);
  }
  return totals;
}

function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) resolve();
    signal?.addEventListener('abort', () => resolve());
  });
}
