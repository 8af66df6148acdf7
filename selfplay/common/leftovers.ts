// A process that is killed leaves its temporary files behind. They are named after it, so that a later one can tell which of them nobody
// needs any more; other files are never touched.

import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Whether there is a process of that number. */
export function isRunning(pid: number): boolean {
  if (pid === 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Removes what dead processes left in the folder: the names that the pattern matches, its group the number of the process. */
export function removeLeftovers(folder: string, pattern: RegExp): void {
  try {
    for (const name of readdirSync(folder)) {
      const pid = pattern.exec(name)?.[1];
      if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(folder, name), { recursive: true, force: true });
    }
  } catch {
    // What cannot be removed, such as another user's, stays
  }
}
