// Changes the pace of a running series (number of parallel games, pause) through commands in the file `control` in the run's folder.

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_WORKERS } from './game-settings.js';

export const CONTROL = 'control';

/** Settings that the user can change. */
export interface Pace {
  /** Number of parallel games. */
  workers: number;
  paused: boolean;
}

const POLL_MS = 300;

/** Returns the pace after a command: `pause`, `continue`, `resume`, `workers N`, `concurrency N`, a number, `+` or `-`; otherwise null. */
export function changedPace(pace: Pace, command: string): Pace | null {
  const words = command.trim().toLowerCase();
  if (words === 'pause') return { ...pace, paused: true };
  if (words === 'continue' || words === 'resume') return { ...pace, paused: false };
  if (words === '+') return { ...pace, workers: Math.min(MAX_WORKERS, pace.workers + 1) };
  if (words === '-') return { ...pace, workers: Math.max(1, pace.workers - 1) };
  const number = Number(/^(?:(?:workers|concurrency)[\s=]+)?(\d+)$/.exec(words)?.[1] ?? 0);
  return number >= 1 && number <= MAX_WORKERS ? { ...pace, workers: number } : null;
}

/** Returns the pace as text. */
export function describePace({ workers, paused }: Pace): string {
  return paused ? 'paused: games in progress will be finished' : `${workers} at a time`;
}

/**
 * Watches the folder's control file: calls `onPace` with each change and removes the file. `most` is the maximum number of
 * games. Returns a function that stops watching.
 */
export function watchPace(
  folder: string | undefined,
  workers: number,
  onPace: (pace: Pace) => void,
  onProblem: (message: string) => void,
  most = MAX_WORKERS,
): () => void {
  if (folder === undefined) return () => undefined;
  const file = join(folder, CONTROL);
  let pace: Pace = { workers, paused: false };
  let isReadable = true;
  const timer = setInterval(() => {
    let text = '';
    try {
      text = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
      // A new file may still be empty
      if (text !== '') rmSync(file);
      isReadable = true;
    } catch (error) {
      if (isReadable) onProblem(`cannot read or remove ${file}: ${(error as Error).message}`);
      isReadable = false;
      return;
    }
    if (text === '') return;
    for (const command of text.split('\n')) {
      const changed = changedPace(pace, command);
      if (changed === null) onProblem(`${file}: '${command.trim()}' is not one of pause, continue, workers N, +, -`);
      else if (changed.workers > most)
        onProblem(`${file}: --affinity has too few processors for ${changed.workers} games; use at most ${most}`);
      else {
        onPace(changed);
        pace = changed;
      }
    }
  }, POLL_MS);
  return () => clearInterval(timer);
}
