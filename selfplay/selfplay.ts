// A self-play run: games in numbered shards, each shard grown by one lane in the order of its games. So the files are the same
// whatever the number of workers, and a killed run goes on where each shard ends, losing only the games in flight.

import { join } from 'node:path';
import Tinypool from 'tinypool';
import { bench } from '../engine/bench.js';
import { type WeightSet, weightVectors } from '../engine/eval/weight-set.js';
import { makeFolder, UserError } from './cli.js';
import { hasManifest, type Manifest, mendRun, readManifest, type ShardEntry, writeManifest } from './manifest.js';
import { workerFile } from './places.js';
import { openShard, type Shard, sha256OfFile } from './shard.js';
import type { GameSettings, PlayedRecord } from './training-game.js';
import type { TrainingWorkerData } from './training-worker.js';
import { programVersion } from './version.js';
import { weightsHash } from './weights.js';

export interface SelfplaySettings extends Omit<GameSettings, 'mg' | 'eg'> {
  games: number;
  out: string;
  workers: number;
  /** Transposition table of each worker in mebibytes. */
  hash: number;
  weights: WeightSet;
  /** The command line, for the manifest. */
  command: string;
}

/** Where a run stands; results from White's side. */
export interface SelfplayProgress {
  games: number;
  positions: number;
  results: { wins: number; losses: number; draws: number };
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

const SHARDS = 32;
const MAX_GAMES_PER_SHARD = 500;
const RESULT_NAMES = ['losses', 'draws', 'wins'] as const;

/** Plays the games that are not yet in the folder. The progress returned is complete unless the signal stopped the run. */
export async function runSelfplay(settings: SelfplaySettings, hooks: SelfplayHooks = {}): Promise<SelfplayProgress> {
  makeFolder(settings.out);
  const manifest = openManifest(settings, hooks);
  if (manifest.complete && manifest.games >= settings.games) return progressOf(manifest);
  const run = new Run(settings, hooks, manifest);
  return run.play();
}

function openManifest(settings: SelfplaySettings, hooks: SelfplayHooks): Manifest {
  const fresh = newManifest(settings);
  if (!hasManifest(settings.out)) {
    writeManifest(settings.out, fresh);
    return fresh;
  }
  for (const repair of mendRun(settings.out)) {
    hooks.onNote?.(
      `${join(settings.out, repair.file)} ${repair.fault}; kept ${repair.gamesKept} of ${repair.gamesBefore} games`,
    );
  }
  const old = readManifest(settings.out);
  for (const name of ['seed', 'weightsHash', 'limits', 'openings', 'adjudication', 'bench'] as const) {
    if (JSON.stringify(old[name]) === JSON.stringify(fresh[name])) continue;
    throw new UserError(`${settings.out} holds a run with another ${name}; choose another --out, or delete it`);
  }
  return old;
}

function newManifest(settings: SelfplaySettings): Manifest {
  const { clock, plies, book, rejectLost, jitter, games } = settings;
  return {
    command: settings.command,
    seed: settings.seed,
    engineVersion: programVersion(),
    bench: bench().nodes,
    weightsHash: weightsHash(settings.weights),
    limits: {
      nodes: settings.nodes,
      hardNodes: settings.hardNodes,
      tc: clock === null ? null : `${clock.time / 1000}+${clock.increment / 1000}`,
    },
    openings: { randomPlies: plies, book: book.length, rejectLost, jitter },
    adjudication: { ...settings.adjudication },
    gamesPerShard: Math.min(MAX_GAMES_PER_SHARD, Math.ceil(games / SHARDS)),
    games: 0,
    positions: 0,
    results: { wins: 0, losses: 0, draws: 0 },
    seconds: 0,
    complete: false,
    shards: [],
  };
}

function progressOf(manifest: Manifest): SelfplayProgress {
  const { games, positions, results } = manifest;
  return { games, positions, results: { ...results }, seconds: 0, nodes: 0, gamesThisSession: 0 };
}

class Run {
  private readonly settings: SelfplaySettings;
  private readonly hooks: SelfplayHooks;
  private readonly manifest: Manifest;
  private readonly progress: SelfplayProgress;
  private readonly secondsBefore: number;
  private readonly startedAt = performance.now();
  private readonly shards: { entry: ShardEntry; shard: Shard | null }[] = [];
  private nextShard = 0;

  constructor(settings: SelfplaySettings, hooks: SelfplayHooks, manifest: Manifest) {
    this.settings = settings;
    this.hooks = hooks;
    this.manifest = manifest;
    this.secondsBefore = manifest.seconds;
    this.progress = { ...progressOf(manifest), games: 0, positions: 0, results: { wins: 0, losses: 0, draws: 0 } };
  }

  async play(): Promise<SelfplayProgress> {
    const { workers, hash, weights, book, games } = this.settings;
    const { seed, nodes, hardNodes, clock, plies, rejectLost, adjudication, jitter } = this.settings;
    const workerData: TrainingWorkerData = {
      settings: {
        ...{ seed, nodes, hardNodes, clock, plies, book, rejectLost, adjudication, jitter },
        ...weightVectors(weights),
      },
      hash,
    };
    const count = Math.ceil(games / this.manifest.gamesPerShard);
    for (let number = 0; number < count; number++) this.openShard(number);
    const filename = workerFile('selfplay/training-worker').href;
    const pool = new Tinypool({
      filename,
      minThreads: workers,
      maxThreads: workers,
      workerData,
      concurrentTasksPerWorker: 1,
    });
    try {
      const lanes = Array.from({ length: workers }, () => this.lane(pool));
      await Promise.race([Promise.all(lanes), aborted(this.hooks.signal)]);
    } finally {
      await pool.destroy();
      for (const { shard } of this.shards) shard?.close();
    }
    this.writeManifest();
    return this.progress;
  }

  // Every shard is opened, and mended, before the first game: what is there already counts
  private openShard(number: number): void {
    const file = `shard-${String(number).padStart(4, '0')}.vf`;
    const shard = openShard(join(this.settings.out, file));
    const { games, positions, results, cut, fault } = shard.opened;
    if (cut > 0)
      this.hooks.onNote?.(
        `${join(this.settings.out, file)}: cut off ${cut} bytes after its last whole game (${fault})`,
      );
    this.progress.games += games;
    this.progress.positions += positions;
    for (const name of RESULT_NAMES) this.progress.results[name] += results[name];
    const entry = { file, games, positions, sha256: '' };
    this.shards.push({ entry, shard });
    if (games >= this.gamesOf(number)) this.finishShard(number);
  }

  private gamesOf(number: number): number {
    const { gamesPerShard } = this.manifest;
    return Math.min(gamesPerShard, this.settings.games - number * gamesPerShard);
  }

  private async lane(pool: Tinypool): Promise<void> {
    while (this.nextShard < this.shards.length) {
      const number = this.nextShard++;
      const { shard } = this.shards[number];
      if (shard === null) continue;
      while (shard.games < this.gamesOf(number)) {
        const index = number * this.manifest.gamesPerShard + shard.games;
        const { game, nodes } = (await pool.run(index)) as PlayedRecord;
        if (this.hooks.signal?.aborted === true) return;
        shard.append(game);
        this.progress.games++;
        this.progress.gamesThisSession++;
        this.progress.positions += game.moves.length;
        this.progress.results[RESULT_NAMES[game.result]]++;
        this.progress.nodes += nodes;
        this.progress.seconds = (performance.now() - this.startedAt) / 1000;
        this.hooks.onProgress?.(this.progress);
      }
      this.finishShard(number);
      this.writeManifest();
    }
  }

  private finishShard(number: number): void {
    const { entry, shard } = this.shards[number];
    if (shard === null) return;
    shard.close();
    entry.games = shard.games;
    entry.positions = shard.positions;
    entry.sha256 = sha256OfFile(join(this.settings.out, entry.file));
    this.shards[number].shard = null;
  }

  private writeManifest(): void {
    const finished = this.shards.filter(({ shard }) => shard === null).map(({ entry }) => entry);
    const complete = finished.length === this.shards.length;
    Object.assign(this.manifest, {
      games: finished.reduce((sum, { games }) => sum + games, 0),
      positions: finished.reduce((sum, { positions }) => sum + positions, 0),
      results: { ...this.progress.results },
      seconds: Math.round(this.secondsBefore + this.progress.seconds),
      complete,
      shards: finished,
    });
    writeManifest(this.settings.out, this.manifest);
  }
}

function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) resolve();
    signal?.addEventListener('abort', () => resolve());
  });
}
