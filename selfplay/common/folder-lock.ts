// The folder of a run has a lock file, because two processes that append to the same files would corrupt both runs. The lock file is
// created as a hard link to a complete file so that it is never empty. A second lock protects the removal of a dead process's lock, so no
// process can remove the lock of the next owner.

import { linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt, UserError } from './errors.js';
import { guardFolder } from './folder-guard.js';

/** Lock files held by this process. Any other lock file with this process's id was left by a dead process. */
const held = new Set<string>();

/** Maximum wait in ms while another process removes a dead process's lock. The removal takes less than a millisecond. */
const PATIENCE_MS = 3000;

/** Locks the folder, removes temporary files of killed processes, and returns the unlock function; throws a UserError if it is in use. */
export function lockFolder(folder: string): () => void {
  const file = join(folder, 'lock');
  const mine = `${file}-${process.pid}`;
  try {
    attempt(`cannot write ${file}`, () => {
      writeFileSync(mine, String(process.pid));
      const giveUp = Date.now() + PATIENCE_MS;
      while (!isLinked(mine, file)) {
        const owner = ownerOf(file);
        if (Number.isNaN(owner)) throw new UserError(`${file} is not a Heft lock file; choose another folder`);
        if (isTaken(file, owner)) {
          throw new UserError(`${folder} is in use by process ${owner}; if that is not a Heft run, remove ${file}`);
        }
        removeStale(file, mine, giveUp);
      }
    });
  } finally {
    rmSync(mine, { force: true });
  }
  held.add(file);
  const forget = guardFolder(folder);
  removeTemporaries(folder);
  return () => {
    forget();
    if (held.delete(file) && ownerOf(file) === process.pid) rmSync(file, { force: true });
  };
}

const isLinked = (mine: string, lock: string): boolean => unless('EEXIST', () => linkSync(mine, lock));

function removeStale(lock: string, mine: string, giveUp: number): void {
  const second = `${lock}-stale`;
  if (isLinked(mine, second)) {
    const owner = ownerOf(lock);
    if (owner !== null && !isTaken(lock, owner)) rmSync(lock);
    rmSync(second);
  } else {
    const owner = ownerOf(second);
    if (owner !== null && !isRunning(owner)) rmSync(second, { force: true });
    else if (owner !== null && Date.now() > giveUp)
      throw new UserError(`${second} is held by process ${owner}; if that is not a Heft run, remove ${second}`);
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  }
}

function isTaken(lock: string, owner: number | null): boolean {
  return owner === process.pid ? held.has(lock) : owner !== null && isRunning(owner);
}

function unless(code: string, action: () => void): boolean {
  try {
    action();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === code) return false;
    throw error;
  }
}

// Returns 0 for an empty file, NaN for one without a process id, and null for a missing one
function ownerOf(file: string): number | null {
  let owner: number | null = null;
  unless('ENOENT', () => {
    owner = Number(readFileSync(file, 'utf8'));
  });
  return owner;
}

// A killed process leaves temporary files. Their names contain its id, so a later process can remove them; other files are never touched.

/** Returns whether a process with this id is running. A zombie, whose parent has not yet waited for it, does not count. */
export function isRunning(pid: number): boolean {
  if (pid === 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  try {
    // proc(5): the state follows the program name in brackets
    return !/\) [ZX] [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // Only Linux has this file
    return true;
  }
}

/** Removes the temporary files of locks and of atomic writes that killed processes left in a folder. */
export const removeTemporaries = (folder: string): void => removeLeftovers(folder, /(?:^lock-|\.tmp-)(\d+)$/, false);

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Removes the temporary files or folders of dead processes. The pattern matches their names and captures the process id. */
export function removeLeftovers(folder: string, pattern: RegExp, recursive: boolean): void {
  for (const name of namesIn(folder)) {
    const pid = pattern.exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    try {
      rmSync(join(folder, name), { recursive, force: true });
    } catch {
      // Another user's file, or an unexpected folder, is kept
    }
  }
}
