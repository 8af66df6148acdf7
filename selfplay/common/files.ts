// Creates folders and writes files atomically; throws a UserError for unwritable paths.

import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { attempt, causeOf, UserError } from './errors.js';
import { checkFolder } from './folder-guard.js';

/** Returns whether the path is a file. */
export const isFile = (path: string): boolean => statsOf(path)?.isFile() === true;

/** Returns whether the path is a folder. */
export const isFolder = (path: string): boolean => statsOf(path)?.isDirectory() === true;

// existsSync() does not throw if the path is too long, below a file, or in a folder that this user may not search
const statsOf = (path: string) => (existsSync(path) ? statSync(path, { throwIfNoEntry: false }) : undefined);

/** Returns whether the path is a folder rather than a file; throws a UserError if there is neither. */
export function isExistingFolder(path: string): boolean {
  const stats = attempt(`cannot read ${path}`, () => statSync(path, { throwIfNoEntry: false }));
  if (stats === undefined) throw new UserError(`${path}: no such file or folder`);
  return stats.isDirectory();
}

/** Creates the folder and its parents if they are missing; throws a UserError if that fails. */
export function makeFolder(folder: string): void {
  attempt(`cannot create the folder ${folder}`, () => makeMissing(resolve(folder)));
}

// Creates the folders one by one, because Node's recursive mode loops forever below /proc and similar folders
function makeMissing(folder: string): void {
  const parent = dirname(folder);
  if (parent !== folder) makeMissing(parent);
  if (isFolder(folder)) return;
  try {
    mkdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // Another process may have created it meanwhile
    if (!isFolder(folder)) throw new Error(`${folder} is not a folder; choose another name`);
  }
}

/** Returns an unused folder for a new run if the user named none, such as `runs/match-2026-01-31-120000`. */
export function newRunFolder(kind: string): string {
  const name = `runs/${kind}-${new Date().toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '')}`;
  let folder = name;
  for (let number = 2; existsSync(folder); number++) folder = `${name}-${number}`;
  return folder;
}

/** Writes a file atomically, and creates its folder if it is missing; throws a UserError if that fails. */
export function writeFileAtomic(file: string, content: string | Uint8Array): void {
  checkFolder(file);
  attempt(`cannot write ${file}`, () => {
    makeMissing(dirname(resolve(file)));
    const replacement = new Replacement(file);
    try {
      writeAll(replacement.fd, content);
      replacement.finish();
    } finally {
      replacement.drop();
    }
  });
}

/** Writes a file atomically with the content that `fill` writes piece by piece; throws a UserError if that fails. */
export async function replaceFile(
  file: string,
  fill: (write: (content: string | Uint8Array) => void) => Promise<void>,
): Promise<void> {
  try {
    const replacement = new Replacement(file);
    try {
      await fill((content) => writeAll(replacement.fd, content));
      replacement.finish();
    } finally {
      replacement.drop();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new UserError(`cannot write ${file}: ${causeOf(error)}`);
  }
}

/**
 * Writes a temporary file that then replaces the target. If the process is killed, a later removeTemporaries() removes the temporary file
 * from a run's folder. Pipes and devices are written directly.
 */
class Replacement {
  readonly fd: number;
  private readonly target: string;
  /** Null after the rename, and for pipes and devices. */
  private temporary: string | null;
  private isOpen = true;

  constructor(file: string) {
    const before = statSync(file, { throwIfNoEntry: false });
    // The link /dev/stdout to a pipe has no real path
    this.target = before?.isFile() === true ? realpathSync(file) : before === undefined ? missingTarget(file) : file;
    this.temporary = before?.isFile() === false ? null : `${this.target}.tmp-${process.pid}`;
    this.fd = openSync(this.temporary ?? this.target, 'w');
    if (before !== undefined && this.temporary !== null) fchmodSync(this.fd, before.mode);
  }

  /** Syncs the new file and renames it into place. */
  finish(): void {
    if (this.temporary !== null) fsyncSync(this.fd);
    this.close();
    if (this.temporary !== null) renameSync(this.temporary, this.target);
    this.temporary = null;
  }

  /** Removes the temporary file unless `finish` has renamed it. */
  drop(): void {
    this.close();
    if (this.temporary !== null) rmSync(this.temporary, { force: true });
  }

  private close(): void {
    if (this.isOpen) closeSync(this.fd);
    this.isOpen = false;
  }
}

// A dangling symbolic link is kept, and its target is created. The target is relative to the real folder of the link
const missingTarget = (file: string): string =>
  lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()
    ? missingTarget(resolve(realpathSync(dirname(file)), readlinkSync(file)))
    : file;

/** Writes the whole buffer at the file position; a single write to a nearly full disk may be partial. */
export function writeAll(fd: number, content: string | Uint8Array): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}

/** Writes the summary of `--json FILE`; does nothing without a file. */
export function writeSummary(file: string | undefined, summary: object): void {
  if (file !== undefined) writeFileAtomic(file, `${JSON.stringify(summary, null, 2)}\n`);
}

/** Returns up to `most` bytes from the end of a file as text; '' if it does not exist. */
export function tailOf(file: string, most: number): string {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return '';
  const bytes = Buffer.alloc(Math.min(size, most));
  const fd = openSync(file, 'r');
  try {
    readSync(fd, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString('utf8');
  } finally {
    closeSync(fd);
  }
}
