// Changes a running series: number of games at a time, pause, continue. Commands are keys in the terminal or words in the file
// `control` of the run's folder, which is removed after reading.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_WORKERS } from './game-settings.js';

export const CONTROL = 'control';

/** What the user can change. */
export interface Pace {
  /** Games at a time. */
  workers: number;
  paused: boolean;
}

const POLL_MS = 300;

/** Returns the pace after a command: `pause`, `continue`, `workers N`, a number, `+` or `-`; null for anything else. */
export function changedPace(pace: Pace, command: string): Pace | null {
  const words = command.trim().toLowerCase();
  if (words === 'pause') return { ...pace, paused: true };
  if (words === 'continue' || words === 'resume') return { ...pace, paused: false };
  if (words === '+') return { ...pace, workers: Math.min(MAX_WORKERS, pace.workers + 1) };
  if (words === '-') return { ...pace, workers: Math.max(1, pace.workers - 1) };
  const number = Number(/^(?:(?:workers|concurrency)[\s=]+)?(\d+)$/.exec(words)?.[1] ?? 0);
  return number >= 1 && number <= MAX_WORKERS ? { ...pace, workers: number } : null;
}

/** What is said of a pace. */
export function describePace({ workers, paused }: Pace): string {
  return paused ? 'paused: the games in progress are played to their end' : `${workers} at a time`;
}

export class PaceControl {
  private readonly file: string | null;
  private readonly onPace: (pace: Pace) => void;
  private readonly onUnknown: (message: string) => void;
  private pace: Pace;
  private timer: NodeJS.Timeout | null = null;

  /** `folder` is the run's, if it has one; `onPace` is told of each change. */
  constructor(
    folder: string | undefined,
    workers: number,
    listener: { onPace: (pace: Pace) => void; onUnknown: (message: string) => void },
  ) {
    this.file = folder === undefined ? null : join(folder, CONTROL);
    this.pace = { workers, paused: false };
    this.onPace = listener.onPace;
    this.onUnknown = listener.onUnknown;
  }

  /** Begins to listen: to the file, and with `keys` to the terminal. */
  start(keys: boolean): void {
    if (this.file !== null) this.timer = setInterval(() => this.readFile(), POLL_MS);
    if (!keys || !isForeground()) return;
    process.stdin.setRawMode(true);
    process.stdin.on('data', this.onKey).resume().unref();
  }

  stop(): void {
    if (this.timer !== null) clearInterval(this.timer);
    if (!process.stdin.isTTY || !process.stdin.listeners('data').includes(this.onKey)) return;
    process.stdin.off('data', this.onKey).pause();
    process.stdin.setRawMode(false);
  }

  private readFile(): void {
    if (this.file === null || !existsSync(this.file)) return;
    const text = readFileSync(this.file, 'utf8');
    // A file just created may not have its words yet
    if (text.trim() === '') return;
    rmSync(this.file);
    for (const line of text.split('\n').filter((command) => command.trim() !== '')) this.obey(line, this.file);
  }

  // In raw mode the terminal sends no signals: Ctrl-C and Ctrl-Z are up to us.
  private readonly onKey = (bytes: Buffer): void => {
    for (const key of bytes.toString('latin1')) {
      if (key === '\x03') process.kill(process.pid, 'SIGINT');
      else if (key === '\x1a') this.suspend();
      else if (key === 'p' || key === ' ') this.change({ ...this.pace, paused: !this.pace.paused });
      else if (key === '+' || key === '-') this.obey(key, 'the keyboard');
    }
  };

  private suspend(): void {
    process.stdin.setRawMode(false);
    process.once('SIGCONT', () => process.stdin.setRawMode(true));
    process.kill(process.pid, 'SIGTSTP');
  }

  private obey(command: string, source: string): void {
    const pace = changedPace(this.pace, command);
    if (pace !== null) this.change(pace);
    else this.onUnknown(`${source}: '${command.trim()}' is none of: pause, continue, workers N, +, -`);
  }

  private change(pace: Pace): void {
    this.pace = pace;
    this.onPace(pace);
  }
}

// A background job that touches the terminal's mode is stopped by it.
function isForeground(): boolean {
  if (!process.stdin.isTTY) return false;
  try {
    const words = execFileSync('ps', ['-o', 'pgid=,tpgid=', '-p', String(process.pid)], { encoding: 'utf8' });
    const [group, foreground] = words.trim().split(/\s+/);
    return group === foreground;
  } catch {
    return false;
  }
}
