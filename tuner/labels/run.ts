// labelGames() searches sampled positions of games and stores the labels in shards. Each thread labels one game at a time, and the labels
// are written in the order of the games.

import { basename } from 'node:path';
import { weightVectors } from '../../engine/eval/weight-set.js';
import { UserError } from '../../selfplay/common/errors.js';
import { pickSettings } from '../../selfplay/common/options.js';
import type { SourcedGame } from '../../selfplay/records/game-kind.js';
import { readRecords } from '../../selfplay/records/game-reader.js';
import { freshManifest, type LabelManifest, openManifest } from '../../selfplay/records/manifest.js';
import { sha256OfFile } from '../../selfplay/records/shard.js';
import {
  inFolder,
  type RunProgress,
  ShardedRun,
  type ShardedRunHooks,
  type ShardKind,
} from '../../selfplay/records/sharded-run.js';
import { FILTER_OPTIONS } from '../trace/sample.js';
import { encodeLabels, type LabelFile, mendLabels } from './label.js';
import { type LabelSettings, labelIdentity } from './settings.js';
import type { LabelAnswer, LabelTask, LabelWorkerData } from './worker.js';

export interface LabelHooks extends ShardedRunHooks<RunProgress> {
  onReading?: (games: number) => void;
}

/**
 * Labels the games that have no labels in the folder yet. Returns the progress, in which `positions` counts labels. It is complete unless
 * the signal stopped the run. Rejects with a UserError if there are no games, or if the folder contains other labels.
 */
export async function labelGames(settings: LabelSettings, hooks: LabelHooks = {}): Promise<RunProgress> {
  const source = await readSource(settings.data, hooks.onReading);
  return inFolder(settings.out, () => label(settings, openLabels(settings, source), source, hooks));
}

const labelShardName = (number: number): string => `labels-${String(number).padStart(4, '0')}.csv`;

const SHARDS: ShardKind<LabelFile, readonly string[]> = {
  name: labelShardName,
  nothing: () => ({ games: 0, positions: 0, bytes: 0 }),
  listed: (_, { games, positions, bytes = 0 }) => ({ games, positions, bytes }),
  mend: (path, { first, end }, isListed) => (isListed ? SHARDS.nothing() : mendLabels(path, first, end)),
  encode: encodeLabels,
  count: (content, labels) => {
    content.positions += labels.length;
  },
};

/** Games in progress or queued per thread, enough to keep every thread busy. */
const WAITING_PER_THREAD = 8;

async function label(
  settings: LabelSettings,
  manifest: LabelManifest,
  { games: total, last }: Source,
  hooks: LabelHooks,
): Promise<RunProgress> {
  const { nodes, workers, weights } = settings;
  const run = new ShardedRun(SHARDS, settings.out, manifest, total, hooks);
  const shardOf = (index: number) => run.shards[Math.floor(index / manifest.gamesPerShard)];
  const isMissing = (index: number): boolean => index >= shardOf(index).range.first + shardOf(index).content.games;

  const labelling = { filter: pickSettings(FILTER_OPTIONS, settings), nodes };
  const data: LabelWorkerData = { labelling, ...weightVectors(weights) };
  await run.finish({ worker: 'tuner/labels/worker', data, count: workers }, async (pool) => {
    const running = new Set<Promise<void>>();
    /** Resolves when the labels of the previous game are stored. */
    let stored = Promise.resolve();
    let failure: unknown;
    const store = ({ labels, fault }: LabelAnswer, { file }: SourcedGame, index: number): void => {
      // After a failure, nothing is stored, because shards contain their games in order without gaps
      if (failure !== undefined || !run.append(shardOf(index), labels)) return;
      if (fault !== undefined) hooks.onNote?.(`${file}: ${fault}; the game gets no labels`);
      hooks.onProgress?.(run.progress);
    };
    let index = -1;
    for await (const game of readRecords([...last.keys()])) {
      // Games may have been added since they were counted, for example by a running tournament or self-play run
      if (game.index > (last.get(game.file) ?? -1)) continue;
      if (++index === total) break;
      if (!isMissing(index)) continue;
      const number = index;
      const answer: Promise<LabelAnswer> = pool.run({ game, index } satisfies LabelTask);
      const job: Promise<void> = Promise.all([answer, stored])
        .then(([found]) => store(found, game, number))
        .catch((error: unknown) => {
          failure ??= error;
        })
        .finally(() => running.delete(job));
      stored = job;
      running.add(job);
      if (running.size >= WAITING_PER_THREAD * workers) await Promise.race(running);
      if (run.isStopped || failure !== undefined) break;
    }
    await Promise.all(running);
    const isShort = index + 1 < total && !run.isStopped;
    if (isShort)
      failure ??= new UserError(
        `${settings.data.join(', ')}: the games changed during labelling; restore them, or choose another --out`,
      );
    if (failure !== undefined && hooks.signal?.aborted !== true) throw failure;
  });
  return run.progress;
}

// openLabels(): the manifest of a label folder, new or read from the folder.

/** The data to label. */
interface Source {
  files: NonNullable<LabelManifest['source']>;
  /** The index of the last game in each file. */
  last: ReadonlyMap<string, number>;
  games: number;
}

/** Counts the games in the data, and computes the checksums of the files. Throws a UserError if there are no games. */
async function readSource(data: readonly string[], onRead?: (games: number) => void): Promise<Source> {
  const last = new Map<string, number>();
  let games = 0;
  for await (const { file, index } of readRecords(data)) {
    last.set(file, index);
    games++;
    onRead?.(games);
  }
  if (games === 0) throw new UserError(`no games in ${data.join(', ')}`);
  const files = Array.from(last.keys(), (file) => ({ name: basename(file), sha256: sha256OfFile(file) }));
  return { files, last, games };
}

/** Returns the manifest of the folder, or a new one. Throws a UserError if the folder contains other labels, or games. */
function openLabels(settings: LabelSettings, { files, games }: Source): LabelManifest {
  const { out, data } = settings;
  const fresh = freshManifest(settings, labelIdentity(settings), games, { source: files });
  const manifest = openManifest<LabelManifest>(out, { what: 'set of labels', name: labelShardName }, fresh);
  if (JSON.stringify(manifest.source) !== JSON.stringify(files))
    throw new UserError(`${out} holds labels of games other than those in ${data.join(', ')}; choose another --out`);
  return manifest;
}
