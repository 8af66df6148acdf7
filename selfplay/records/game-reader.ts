// Reads game records: folders of self-play runs (checked against their manifest), loose shards, PGN files.

import { readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { addProblem, attempt, UserError } from '../common/errors.js';
import { isExistingFolder, isFile, isFolder } from '../common/files.js';
import { RUN_FILE, WRITTEN } from '../common/outputs.js';
import { counted, printable } from '../common/wording.js';
import { FILE_ENDINGS, GAME_KINDS, kindOfFile, OTHER_ENDINGS } from './file-kind.js';
import { newReadReport, type ReadReport, type SourcedGame } from './game-kind.js';
import { hasManifest, MANIFEST_FILE, readManifest, verifyShards } from './manifest.js';
import { RecordError } from './record.js';
import { readGamesOf, sha256OfFile } from './shard.js';

/** Returns whether `readRecords` reads the path: a folder, or any file except a position file. Throws a UserError if it does not exist. */
export async function holdsRecords(path: string): Promise<boolean> {
  return isExistingFolder(path) || (await kindOfFile(path)) !== 'positions';
}

/** File extensions read from a folder without a manifest. The second list is used only if no file matches the first. */
const COLLECTED = [FILE_ENDINGS, OTHER_ENDINGS].map(
  (endings) => new RegExp(`\\.(${endings.join('|')})(\\.gz|\\.zst)?$`, 'i'),
);

/**
 * Returns the files to read for the path: the shards of a label folder, the PGN and position files of a folder without a run, otherwise the
 * path itself. Throws a UserError for a folder without such files, or with a file and its compressed copy.
 */
export function dataFiles(path: string): string[] {
  if (!isFolder(path)) return [path];
  if (hasManifest(path)) return readManifest(path).source === undefined ? [path] : shardsOf(path);
  const { collected } = namesIn(path);
  refuseCompressed(collected.map((name) => join(path, name)));
  if (collected.length > 0) return collected.map((name) => join(path, name));
  throw new UserError(`${path}: no ${MANIFEST_FILE} and no PGN, EPD, FEN, CSV or text files in this folder`);
}

const PACKED = /\.(?:gz|zst)$/i;

/** Throws a UserError if a file seems to be a compressed copy of another one. */
function refuseCompressed(files: readonly string[]): void {
  const known = new Map<string, string>();
  for (const file of files) {
    const name = resolve(file).replace(PACKED, '');
    const other = known.get(name);
    if (other !== undefined)
      throw new UserError(`${file} seems to be a compressed copy of ${other}; move or leave out one of them`);
    known.set(name, file);
  }
}

/** Label files in a folder of `tune label`. */
const LABELS = /^labels-\d+\.csv$/;

/** Returns the names of the files that `dataFiles` reads from a folder without a run, and of the skipped files and subfolders. */
function namesIn(folder: string): { collected: string[]; skipped: string[]; folders: string[] } {
  const all = attempt(`cannot read ${folder}`, () => readdirSync(folder)).sort();
  // macOS adds a hidden file with binary data to each file that it copies to other file systems
  const visible = all.filter((name) => !name.startsWith('.'));
  const names = visible.filter((name) => isFile(join(folder, name)));
  // A match keeps journals beside its games
  const journals = names.includes(RUN_FILE) ? WRITTEN : [];
  const lists = COLLECTED.map((pattern) => names.filter((name) => pattern.test(name) && !journals.includes(name)));
  const collected = lists.find(({ length }) => length > 0) ?? [];
  const skipped = names.filter((name) => !collected.includes(name));
  return { collected, skipped, folders: visible.filter((name) => isFolder(join(folder, name))) };
}

/** Prints the files and subfolders that `dataFiles` skips, and the data files in a run's folder that are not part of the run. */
export function printSkipped(paths: readonly string[]): void {
  for (const path of paths.filter(isFolder)) {
    const { collected, skipped, folders } = namesIn(path);
    if (hasManifest(path)) {
      const foreign = collected.filter((name) => COLLECTED[0].test(name) && !LABELS.test(name));
      printNames(path, foreign, 'files', ` not listed in ${MANIFEST_FILE}`);
    } else if (collected.length > 0) {
      printNames(path, skipped, 'files', ' of other kinds');
      printNames(path, folders, 'subfolders');
    }
  }
}

function printNames(path: string, names: readonly string[], kind: 'files' | 'subfolders', which = ''): void {
  if (names.length === 0) return;
  const examples = `${names.slice(0, 3).join(', ')}${names.length > 3 ? ', …' : ''}`;
  const what = printable(`${counted(names.length, kind)}${which} (${examples})`);
  process.stderr.write(`${path}: skipped ${what}; name a ${kind === 'files' ? 'file' : 'folder'} to read it\n`);
}

/** Returns the files to read for all paths; throws a UserError if one occurs twice, under the same name or another. */
export function distinctFiles(paths: readonly string[]): string[] {
  const files = paths.flatMap(dataFiles);
  refuseRepeated(files);
  return files;
}

/**
 * Throws a UserError if two paths are the same file, if a file outside runs has the same content as another, or if one seems to be a
 * compressed copy of another. Shards of runs may be equal, such as shards of labels without a line.
 */
export function refuseRepeated(paths: readonly string[]): void {
  const files = withShards(paths).filter(exists);
  const isLoose = files.map((file) => isFile(file) && !hasManifest(dirname(file)));
  const sizes = files.map((file) => (isFile(file) ? statSync(file).size : 0));
  const looseSizes = new Set(sizes.filter((_, i) => isLoose[i]));
  const seenPaths = new Set<string>();
  /** Index of the last file with each content. */
  const seenContents = new Map<string, number>();
  for (const [i, file] of files.entries()) {
    const path = realpathSync(file);
    if (seenPaths.has(path)) throw new UserError(`${file} is given twice`);
    seenPaths.add(path);
    const size = sizes[i];
    if (size === 0 || !looseSizes.has(size) || sizes.indexOf(size) === sizes.lastIndexOf(size)) continue;
    const content = sha256OfFile(file);
    const other = seenContents.get(content);
    if (other !== undefined && (isLoose[i] || isLoose[other]))
      throw new UserError(`${file} is a copy of ${files[other]}; leave one of them out`);
    seenContents.set(content, i);
  }
  refuseCompressed(files);
}

/** Returns the paths, with the shards of a run after its folder. */
export const withShards = (paths: readonly string[]): string[] =>
  paths.flatMap((path) => (isFolder(path) ? [path, ...shardsIn(path)] : path));

const shardsIn = (run: string): string[] => readManifest(run).shards.map(({ file }) => join(run, file));

const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

/**
 * Iterates the games of the paths in order: folders with a manifest.json or with PGN files, and single files of games. The moves of PGN
 * games are legal; the moves in shards are not checked. Reading PGN overwrites the engine's position. Throws a UserError for a missing
 * path, an unknown kind of file, or shards that contradict their manifest.
 */
export async function* readRecords(
  paths: readonly string[],
  report: ReadReport = newReadReport(),
): AsyncGenerator<SourcedGame> {
  for (const path of distinctFiles(paths)) yield* readGames(path, report);
}

/** Iterates the games of one file, or of the folder of a run, as `readRecords` does. */
export async function* readGames(path: string, report: ReadReport): AsyncGenerator<SourcedGame> {
  yield* isExistingFolder(path) ? readFolder(path, report) : readFile(path, report);
}

// Files without a checksum are used up to the first fault; the rest is skipped
async function* readFile(file: string, report: ReadReport): AsyncGenerator<SourcedGame> {
  const kind = await kindOfFile(file);
  if (kind === 'positions' || kind === 'polyglot') {
    const what = kind === 'polyglot' ? 'a Polyglot book' : 'positions';
    const names = Object.values(GAME_KINDS).map(({ name }) => name);
    throw new UserError(`${file} holds ${what}: games are read from ${names.join(', ')} or a run's folder`);
  }
  const before = report.games;
  try {
    yield* GAME_KINDS[kind].read(file, report);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    const games = report.games - before;
    if (games === 0) throw new UserError(`${file} is not a shard of games: ${error.message}`);
    addProblem(report.problems, file, games + 1, `${error.message}; the rest of the file is skipped`);
  }
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
