// The built engine as a process: text in, lines out, exit code.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The built engine. */
export const MAIN = fileURLToPath(new URL('../../dist/engine/main.js', import.meta.url));
/** Timeout that exceeds the time of any answer, even on a busy machine. */
const PATIENCE_MS = 45_000;

/** Starts the built engine. */
export function start(args: readonly string[]): ChildProcessWithoutNullStreams {
  if (!existsSync(MAIN)) throw new Error(`${MAIN} is missing: run npm run build`);
  return spawn(process.execPath, [MAIN, ...args]);
}

/** A running engine. */
export class EngineProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** Resolves with the exit code. */
  readonly exit: Promise<number | null>;
  /** Lines not yet taken by `until`. */
  lines: string[] = [];
  stderr = '';
  private wake: () => void = () => {};

  constructor(...args: string[]) {
    this.child = start(args);
    let partial = '';
    this.child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (partial + chunk).split('\n');
      partial = lines.pop() ?? '';
      this.lines.push(...lines);
      this.wake();
    });
    this.child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      this.stderr += chunk;
    });
    // The engine may be gone before the last line is written
    this.child.stdin.on('error', () => {});
    this.exit = new Promise((resolve) => {
      this.child.on('close', (code) => {
        resolve(code);
        this.wake();
      });
    });
  }

  /** Sends text as it is. */
  write(text: string): void {
    this.child.stdin.write(text);
  }

  /** Sends lines. */
  send(...lines: string[]): void {
    this.write(lines.map((line) => `${line}\n`).join(''));
  }

  /**
   * Waits until `holds` returns true, which may depend on output or exit. Throws after `patience` milliseconds or if the engine has exited.
   */
  async when(holds: () => boolean, what: string, patience = PATIENCE_MS): Promise<void> {
    const deadline = Date.now() + patience;
    while (!holds()) {
      const left = deadline - Date.now();
      if (left <= 0 || this.child.exitCode !== null) {
        throw new Error(
          `no ${what} after ${patience - left} ms, but: ${this.lines.slice(-30).join(' | ')} ${this.stderr}`,
        );
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(left, 1000));
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** Returns the lines up to the first that matches; throws if there is none. */
  async until(pattern: RegExp, patience = PATIENCE_MS): Promise<string[]> {
    const find = (): number => this.lines.findIndex((line) => pattern.test(line));
    await this.when(() => find() >= 0, `line ${pattern}`, patience);
    return this.lines.splice(0, find() + 1);
  }

  /** Sends a go line and waits for bestmove and any output after it. Returns all lines; bestmove is last unless the engine wrote more. */
  async answer(...lines: string[]): Promise<string[]> {
    this.send(...lines);
    const answer = await this.until(/^bestmove/);
    this.send('isready');
    const rest = await this.until(/^readyok$/);
    return rest.length === 1 ? answer : [...answer, ...rest];
  }

  /** Kills the process. */
  kill(): void {
    this.child.kill('SIGKILL');
  }
}

/** Exit code and output of a process. */
export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the engine with arguments and all of its input until it exits. */
export function runEngine(args: readonly string[], input = ''): Promise<Outcome> {
  const child = start(args);
  const outcome: Outcome = { code: null, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    outcome.stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    outcome.stderr += chunk;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`the engine did not exit; stdout: ${outcome.stdout} stderr: ${outcome.stderr}`));
    }, PATIENCE_MS);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ ...outcome, code });
    });
  });
}
