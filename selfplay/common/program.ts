// The running program: its files, its version and commit, the command that started it (an npm script in a clone, or the package
// `heft-tools`), interrupts by signals, and the killing of child processes.

import { type ChildProcess, execFileSync, type StdioOptions } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { UserError } from './errors.js';

// URLs of the project's files, whether this module runs from dist/ or, under vitest, from the sources.

const FROM_SOURCE = import.meta.url.endsWith('.ts');

/** Returns the URL of a compiled worker entry, for example `tuner/objective/gradient-worker`: threads need JavaScript. */
export function workerFile(path: string): URL {
  return new URL(`${FROM_SOURCE ? '../../dist/' : '../../'}${path}.js`, import.meta.url);
}

/** Returns the URL of a file of the source tree, given relative to the root folder. */
export function projectFile(path: string): URL {
  return new URL(`${FROM_SOURCE ? '../../' : '../../../'}${path}`, import.meta.url);
}

/** The version, read only once because the checkout may change during a run. */
let versionAtStart: string | undefined;

/** Returns the version, followed by the commit if it is known, for example `0.1.0 (3f2a9c01b2d4)`. */
export function programVersion(): string {
  if (versionAtStart !== undefined) return versionAtStart;
  const { version } = JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as { version: string };
  const commit = gitCommit();
  versionAtStart = commit === null ? version : `${version} (${commit})`;
  return versionAtStart;
}

function gitCommit(): string | null {
  // An installed package may be in a folder of another project's checkout
  if (!existsSync(projectFile('.git'))) return null;
  try {
    const args = ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*'];
    const cwd = fileURLToPath(projectFile('.'));
    const stdio = ['ignore', 'pipe', 'ignore'] satisfies StdioOptions;
    return execFileSync('git', args, { cwd, encoding: 'utf8', stdio, env: outsideGit() }).trim();
  } catch {
    return null;
  }
}

/** Variables that git sets for its hooks and aliases. They direct every git command, in any folder, to the repository of the caller. */
const REPOSITORY_OF_CALLER =
  /^GIT_(?:DIR|WORK_TREE|IMPLICIT_WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|PREFIX)$/;

/** Returns the environment for git and for builds, which must find the repository of their own folder. */
export function outsideGit(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !REPOSITORY_OF_CALLER.test(name)));
}

/** Returns the command line of a command without options: `npm run match --`, or `npx heft-tools match`. */
export function invocation(name: string): string {
  const isTools = /(^|[\\/])(heft-tools(\.js)?|tools[\\/]main\.js)$/.test(process.argv[1] ?? '');
  return isTools ? `npx heft-tools ${name}` : `npm run ${name} --`;
}

/** Returns the words quoted for a shell. */
export function shellLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w./:=+,@%-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}

/** Returns whether the program runs from a clone, so weights and parameters can be written to the sources. */
export const isClone = (): boolean => existsSync(projectFile('scripts/bootstrap.mjs'));

// Ctrl-C and termination signals abort the same AbortSignal

/** The command's signal; undefined until requested. */
let current: AbortSignal | undefined;

/** Returns the AbortSignal that Ctrl-C or a termination signal aborts; a second such signal ends the process. */
export function interruptSignal(): AbortSignal {
  const interrupt = new AbortController();
  const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
  for (const [signal, code] of Object.entries(signals)) {
    process.on(signal, () => {
      if (interrupt.signal.aborted) process.exit(code);
      process.exitCode = code;
      interrupt.abort();
    });
  }
  current = interrupt.signal;
  return current;
}

/** Throws a UserError after an interrupt. Used in long steps that have nothing to save. */
export function throwIfInterrupted(doing: string): void {
  if (current?.aborted === true) throw new UserError(`interrupted while ${doing}`, Number(process.exitCode ?? 130));
}

/** Kills a process that was started as the leader of a group, and the rest of the group. */
export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}
