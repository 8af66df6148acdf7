// Creates the manifest of a folder of labels, or reads that of labels to continue. Refuses a folder of anything else.

import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UserError } from '../../selfplay/common/errors.js';
import { programVersion } from '../../selfplay/common/program.js';
import { refuseOtherRun } from '../../selfplay/common/run-files.js';
import { hasManifest, type LabelManifest, readManifest, writeManifest } from '../../selfplay/records/manifest.js';
import { readRecords } from '../../selfplay/records/reader.js';
import { sha256OfFile } from '../../selfplay/records/shard.js';
import { type LabelSettings, labelIdentity } from './settings.js';

const SHARDS = 32;
const MAX_GAMES_PER_SHARD = 500;

/** What is to be labelled. */
export interface Source {
  files: NonNullable<LabelManifest['source']>;
  games: number;
}

/** Counts the games of the paths and takes the checksums of their files. */
export async function readSource(data: readonly string[], onRead?: (games: number) => void): Promise<Source> {
  const files = new Set<string>();
  let games = 0;
  for await (const { file } of readRecords(data)) {
    files.add(file);
    games++;
    onRead?.(games);
  }
  if (games === 0) throw new UserError(`no game in ${data.join(', ')}`);
  return { files: Array.from(files, (file) => ({ name: basename(file), sha256: sha256OfFile(file) })), games };
}

/** Returns the manifest of the folder's labels, or of new ones. UserError when the folder holds other labels, or games. */
export function openLabelManifest(settings: LabelSettings, { files, games }: Source): LabelManifest {
  const { out, command, seed } = settings;
  const fresh: LabelManifest = {
    command,
    seed,
    engineVersion: programVersion(),
    settings: labelIdentity(settings),
    gamesPerShard: Math.min(MAX_GAMES_PER_SHARD, Math.ceil(games / SHARDS)),
    games: 0,
    positions: 0,
    complete: false,
    source: files,
    shards: [],
  };
  if (!hasManifest(out)) {
    const stray = join(out, labelShardName(0));
    if (existsSync(stray)) throw new UserError(`${stray} is of labels without manifest.json; choose another --out`);
    writeManifest(out, fresh);
    return fresh;
  }
  const old = readManifest(out);
  if (old.source === undefined) throw new UserError(`${out} holds games, not labels; choose another --out`);
  refuseOtherRun(out, 'set of labels', old.settings, fresh.settings);
  if (JSON.stringify(old.source) !== JSON.stringify(files))
    throw new UserError(
      `${out} holds the labels of other games than ${settings.data.join(', ')}; choose another --out`,
    );
  return { ...old, command };
}

/** Returns the name of the numbered shard's file. */
export function labelShardName(number: number): string {
  return `labels-${String(number).padStart(4, '0')}.csv`;
}
