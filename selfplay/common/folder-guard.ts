// Detects that the folder or a file of a run was deleted or replaced while a command writes to it. Later writes would be lost without an
// error.

import { fstatSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UserError } from './errors.js';

/** Identity of each guarded folder at the beginning of the command, by path. */
const guarded = new Map<string, string>();

const identityOf = (path: string): string | null => {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.dev} ${stats.ino}`;
};

/** Guards the folder until the returned function is called. */
export function guardFolder(folder: string): () => void {
  const path = resolve(folder);
  const identity = identityOf(path);
  if (identity !== null) guarded.set(path, identity);
  return () => {
    if (guarded.get(path) === identity) guarded.delete(path);
  };
}

/** Throws a UserError if a guarded folder that contains the file was deleted or replaced. */
export function checkFolder(file: string): void {
  let path = resolve(file);
  for (let parent = dirname(path); parent !== path; parent = dirname(path)) {
    path = parent;
    const identity = guarded.get(path);
    if (identity === undefined || identityOf(path) === identity) continue;
    throw new UserError(`${path}: deleted or replaced while this command was writing to it; its content is incomplete`);
  }
}

/** Throws a UserError if the path no longer names the open file; pipes and devices are exempt. */
export function checkOpenFile(fd: number, file: string): void {
  checkFolder(file);
  const stats = fstatSync(fd, { bigint: true });
  if (!stats.isFile() || identityOf(file) === `${stats.dev} ${stats.ino}`) return;
  throw new UserError(
    `${file}: deleted or replaced while this command was writing to it; the most recent output is lost`,
  );
}
