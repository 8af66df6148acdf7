// Checks the output paths of a command before its work begins: existing files are not overwritten without --force, and unwritable places are
// reported before the first game. A run's folder lists its own files in run.json; these may be rewritten.

import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UserError } from './errors.js';
import { makeFolder, writeFileAtomic } from './files.js';
import { guardFolder } from './folder-guard.js';
import { flag, text } from './options.js';

export const FORCE_OPTION = { force: flag({ help: 'overwrite existing files' }) };

/** The options of every command that writes files and has a summary. */
export const OUTPUT_OPTIONS = {
  json: text({ help: 'file for a summary in JSON' }),
  ...FORCE_OPTION,
};

const RUN_FILE = 'run.json';
/** In a run's folder: the options that began it. */
export const COMMAND_FILE = 'command.json';

/** Names of files that a process writes and then renames, or holds for a moment. */
const TEMPORARY = /(^lock-|\.tmp-)(\d+|stale)$/;

/** Any of these files marks the folder of a run; all but run.json are for runs of older versions. */
const MARKS = [RUN_FILE, 'games.jsonl', 'manifest.json', 'ledger.json', 'checkpoint', 'lock'];

export interface Outputs {
  force: boolean;
  /** Folder of the run, if it has one. */
  out?: string | undefined;
  /** Files that the command makes in the folder and must not find there. */
  fresh?: readonly string[];
  /** Files by the names of their options. */
  files?: Readonly<Record<string, string | undefined>>;
}

/** Sees to it that folder and files can be written; UserError for what exists and is not the run's own, unless forced. */
export function claimOutputs({ force, out, fresh = [], files = {} }: Outputs): void {
  const own = out === undefined ? [] : ownFiles(out, force);
  const asked = Object.entries(files).flatMap(([option, file]) => (file === undefined ? [] : [{ option, file }]));
  const inFolder = fresh.map((name) => ({ option: 'out', file: join(out ?? '.', name) }));
  for (const { option, file } of [...asked, ...inFolder]) {
    const stats = existsSync(file) ? statSync(file) : undefined;
    if (stats?.isDirectory() === true) throw new UserError(`--${option}: ${file} is a folder`);
    if (stats?.isFile() === true && !force && !own.includes(resolve(file))) {
      throw new UserError(`--${option}: ${file} exists; choose another name, or overwrite it with --force`);
    }
  }
  for (const { option, file } of asked) checkWritable(option, file);
  if (out === undefined) return;
  if (!existsSync(out)) process.once('exit', () => removeUnused(out));
  makeFolder(out);
  guardFolder(out);
  const all = new Set([...own, ...asked.map(({ file }) => resolve(file))]);
  writeFileAtomic(join(out, RUN_FILE), `${JSON.stringify({ files: [...all] })}\n`);
}

// A mistake that shows later, or an early end, leaves no folder behind
function removeUnused(folder: string): void {
  const isUnused = existsSync(folder) && readdirSync(folder).every((name) => [RUN_FILE, COMMAND_FILE].includes(name));
  if (isUnused) rmSync(folder, { recursive: true });
}

function ownFiles(folder: string, force: boolean): string[] {
  if (!existsSync(folder)) return [];
  makeFolder(folder);
  // Of another process that begins in the same folder: the lock decides between them
  const names = readdirSync(folder).filter((name) => !TEMPORARY.test(name));
  if (!force && names.length > 0 && !MARKS.some((mark) => names.includes(mark))) {
    throw new UserError(
      `--out: ${folder} holds other files (${names[0]}, …); choose another folder, or use it anyway with --force`,
    );
  }
  try {
    const { files } = JSON.parse(readFileSync(join(folder, RUN_FILE), 'utf8'));
    return files.map(String);
  } catch {
    // Without the list, or with a damaged one, no file counts as the run's
    return [];
  }
}

// A pipe or a device is written to as it is: opening it could wait for its reader
function checkWritable(option: string, file: string): void {
  makeFolder(dirname(file));
  const isThere = existsSync(file);
  if (isThere && !statSync(file).isFile()) return;
  try {
    closeSync(openSync(file, 'a'));
    if (!isThere) rmSync(file);
  } catch (error) {
    throw new UserError(`--${option}: cannot write ${file}: ${(error as Error).message}`);
  }
}
