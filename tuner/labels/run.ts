// labelGames(): searches sampled positions of games and stores the labels in shards. Games are handed to threads one by one and
// written in their order, so that the files do not depend on the number of threads, and a stopped run continues at its end.

import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Tinypool from 'tinypool';
import { weightVectors } from '../../engine/eval/weight-set.js';
import { UserError } from '../../selfplay/common/errors.js';
import { makeFolder } from '../../selfplay/common/files.js';
import { lockFolder } from '../../selfplay/common/folder-lock.js';
import { pickSettings } from '../../selfplay/common/options.js';
import { Ordered } from '../../selfplay/common/ordered.js';
import { workerFile } from '../../selfplay/common/program.js';
import { type LabelManifest, type ShardEntry, shardFault, writeManifest } from '../../selfplay/records/manifest.js';
import { readRecords, type SourcedGame } from '../../selfplay/records/reader.js';
import { sha256OfFile } from '../../selfplay/records/shard.js';
import { FILTER_OPTIONS } from '../trace/sample.js';
import { labelShardName, openLabelManifest, readSource } from './manifest.js';
import type { LabelSettings } from './settings.js';
import { type Labelled, LabelShard, mendLabels } from './shard.js';
import type { LabelAnswer, LabelTask, LabelWorkerData } from './worker.js';

/** Where labelling stands. */
export interface LabelProgress {
  /** Games labelled, and those there are. */
  games: number;
  total: number;
  labels: number;
  /** Of this session. */
  gamesThisSession: number;
  labelsThisSession: number;
  seconds: number;
}

export interface LabelHooks {
  onReading?: (games: number) => void;
  onProgress?: (progress: LabelProgress) => void;
  /** Called with each thing worth knowing, such as a game that breaks the rules. */
  onNote?: (note: string) => void;
  signal?: AbortSignal;
}

/** Labels the games that have no labels in the folder yet. The progress returned is complete unless the signal stopped it. */
export async function labelGames(settings: LabelSettings, hooks: LabelHooks = {}): Promise<LabelProgress> {
  const source = await readSource(settings.data, hooks.onReading);
  makeFolder(settings.out);
  const unlock = lockFolder(settings.out);
  try {
    const run = new LabelRun(settings, hooks, openLabelManifest(settings, source), source.games);
    return await run.finish();
  } finally {
    unlock();
  }
}

/** Games that wait for a thread, so that none waits for a game. */
const WAITING_PER_THREAD = 8;

/** A shard, and its place in the manifest once it is finished. */
interface RunShard {
  held: Labelled;
  entry: ShardEntry | null;
}

class LabelRun {
  private readonly settings: LabelSettings;
  private readonly hooks: LabelHooks;
  private readonly manifest: LabelManifest;
  private readonly shards: RunShard[];
  private readonly progress: LabelProgress;
  private readonly startedAt = performance.now();
  private open: LabelShard | null = null;
  private isStopped = false;

  constructor(settings: LabelSettings, hooks: LabelHooks, manifest: LabelManifest, total: number) {
    this.settings = settings;
    this.hooks = hooks;
    this.manifest = manifest;
    this.progress = { games: 0, total, labels: 0, gamesThisSession: 0, labelsThisSession: 0, seconds: 0 };
    this.shards = Array.from({ length: Math.ceil(total / manifest.gamesPerShard) }, (_, n) => this.mendedShard(n));
    for (const [n, { held }] of this.shards.entries()) {
      this.progress.games += held.next - this.firstOf(n);
      this.progress.labels += held.positions;
    }
  }

  async finish(): Promise<LabelProgress> {
    // What is going to grow must be off the list before it does
    this.writeManifest();
    if (this.progress.games < this.progress.total) await this.labelMissing();
    for (const { entry } of this.shards) if (entry !== null) this.checkThere(entry.file);
    return this.progress;
  }

  private checkThere(name: string): void {
    const file = join(this.settings.out, name);
    if (!existsSync(file))
      throw new UserError(`${file}: deleted while labels were made; repeat the command to make it again`);
  }

  private async labelMissing(): Promise<void> {
    const { settings, hooks } = this;
    const { workers, nodes, weights } = settings;
    const labelling = { filter: pickSettings(FILTER_OPTIONS, settings), nodes };
    const workerData: LabelWorkerData = { labelling, ...weightVectors(weights) };
    const filename = workerFile('tuner/labels/worker').href;
    const threads = { minThreads: workers, maxThreads: workers, concurrentTasksPerWorker: 1 };
    const pool = new Tinypool({ filename, workerData, ...threads });
    const stopped = new Promise<void>((resolve) => hooks.signal?.addEventListener('abort', () => resolve()));
    const running = new Set<Promise<void>>();
    const done = new Ordered<() => void>((take) => take());
    let failure: unknown;
    const label = async (game: SourcedGame, index: number, number: number): Promise<void> => {
      const answer: LabelAnswer = await pool.run({ game, index } satisfies LabelTask);
      done.add(number, () => this.take(answer, game, index));
    };
    try {
      let index = -1;
      let number = 0;
      for await (const game of readRecords(settings.data)) {
        if (this.hasLabels(++index)) continue;
        const job: Promise<void> = label(game, index, number++)
          .catch((error: unknown) => {
            failure ??= error;
          })
          .finally(() => running.delete(job));
        running.add(job);
        if (running.size >= WAITING_PER_THREAD * workers) await Promise.race([stopped, ...running]);
        if (hooks.signal?.aborted === true || failure !== undefined) break;
      }
      await Promise.race([stopped, Promise.all(running)]);
      if (failure !== undefined && hooks.signal?.aborted !== true) throw failure;
    } finally {
      await pool.destroy();
      this.open?.close();
    }
  }

  private take({ labels, fault }: LabelAnswer, { file }: SourcedGame, index: number): void {
    const { progress, hooks, settings } = this;
    if (this.isStopped || hooks.signal?.aborted === true) return;
    // Nothing may follow what could not be written
    this.isStopped = true;
    const number = this.shardOf(index);
    const shard = this.shards[number];
    this.open ??= new LabelShard(join(settings.out, labelShardName(number)), shard.held);
    if (fault !== undefined) hooks.onNote?.(`${file}: ${fault}; it gets no labels`);
    this.open.append(labels);
    progress.games++;
    progress.labels += labels.length;
    progress.gamesThisSession++;
    progress.labelsThisSession += labels.length;
    progress.seconds = (performance.now() - this.startedAt) / 1000;
    if (shard.held.next === this.endOf(number)) {
      this.open.close();
      this.open = null;
      shard.entry = this.entryOf(number, shard.held);
      this.writeManifest();
    }
    this.isStopped = false;
    hooks.onProgress?.(progress);
  }

  private readonly shardOf = (index: number): number => Math.floor(index / this.manifest.gamesPerShard);
  private readonly firstOf = (shard: number): number => shard * this.manifest.gamesPerShard;
  private readonly endOf = (shard: number): number => Math.min(this.firstOf(shard + 1), this.progress.total);
  private readonly hasLabels = (index: number): boolean => index < this.shards[this.shardOf(index)].held.next;

  private mendedShard(number: number): RunShard {
    const file = labelShardName(number);
    const path = join(this.settings.out, file);
    const [first, end] = [this.firstOf(number), this.endOf(number)];
    const listed = this.manifest.shards.find((entry) => entry.file === file);
    if (listed === undefined) return { held: mendLabels(path, first, end), entry: null };
    const fault = shardFault(this.settings.out, listed);
    if (fault === null) return { held: { positions: listed.positions, bytes: 0, next: end }, entry: listed };
    this.hooks.onNote?.(`${path} ${fault}; its games are labelled again`);
    rmSync(path, { force: true });
    return { held: { positions: 0, bytes: 0, next: first }, entry: null };
  }

  private entryOf(number: number, { positions, bytes, next }: Labelled): ShardEntry {
    const file = labelShardName(number);
    const sha256 = sha256OfFile(join(this.settings.out, file));
    return { file, games: next - this.firstOf(number), positions, sha256, bytes };
  }

  private writeManifest(): void {
    const finished = this.shards.flatMap(({ entry }) => (entry === null ? [] : [entry]));
    Object.assign(this.manifest, {
      games: finished.reduce((sum, { games }) => sum + games, 0),
      positions: finished.reduce((sum, { positions }) => sum + positions, 0),
      complete: finished.length === this.shards.length,
      shards: finished,
    });
    writeManifest(this.settings.out, this.manifest);
  }
}
