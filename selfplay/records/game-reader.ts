// Reads game records: folders of self-play runs (checked against their manifest), loose shards, PGN files.

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { addCount, addProblem, noProblems, type Problems, UserError } from '../common/errors.js';
import { isFolder } from '../common/files.js';
import { terminationOf } from '../notation/exclusions.js';
import { describeText } from '../text/files.js';
import { type FileKind, kindOfFile } from './file-kind.js';
import { hasManifest, MANIFEST_FILE, readManifest, verifyShards } from './manifest.js';
import { exclusionOf, type FileGame, newPgnFacts, readPgn, recordOfPgn } from './pgn-reader.js';
import { type GameRecord, RecordError } from './record.js';
import { readShard } from './shard.js';

/** A game and its source. */
export interface SourcedGame extends GameRecord {
  /** Number of leading book moves. */
  bookPlies: number;
  file: string;
  /** Number of the game in its file, from 0, including excluded games. */
  index: number;
}

/** Read and excluded games; filled during reading. */
export interface ReadReport {
  games: number;
  /** Excluded games by reason (`unfinished`, `time`, `variant Atomic`, …). */
  excluded: Record<string, number>;
  /** Files by detected format (`PGN, gzip, UTF-8, LF`, …). */
  formats: Record<string, number>;
  /** Repairs of games by kind (`result from the tag`, …). */
  repairs: Record<string, number>;
  /** Unknown Termination tags, whose games are used. */
  terminations: Record<string, number>;
  /** Games that could not be read, by file:line (in shards, file:game number). */
  problems: Problems;
}

/** Whether `readRecords` reads the path: a folder, or a file of games. Throws a UserError if it does not exist. */
export async function holdsRecords(path: string): Promise<boolean> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new UserError(`${path}: no such file or folder`);
  return stats.isDirectory() || (await kindOfFile(path)) !== 'positions';
}

/** File extensions read from a folder without a manifest. */
const COLLECTED = /\.(pgn|epd|fen|csv|tsv|txt|plain|jsonl)(\.gz|\.zst)?$/i;

/**
 * Returns the files to read for the path: the shards of a label folder, the PGN and position files of a folder without a run, otherwise the
 * path itself.
 */
export function dataFiles(path: string): string[] {
  if (!isFolder(path)) return [path];
  if (hasManifest(path)) return readManifest(path).source === undefined ? [path] : shardsOf(path);
  const names = readdirSync(path).filter((name) => COLLECTED.test(name));
  if (names.length > 0) return names.sort().map((name) => join(path, name));
  throw new UserError(`${path}: no ${MANIFEST_FILE} and no PGN, EPD, FEN, CSV or text files in this folder`);
}

/** Returns an empty report. */
export function newReadReport(): ReadReport {
  return { games: 0, excluded: {}, formats: {}, repairs: {}, terminations: {}, problems: noProblems() };
}

/**
 * Iterates the games of the paths in their order: folders with a manifest.json or of PGN files, and files of the formats above. Moves of
 * PGN games are legal; those of shards are not checked. Reading PGN uses the engine's position. Throws a UserError for a missing path, an
 * unknown kind of file, or shards that contradict their manifest.
 */
export async function* readRecords(
  paths: readonly string[],
  report: ReadReport = newReadReport(),
): AsyncGenerator<SourcedGame> {
  for (const path of paths.flatMap(dataFiles)) {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) throw new UserError(`${path}: no such file or folder`);
    if (stats.isDirectory()) yield* readFolder(path, report);
    else yield* readFile(path, await kindOfFile(path), report);
  }
}

function readFile(
  file: string,
  kind: FileKind,
  report: ReadReport,
): Iterable<SourcedGame> | AsyncIterable<SourcedGame> {
  if (kind === 'pgn') return readPgnRecords(file, report);
  if (kind === 'viriformat') return readLooseShard(file, report);
  const what = kind === 'polyglot' ? 'a Polyglot book' : 'positions';
  throw new UserError(`${file} holds ${what}: games are read from PGN, viriformat or a run's folder`);
}

/** Returns the finished shards of a folder; throws a UserError if one is damaged or there is none. */
export function shardsOf(folder: string): string[] {
  const manifest = readManifest(folder);
  verifyShards(folder, manifest);
  if (manifest.shards.length > 0) return manifest.shards.map(({ file }) => join(folder, file));
  throw new UserError(
    `${folder}: no complete shard of ${manifest.gamesPerShard} games yet; continue the run with its own command`,
  );
}

function* readFolder(folder: string, report: ReadReport): Generator<SourcedGame> {
  for (const file of shardsOf(folder)) {
    try {
      yield* readGamesOf(file, report);
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      throw new UserError(`${file}: ${error.message}`);
    }
  }
}

/** Format name of shards without a manifest, in which a flipped bit may decode as another legal move. */
export const NO_CHECKSUM = 'no checksum';

// In a file without a checksum, the games before a fault are used, and the rest is skipped
function* readLooseShard(file: string, report: ReadReport): Generator<SourcedGame> {
  const before = report.games;
  addCount(report.formats, `viriformat, ${NO_CHECKSUM}`);
  try {
    yield* readGamesOf(file, report);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    const games = report.games - before;
    if (games === 0) throw new UserError(`${file} is not a shard of games: ${error.message}`);
    addProblem(report.problems, file, games + 1, `${error.message}; the rest of the file is skipped`);
  }
}

function* readGamesOf(file: string, report: ReadReport): Generator<SourcedGame> {
  let index = 0;
  for (const game of readShard(file)) {
    report.games++;
    yield { ...game, bookPlies: 0, file, index };
    index++;
  }
}

async function* readPgnRecords(file: string, report: ReadReport): AsyncGenerator<SourcedGame> {
  for await (const { record } of readPgnGames(file, report)) yield record;
}

/** Iterates the usable games of a PGN file and counts the others. Uses the reader's board. */
export async function* readPgnGames(
  file: string,
  report: ReadReport,
): AsyncGenerator<{ game: FileGame; record: SourcedGame }> {
  const facts = newPgnFacts();
  let index = -1;
  let used = 0;
  for await (const game of readPgn(file, report.problems, facts)) {
    index++;
    const { isKnown } = terminationOf(game.tags);
    if (!isKnown) addCount(report.terminations, game.tags.get('Termination') ?? '');
    const reason = exclusionOf(game);
    if (reason !== null) {
      addCount(report.excluded, reason);
      continue;
    }
    const { record, bookPlies } = recordOfPgn(game);
    report.games++;
    used++;
    yield { game, record: { ...record, bookPlies, file, index } };
  }
  addCount(report.formats, ['PGN', ...describeText(facts.text)].join(', '));
  for (const [kind, count] of Object.entries(facts.repairs)) addCount(report.repairs, kind, count);
  if (used === 0 && index >= 0)
    throw new UserError(`${file}: none of its ${index + 1} games is usable (${reasons(report)})`);
}

const reasons = ({ excluded }: ReadReport): string =>
  Object.entries(excluded)
    .map(([reason, count]) => `${count} ${reason}`)
    .join(', ');
