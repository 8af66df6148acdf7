// The manifest of a self-play run, or of labels made from games. It contains the settings, and the counts and checksum of each finished
// shard, so a truncated, altered or missing shard is reported before any shard is read.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { attempt, UserError } from '../common/errors.js';
import { writeFileAtomic } from '../common/files.js';
import type { Counts } from '../common/game-result.js';
import { programVersion } from '../common/program.js';
import { type Identity, identityDifference, refuseOtherRun, sealedJson, unsealedJson } from '../common/run-files.js';
import { sha256OfFile } from './shard.js';
import { sizeOf } from './viriformat.js';

export const MANIFEST_FILE = 'manifest.json';

export interface ShardEntry {
  /** File name within the folder. */
  file: string;
  games: number;
  positions: number;
  sha256: string;
  /** Size of a label shard. The size of a game shard follows from the counts. */
  bytes?: number;
}

export interface Manifest {
  command: string;
  seed: number;
  engineVersion: string;
  /** Everything that affects the games: options by name, hashes of weights and book, the engine's bench. */
  settings: Identity;
  gamesPerShard: number;
  /** Totals of the finished shards; results from White's side. */
  games: number;
  positions: number;
  results: Counts;
  /** Playing time in seconds over all sessions of the run. */
  seconds: number;
  /** Whether all requested games are complete. */
  complete: boolean;
  /** For labels: the files of their games. */
  source?: { name: string; sha256: string }[];
  shards: ShardEntry[];
}

/** Manifest of labels, for which no games are played. */
export type LabelManifest = Omit<Manifest, 'results' | 'seconds'>;

const SHARDS = 32;
/** Games per shard of a large run; small runs have smaller shards. */
export const MAX_GAMES_PER_SHARD = 500;

/** Returns the manifest of a new run. `more` contains additional fields for the kind of run. */
export function freshManifest<More extends object>(
  { command, seed }: { command: string; seed: number },
  settings: Identity,
  games: number,
  more: More,
): LabelManifest & More {
  return {
    command,
    seed,
    engineVersion: programVersion(),
    settings,
    gamesPerShard: Math.min(MAX_GAMES_PER_SHARD, Math.ceil(games / SHARDS)),
    games: 0,
    positions: 0,
    ...more,
    complete: false,
    shards: [],
  };
}

/**
 * Returns the manifest of the folder's run; if the folder has none, stores and returns `fresh`. Throws a UserError if the folder contains
 * another run, or shards without a manifest.
 */
export function openManifest<M extends Manifest | LabelManifest>(
  folder: string,
  { what, name }: { what: string; name: (shard: number) => string },
  fresh: M,
): M {
  if (!hasManifest(folder)) {
    const stray = join(folder, name(0));
    if (existsSync(stray))
      throw new UserError(`${stray} belongs to a ${what} without manifest.json; choose another --out`);
    writeManifest(folder, fresh);
    return fresh;
  }
  const old = readManifest(folder);
  if ((old.source === undefined) !== (fresh.source === undefined)) {
    const kinds = old.source === undefined ? 'games, not labels' : 'labels, not games';
    throw new UserError(`${folder} holds ${kinds}; choose another --out`);
  }
  refuseOtherRun(folder, what, old.settings, fresh.settings);
  return { ...(old as Manifest & M), command: fresh.command };
}

/** Returns whether the folder has a manifest. */
export const hasManifest = (folder: string): boolean => existsSync(join(folder, MANIFEST_FILE));

/** Writes the manifest atomically. */
export function writeManifest(folder: string, manifest: Manifest | LabelManifest): void {
  writeFileAtomic(join(folder, MANIFEST_FILE), `${sealedJson(manifest, 2)}\n`);
}

/** Returns the folder's manifest; throws a UserError if it is missing or invalid. */
export function readManifest(folder: string): Manifest {
  const path = join(folder, MANIFEST_FILE);
  const manifest = attempt(`cannot read ${path}`, () => unsealedJson(readFileSync(path, 'utf8')) as Manifest);
  const fault = faultOf(manifest);
  if (fault !== null) throw new UserError(`${path} is not a manifest of games: ${fault}`);
  // Runs of earlier versions store the settings elsewhere; such runs can be read but not continued
  return { ...manifest, settings: manifest.settings ?? {} };
}

// Checks only the fields needed to read the games
function faultOf(manifest: Partial<Manifest> | null): string | null {
  if (typeof manifest !== 'object' || manifest === null) return 'not an object';
  for (const name of ['games', 'positions', 'seed', 'gamesPerShard'] as const) {
    if (typeof manifest[name] !== 'number') return `no number '${name}'`;
  }
  if (!Array.isArray(manifest.shards)) return "no list 'shards'";
  for (const shard of manifest.shards) {
    const { file, games, positions, sha256 } = Object(shard) as ShardEntry;
    const isWhole = typeof file === 'string' && Number.isInteger(games) && Number.isInteger(positions);
    if (!isWhole || typeof sha256 !== 'string') return 'a shard lacks its file, games, positions or sha256';
    if (file !== file.replace(/[/\\]/g, '')) return `the shard ${file} lies outside the folder`;
  }
  const sum = manifest.shards.reduce((games, shard) => games + shard.games, 0);
  return sum === manifest.games ? null : `its shards hold ${sum} games, not ${manifest.games}`;
}

/** Returns the fault of a finished shard: `is missing`, `is truncated…`, `is altered…`, or null. */
export function shardFault(folder: string, entry: ShardEntry): string | null {
  const path = join(folder, entry.file);
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  const expected = entry.bytes ?? sizeOf(entry.games, entry.positions);
  if (size === undefined) return 'is missing';
  if (size < expected) return `is truncated: ${size} of ${expected} bytes`;
  if (size > expected) return `is altered: ${size} instead of ${expected} bytes`;
  return sha256OfFile(path) === entry.sha256 ? null : 'is altered: its checksum does not match the manifest';
}

/** Throws a UserError that names the first missing, truncated or altered shard. */
export function verifyShards(folder: string, manifest: Manifest): void {
  for (const entry of manifest.shards) {
    const fault = shardFault(folder, entry);
    if (fault !== null)
      throw new UserError(
        `${join(folder, entry.file)} ${fault}; restore the file, or repeat the command that wrote the folder`,
      );
  }
}

// A fit can use several self-play folders. Their games must differ, but must come from the same engine with the same settings

/**
 * Throws a UserError if two of the paths contain the same games or, unless `mixed` is set, games of different engines or settings. Paths
 * without a manifest are ignored.
 */
export function checkMergedRuns(paths: readonly string[], mixed: boolean): void {
  const runs = paths.filter(hasManifest).map((path) => {
    const { seed, engineVersion, settings, source } = readManifest(path);
    // At fixed nodes, another version with the same bench and settings plays the same games
    const isRepeatable = settings['bench'] !== undefined && settings['tc'] === undefined;
    const made = { seed, source, ...settings, ...(!isRepeatable && { engineVersion }) };
    return { path, made, seed, identity: { engineVersion, ...settings, seed: undefined } };
  });
  for (const [i, run] of runs.entries()) {
    for (const other of runs.slice(0, i)) {
      const difference = identityDifference(other.identity, run.identity);
      const both = `${other.path} and ${run.path}`;
      if (identityDifference(other.made, run.made) === null)
        throw new UserError(`${both} hold the same games (seed ${run.seed}); use a different --seed on each machine`);
      if (difference !== null && !mixed)
        throw new UserError(
          `${both} differ in ${difference.replace(/\(now (.*)\)/, '($1 in the second)')}; use --mixed to accept both`,
        );
    }
  }
}
