// Checks the output paths of a command before its work begins. Existing files are not overwritten without --force, and unwritable paths are
// reported immediately. The folder of a run belongs to one command: run.json in it names this command and lists the run's own files, which
// may be overwritten.

import { closeSync, existsSync, openSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { attempt, UserError } from './errors.js';
import { isFile, isFolder, makeFolder, writeFileAtomic } from './files.js';
import { guardFolder } from './folder-guard.js';
import { flag, text } from './options.js';
import { isObject } from './run-files.js';

export const FORCE_OPTION = { force: flag('overwrite existing files') };

/** The options of every command that writes a summary. */
export const OUTPUT_OPTIONS = { json: text('file for a summary in JSON', { isPath: true }), ...FORCE_OPTION };

export const RUN_FILE = 'run.json';
/** File in a run's folder with its original options. */
export const COMMAND_FILE = 'command.json';

/** Names of temporary and lock files. */
const TEMPORARY = /(^lock-|\.tmp-)(\d+|stale)$/;

/** Files of a run that has not begun its work. */
const UNUSED = [RUN_FILE, COMMAND_FILE];

/** Files that any run may write. */
export const WRITTEN = [...UNUSED, 'lock', 'games.jsonl', 'events.jsonl', 'manifest.json', 'ledger.json', 'checkpoint'];

/** The folder of a run, and the only command that may continue the run. */
interface RunFolder {
  out: string;
  /** Name of the command, as in `tune label`. */
  command: string;
  /** File that identifies the command's runs if their run.json, written by an older version, does not name the command. */
  mark?: string;
}

export interface Outputs {
  force: boolean;
  run?: RunFolder | undefined;
  /** Names of files that the command creates in the folder and that must not exist. */
  fresh?: readonly string[];
  /** Names of files that the command writes into the folder and that may exist. */
  rewritten?: readonly string[];
  /** Output files by option. */
  files?: OptionFiles;
  /** Files by option that may exist, because the command appends to them or may overwrite them. */
  appended?: OptionFiles;
  /** Options whose files the command compresses if their names end in .gz. */
  gzipped?: readonly string[];
  /** Files that the command reads, which must not be outputs even with `force`. */
  inputs?: readonly string[];
}

type OptionFiles = Readonly<Record<string, string | undefined>>;

const named = (files: OptionFiles): { option: string; file: string }[] =>
  Object.entries(files).flatMap(([option, file]) => (file === undefined ? [] : [{ option, file }]));

/**
 * Checks that the folder and files are writable, and creates the folder with its run.json; throws a UserError for a folder that is not a
 * run of the command, and for existing files that are not the run's own, unless forced.
 */
export function claimOutputs(outputs: Outputs): void {
  const { force, run, fresh = [], rewritten = [], files = {}, appended = {}, gzipped = [], inputs = [] } = outputs;
  const created = named(files);
  const kept = named(appended);
  const given = [...created, ...kept];
  for (const { option, file } of given) refusePlain(option, file, gzipped.includes(option));
  const own = run === undefined ? [] : ownFiles(run, force);
  const inFolder = (names: readonly string[]): string[] => names.map((name) => join(run?.out ?? '.', name));
  const read = new Set(inputs.filter(existsSync).map((file) => realpathSync(file)));
  const isInput = (file: string): boolean => isFile(file) && read.has(realpathSync(file));
  const input = inFolder([...fresh, ...rewritten]).find(isInput);
  if (input !== undefined) throw new UserError(`--out: ${input} is also an input; choose another folder`, 2);
  const mayExist = [...own, ...kept.map(({ file }) => resolve(file))];
  for (const { option, file } of [...given, ...inFolder(fresh).map((path) => ({ option: 'out', file: path }))]) {
    if (isFolder(file)) throw new UserError(`--${option}: ${file} is a folder`);
    if (isInput(file))
      throw new UserError(`--${option}: ${file} is also an input; choose a file outside the input folders`, 2);
    if (isFile(file) && !force && !mayExist.includes(resolve(file)))
      throw new UserError(`--${option}: ${file} exists; choose another name, or overwrite it with --force`);
  }
  const written = run === undefined ? [] : inFolder([...WRITTEN, ...fresh, ...rewritten]);
  refuseShared(given, written);
  for (const { option, file } of given) checkWritable(option, file);
  if (run !== undefined) claimFolder(run, [...own, ...created.map(({ file }) => resolve(file))]);
}

function claimFolder({ out, command }: RunFolder, files: readonly string[]): void {
  if (!existsSync(out)) process.once('exit', () => removeUnused(out));
  makeFolder(out);
  guardFolder(out);
  writeFileAtomic(join(out, RUN_FILE), `${JSON.stringify({ command, files: [...new Set(files)] })}\n`);
}

// Other programs would take the file for a compressed one
function refusePlain(option: string, file: string, isGzipped: boolean): void {
  if (!/\.(?:gz|zst)$/i.test(file) || (isGzipped && file.endsWith('.gz'))) return;
  const choice = isGzipped ? 'a name that ends in .gz' : 'a name without .gz or .zst, and compress the file afterwards';
  throw new UserError(`--${option}: ${file} would not be compressed; choose ${choice}`, 2);
}

// Two writers of one file would overwrite each other's output
function refuseShared(files: readonly { option: string; file: string }[], written: readonly string[]): void {
  const options = new Map<string, string>();
  const own = written.map((file) => resolve(file));
  for (const { option, file } of files) {
    if (existsSync(file) && !isFile(file)) continue;
    const path = resolve(file);
    const other = options.get(path);
    if (other !== undefined) throw new UserError(`--${option}: ${file} is also the file of --${other}`, 2);
    if (own.includes(path))
      throw new UserError(`--${option}: ${file} is one of the run's own files; choose another name`, 2);
    options.set(path, option);
  }
}

// No unused folder may remain after an error or an early end
function removeUnused(folder: string): void {
  if (existsSync(folder) && isUnused(readdirSync(folder))) rmSync(folder, { recursive: true });
}

const isUnused = (names: readonly string[]): boolean => names.every((name) => UNUSED.includes(name));

// Returns the files of the command's earlier run in the folder, if any; throws a UserError for other contents, unless forced
function ownFiles({ out, command, mark }: RunFolder, force: boolean): readonly string[] {
  if (!existsSync(out)) return [];
  makeFolder(out);
  // Another process may be starting in the same folder; the lock admits only one
  const names = readdirSync(out).filter((name) => !TEMPORARY.test(name));
  const run = readRun(out);
  if (run !== null) {
    const isOwn = run.command === undefined ? names.includes(mark ?? '') : run.command === command;
    if (isOwn) return run.files;
    if (isUnused(names)) return [];
  }
  if (force || names.length === 0) return [];
  const other = names.includes(RUN_FILE)
    ? `a ${RUN_FILE} that does not belong to a run`
    : `other files (${names[0]}, …)`;
  const what = run === null ? `contains ${other}` : `contains a run of ${run.command ?? 'an older version'}`;
  throw new UserError(`--out: ${out} ${what}; choose another folder, or use it anyway with --force`);
}

// Returns null if run.json is missing, damaged or written by another program
function readRun(folder: string): { command?: string; files: readonly string[] } | null {
  try {
    const run: unknown = JSON.parse(readFileSync(join(folder, RUN_FILE), 'utf8'));
    if (!isObject(run) || !Array.isArray(run['files'])) return null;
    const { command, files } = run;
    const isRun = [...files, command ?? ''].every((value) => typeof value === 'string');
    return isRun ? (run as { command?: string; files: string[] }) : null;
  } catch {
    return null;
  }
}

// Pipes and devices are not checked, because opening one may block
function checkWritable(option: string, file: string): void {
  makeFolder(dirname(file));
  const isThere = existsSync(file);
  if (isThere && !isFile(file)) return;
  attempt(`--${option}: cannot write ${file}`, () => {
    closeSync(openSync(file, 'a'));
    // The path may be a link, whose missing target has just been created
    if (!isThere) rmSync(realpathSync(file));
  });
}

/**
 * Creates the missing files at once so that a second process rejects them even if the first write is minutes away. Files that are still
 * empty at the end of the process are removed.
 */
export function reserveFiles(files: readonly (string | undefined)[]): void {
  for (const file of files) {
    if (file === undefined || existsSync(file)) continue;
    attempt(`cannot write ${file}`, () => closeSync(openSync(file, 'a')));
    // Runs before the removal of an unused folder, which may contain the file. The path may be a link
    process.prependOnceListener('exit', () => {
      try {
        if (statSync(file).size === 0) rmSync(realpathSync(file));
      } catch {
        // The file is already gone, or cannot be removed
      }
    });
  }
}
