// Programs of the build, as users run them.

import { type ChildProcess, type ExecFileException, execFile } from 'node:child_process';
import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { vi } from 'vitest';

/** What a program left behind; its code is null where a signal ended it. */
export interface Outcome {
  code: ExecFileException['code'] | null;
  stdout: string;
  stderr: string;
}

/** Runs a program in a folder to its end. */
export function runProgram(main: string, args: readonly string[], cwd: string): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { cwd }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, stdout, stderr });
    });
  });
}

/** The commands that runHere() has begun; they run one after the other. */
let begun = 0;
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command in this process, for what does not depend on a process of its own: loading the modules of a command takes a new process
 * ten times as long as most commands take.
 */
export function runHere(main: string, args: readonly string[], cwd: string): Promise<Outcome> {
  const outcome = last.then(() => commandHere(main, args, cwd));
  last = outcome.catch(() => {});
  return outcome;
}

async function commandHere(main: string, args: readonly string[], cwd: string): Promise<Outcome> {
  const before = { argv: process.argv, cwd: process.cwd(), exitCode: process.exitCode };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const listeners = signals.map((signal) => process.listeners(signal));
  const atExit = process.rawListeners('exit');
  const outcome: Outcome = { code: null, stdout: '', stderr: '' };
  const written = (name: 'stdout' | 'stderr') => (chunk: string | Uint8Array) => {
    outcome[name] += Buffer.from(chunk).toString();
    return true;
  };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation(written(name)),
  );
  const stream = (name: 'stdout' | 'stderr') =>
    new Writable({
      write: (chunk, _, done) => {
        written(name)(chunk);
        done();
      },
    });
  vi.stubGlobal('console', new Console(stream('stdout'), stream('stderr')));
  try {
    process.argv = [process.execPath, main, ...args];
    process.chdir(cwd);
    process.exitCode = 0;
    // A module runs again under another URL; those that it imports stay loaded
    await import(`${pathToFileURL(main).href}?run=${++begun}`);
    outcome.code = Number(process.exitCode);
    // What the command itself, not a module, leaves to the end of the process
    for (const listener of process.rawListeners('exit'))
      if (!atExit.includes(listener) && 'listener' in listener) listener();
    return outcome;
  } finally {
    process.argv = before.argv;
    process.chdir(before.cwd);
    process.exitCode = before.exitCode;
    for (const spy of spies) spy.mockRestore();
    vi.unstubAllGlobals();
    for (const [i, signal] of signals.entries()) {
      for (const listener of process.listeners(signal)) {
        if (!listeners[i]!.includes(listener)) process.removeListener(signal, listener);
      }
    }
  }
}

/** Returns the code and the errors of a program that was started, when it has ended. */
export function ended(child: ChildProcess): Promise<Omit<Outcome, 'stdout'>> {
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code, stderr }));
  });
}
