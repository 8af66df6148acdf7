// Creates folders and writes files atomically; a UserError names what cannot be written.

import { mkdirSync, statSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { sync as writeAtomically } from 'write-file-atomic';
import { UserError } from './errors.js';

/** Creates the folder and its parents; an unwritable place throws a UserError that names it. */
export function makeFolder(folder: string): void {
  try {
    makeMissing(resolve(folder));
  } catch (error) {
    throw new UserError(`cannot create the folder ${folder}: ${(error as Error).message}`);
  }
}

// One by one: Node's own recursive mode loops for ever below /proc and its like
function makeMissing(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  makeMissing(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have been quicker
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !statSync(folder).isDirectory()) throw error;
  }
}

/** Returns the folder of a new run when no other is named: `runs/match-2026-01-31-120000`. */
export function newRunFolder(kind: string): string {
  return `runs/${kind}-${new Date().toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '')}`;
}

/** Writes a file whole or not at all: to a temporary name beside it, synced, then renamed over it. */
export function writeFileAtomic(file: string, content: string | Uint8Array): void {
  try {
    makeMissing(dirname(resolve(file)));
    writeAtomically(
      file,
      typeof content === 'string' ? content : Buffer.from(content.buffer, content.byteOffset, content.byteLength),
    );
  } catch (error) {
    throw new UserError(`cannot write ${file}: ${(error as Error).message}`);
  }
}

/** Writes all of it where the file stands: a disk that is nearly full takes a part at a time. */
export function writeAll(fd: number, content: string | Uint8Array): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}

/** Writes the summary that `--json FILE` asks for; does nothing when no file was named. */
export function writeSummary(file: string | undefined, summary: object): void {
  if (file !== undefined) writeFileAtomic(file, `${JSON.stringify(summary, null, 2)}\n`);
}
