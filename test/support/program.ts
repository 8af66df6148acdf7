// Programs of the build, as users run them.

import { type ChildProcess, type ExecFileException, execFile } from 'node:child_process';

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
