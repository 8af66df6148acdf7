// Runs programs of the build as users do, and copies the built project for commands that write into the sources.

import { type ChildProcess, type ExecFileException, execFile } from 'node:child_process';
import { Console } from 'node:console';
import { cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { vi } from 'vitest';
import { projectFile } from '../../selfplay/common/program.js';

/** Exit code and output of a program; the code is null if a signal ended it. */
export interface Outcome {
  code: ExecFileException['code'] | null;
  stdout: string;
  stderr: string;
}

/** Runs a program in a folder until it exits. */
export function runProgram(main: string, args: readonly string[], cwd: string): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { cwd }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, stdout, stderr });
    });
  });
}

/** Number of commands that runHere() has started; they run one after another. */
let begun = 0;
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command in this process, for tests that do not need a separate one: loading the modules of a command in a new process takes ten
 * times as long as most commands.
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
    // A module runs again under another URL, while its imports stay loaded
    await import(`${pathToFileURL(main).href}?run=${++begun}`);
    outcome.code = Number(process.exitCode);
    // Exit listeners of the command itself, not of loaded modules
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

/** Returns the exit code and the stderr of a started program when it has ended. */
export function ended(child: ChildProcess): Promise<Omit<Outcome, 'stdout'>> {
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code, stderr }));
  });
}

/** Returns the folder of a copy of the built project below `root`. It is not a git repository, and its build script only prints `built`. */
export function projectCopy(root: string): string {
  const inProject = (path: string): string => fileURLToPath(projectFile(path));
  const copy = mkdtempSync(join(root, 'project-'));
  cpSync(inProject('dist'), join(copy, 'dist'), { recursive: true });
  symlinkSync(inProject('node_modules'), join(copy, 'node_modules'));
  for (const file of ['package.json', 'engine/eval/material.json']) cpSync(inProject(file), join(copy, file));
  mkdirSync(join(copy, 'scripts'));
  writeFileSync(join(copy, 'scripts/bootstrap.mjs'), "console.log('built');");
  return copy;
}
