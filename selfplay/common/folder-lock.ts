// A lock file for a run's folder: two processes that append to the same files would corrupt both runs.

import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from './errors.js';

/**
 * Takes the folder for this process and returns the function that lets go of it. The lock of a process that is no more is
 * taken over; UserError while another one has the folder, or when it cannot be written to.
 */
export function lockFolder(folder: string): () => void {
  const file = join(folder, 'lock');
  for (;;) {
    if (create(file)) return () => rmSync(file, { force: true });
    const owner = ownerOf(file);
    if (owner !== process.pid && isRunning(owner)) {
      throw new UserError(`${folder} is in use by process ${owner}; if that is no run of Heft, remove ${file}`);
    }
    rmSync(file, { force: true });
  }
}

function create(file: string): boolean {
  try {
    const fd = openSync(file, 'wx');
    writeSync(fd, String(process.pid));
    closeSync(fd);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new UserError(`cannot write ${file}: ${(error as Error).message}`);
  }
}

// 0 for a file that says nothing: its process was killed, or this is no lock
function ownerOf(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8')) || 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw new UserError(`cannot read ${file}: ${(error as Error).message}`);
  }
}

function isRunning(pid: number): boolean {
  if (pid === 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
