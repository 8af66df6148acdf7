// ShardedRun: a run that plays or processes games in threads and stores the results in numbered shards, each in game order. The files
// therefore do not depend on the number of threads. A killed run loses only the games in progress, and continues at the end of each shard.

import { existsSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import Tinypool from 'tinypool';
import { AppendedFile } from '../common/appended-file.js';
import { UserError } from '../common/errors.js';
import { makeFolder } from '../common/files.js';
import { lockFolder } from '../common/folder-lock.js';
import { workerFile } from '../common/program.js';
import { type LabelManifest, type Manifest, type ShardEntry, shardFault, writeManifest } from './manifest.js';
import { sha256OfFile } from './shard.js';

/** Counts of a shard's content. */
export interface ShardContent {
  games: number;
  positions: number;
  /** Size in bytes, if it does not follow from the counts. */
  bytes?: number;
}

/** Game numbers of a shard: from `first` up to, but not including, `end`. */
export interface GameRange {
  first: number;
  end: number;
}

/** A kind of run: its shards and additional manifest fields. */
export interface ShardKind<Content extends ShardContent, Item> {
  name: (number: number) => string;
  /** Returns the content of an empty shard. */
  nothing: () => Content;
  /** Returns the content of an intact shard listed in the manifest. */
  listed: (path: string, entry: ShardEntry) => Content;
  /**
   * Truncates a file after its last complete game and returns its content. Throws a UserError if the content is not from this kind of run.
   * `isListed` means that the manifest lists the file as finished, but the file is damaged.
   */
  mend: (path: string, range: GameRange, isListed: boolean) => Content;
  /** Returns the text or bytes to append after this content for the results of one game. */
  encode: (item: Item, content: Content) => string | Uint8Array;
  /** Adds the results of one game to all counts except games and bytes. */
  count: (content: Content, item: Item) => void;
  /** Returns the totals for the manifest other than games and positions. `seconds` counts from the start of this session. */
  totals?: (finished: readonly Content[], seconds: number) => object;
}

export interface RunProgress {
  games: number;
  /** Number of games of the complete run. */
  total: number;
  positions: number;
  gamesThisSession: number;
  positionsThisSession: number;
  /** Seconds since this session started. */
  seconds: number;
}

export interface ShardedRunHooks<Progress> {
  onProgress?: (progress: Progress) => void;
  /** Called with a note, for example about a repaired shard. */
  onNote?: (note: string) => void;
  signal?: AbortSignal;
}

/** A shard of the run. `file` is null unless it is open for appending; `entry` is null until the shard is finished. */
export interface RunShard<Content extends ShardContent> {
  readonly range: GameRange;
  readonly path: string;
  content: Content;
  entry: ShardEntry | null;
  file: AppendedFile | null;
}

/** Threads: the compiled worker module, its data, and their number. */
export interface WorkerThreads {
  worker: string;
  data: object;
  count: number;
}

/** Calls `run` with the folder locked against other processes, creating it if necessary. */
export async function inFolder<Result>(folder: string, run: () => Promise<Result>): Promise<Result> {
  makeFolder(folder);
  const unlock = lockFolder(folder);
  try {
    return await run();
  } finally {
    unlock();
  }
}

export class ShardedRun<Content extends ShardContent, Item> {
  readonly shards: readonly RunShard<Content>[];
  readonly progress: RunProgress;
  private readonly startedAt = performance.now();
  private hasEnded = false;

  /** Repairs every shard and counts the existing games. */
  constructor(
    private readonly kind: ShardKind<Content, Item>,
    private readonly folder: string,
    private readonly manifest: Manifest | LabelManifest,
    total: number,
    private readonly hooks: ShardedRunHooks<never>,
  ) {
    const size = manifest.gamesPerShard;
    this.shards = Array.from({ length: Math.ceil(total / size) }, (_, number) =>
      this.mended(number, { first: number * size, end: Math.min((number + 1) * size, total) }),
    );
    const { positions } = totalsOf(this.shards.map(({ content }) => content));
    // If the total was reduced, the last shard may contain more games than needed
    const games = this.shards.reduce(
      (sum, { content, range }) => sum + Math.min(content.games, range.end - range.first),
      0,
    );
    this.progress = { games, total, positions, gamesThisSession: 0, positionsThisSession: 0, seconds: 0 };
  }

  /** Calls `work` with a thread pool if games are missing; resolves on completion or on the stop signal. */
  async finish({ worker, data, count }: WorkerThreads, work: (pool: Tinypool) => Promise<unknown>): Promise<void> {
    // A shard is removed from the manifest before it grows
    this.writeManifest();
    if (this.shards.some(({ entry }) => entry === null)) {
      const filename = workerFile(worker).href;
      const threads = { minThreads: count, maxThreads: count, concurrentTasksPerWorker: 1 };
      const pool = new Tinypool({ filename, workerData: data, ...threads });
      const ended = new AbortController();
      try {
        await Promise.race([work(pool), aborted(this.hooks.signal, ended.signal)]);
      } finally {
        ended.abort();
        this.hasEnded = true;
        await pool.destroy();
        for (const { file } of this.shards) file?.close();
      }
    }
    this.writeManifest();
    for (const { path, entry } of this.shards) {
      if (entry !== null && !existsSync(path))
        throw new UserError(`${path}: deleted during the run; repeat the command to redo it`);
    }
  }

  /** Whether the run has stopped storing results: it has ended, a write has failed, or the stop signal was given. */
  get isStopped(): boolean {
    return this.hasEnded || this.hooks.signal?.aborted === true;
  }

  /** Stores the results of the shard's next game; returns false without storing if the run is stopped. */
  append(shard: RunShard<Content>, item: Item): boolean {
    if (this.isStopped) return false;
    const { content, range } = shard;
    const before = content.positions;
    const bytes = this.kind.encode(item, content);
    try {
      shard.file ??= new AppendedFile(shard.path);
      shard.file.append([bytes]);
    } catch (error) {
      // Nothing may be written after a failed write
      this.hasEnded = true;
      throw error;
    }
    content.games++;
    if (content.bytes !== undefined) content.bytes += Buffer.byteLength(bytes);
    this.kind.count(content, item);
    const { progress } = this;
    progress.games++;
    progress.gamesThisSession++;
    progress.positions += content.positions - before;
    progress.positionsThisSession += content.positions - before;
    progress.seconds = (performance.now() - this.startedAt) / 1000;
    if (content.games === range.end - range.first) {
      shard.file.close();
      shard.file = null;
      shard.entry = entryOf(shard);
      this.writeManifest();
    }
    return true;
  }

  private mended(number: number, range: GameRange): RunShard<Content> {
    const { kind, folder, hooks } = this;
    const file = kind.name(number);
    const path = join(folder, file);
    const shard = { range, path, content: kind.nothing(), entry: null, file: null };
    const listed = this.manifest.shards.find((entry) => entry.file === file);
    const fault = listed === undefined ? null : shardFault(folder, listed);
    if (existsSync(path)) {
      shard.content =
        listed !== undefined && fault === null
          ? kind.listed(path, listed)
          : kind.mend(path, range, listed !== undefined);
      // A damaged byte may have changed any game of the shard into a different legal game
      if (fault !== null && sha256OfFile(path) !== listed?.sha256) {
        rmSync(path);
        shard.content = kind.nothing();
      }
    }
    if (fault !== null) hooks.onNote?.(`${path} ${fault}; kept ${shard.content.games} of ${listed?.games} games`);
    const isFull = shard.content.games >= range.end - range.first;
    const known = fault === null ? listed : undefined;
    return { ...shard, entry: isFull ? (known ?? entryOf(shard)) : null };
  }

  private writeManifest(): void {
    const finished = this.shards.filter(({ entry }) => entry !== null);
    const contents = finished.map(({ content }) => content);
    Object.assign(this.manifest, {
      ...totalsOf(contents),
      ...this.kind.totals?.(contents, this.progress.seconds),
      complete: finished.length === this.shards.length,
      shards: finished.map(({ entry }) => entry),
    });
    writeManifest(this.folder, this.manifest);
  }
}

function entryOf({ path, content }: RunShard<ShardContent>): ShardEntry {
  const { games, positions, bytes } = content;
  return { file: basename(path), games, positions, sha256: sha256OfFile(path), ...(bytes !== undefined && { bytes }) };
}

function totalsOf(contents: readonly ShardContent[]): Pick<ShardContent, 'games' | 'positions'> {
  const sum = (value: (content: ShardContent) => number): number =>
    contents.reduce((total, one) => total + value(one), 0);
  return { games: sum(({ games }) => games), positions: sum(({ positions }) => positions) };
}

/** Resolves on the stop signal. The listener is removed when the run ends, because all runs of a loop share the signal. */
function aborted(signal: AbortSignal | undefined, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) resolve();
    signal?.addEventListener('abort', () => resolve(), { signal: ended });
  });
}
