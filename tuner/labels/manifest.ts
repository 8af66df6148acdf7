// Creates the manifest of a label folder, or reads it to continue. Rejects other folders.

import { basename } from 'node:path';
import { UserError } from '../../selfplay/common/errors.js';
import { freshManifest, type LabelManifest, openManifest } from '../../selfplay/records/manifest.js';
import { readRecords } from '../../selfplay/records/reader.js';
import { sha256OfFile } from '../../selfplay/records/shard.js';
import { type LabelSettings, labelIdentity } from './settings.js';

/** The data to label. */
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
  if (games === 0) throw new UserError(`no games in ${data.join(', ')}`);
  return { files: Array.from(files, (file) => ({ name: basename(file), sha256: sha256OfFile(file) })), games };
}

/** Returns the manifest of the folder's labels, or of new ones. throws a UserError if the folder contains other labels, or games. */
export function openLabels(settings: LabelSettings, { files, games }: Source): LabelManifest {
  const { out, data } = settings;
  const fresh = freshManifest(settings, labelIdentity(settings), games, { source: files });
  const manifest = openManifest<LabelManifest>(out, { what: 'set of labels', name: labelShardName }, fresh);
  if (JSON.stringify(manifest.source) !== JSON.stringify(files))
    throw new UserError(`${out} holds the labels of other games than ${data.join(', ')}; choose another --out`);
  return manifest;
}

/** Returns the name of the numbered shard's file. */
export function labelShardName(number: number): string {
  return `labels-${String(number).padStart(4, '0')}.csv`;
}
