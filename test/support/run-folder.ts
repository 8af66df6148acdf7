// Contents of a run's folder, for the tests of self-play.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRecords } from '../../selfplay/records/game-reader.js';
import type { GameRecord } from '../../selfplay/records/record.js';
import { sha256OfFile } from '../../selfplay/records/shard.js';

/** Returns the checksums of the folder's shards by file name. */
export function checksums(folder: string): Record<string, string> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.vf'));
  return Object.fromEntries(files.sort().map((file) => [file, sha256OfFile(join(folder, file))]));
}

/** Returns all bytes of the folder's files by name. */
export function contents(folder: string): Record<string, string> {
  return Object.fromEntries(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'base64')]));
}

/** Returns the games of a run as readRecords() reads them. */
export async function gamesOf(folder: string): Promise<GameRecord[]> {
  const games: GameRecord[] = [];
  for await (const { start, moves, scores, result } of readRecords([folder])) {
    games.push({ start, moves, scores, result });
  }
  return games;
}
