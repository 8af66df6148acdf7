// Builds any engine at a git revision, with a given command or the default one for its build files. Each combination of commit and command
// is built once, in a clean checkout, and the build is cached with its log.

import { type StdioOptions, spawnSync } from 'node:child_process';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { attempt, UserError } from '../common/errors.js';
import { isFile, makeFolder, writeFileAtomic } from '../common/files.js';
import { lockFolder } from '../common/folder-lock.js';
import { outsideGit } from '../common/program.js';
import { sha256 } from '../common/run-files.js';
import { commitOf, git, type Repository, repositoryAt, repositoryOf } from './git-repository.js';

/** The source of a build: `git=URL rev=main build="make EXE={out}"`. */
export interface BuildWords {
  /** URL of the repository; default: the current one. */
  git?: string;
  rev?: string;
  /**
   * Shell command; the default depends on the repository's files. `{out}` is the program's file name without a folder, as in OpenBench,
   * because makefiles write and run the program in their own folder.
   */
  build?: string;
  /** Path of the program in the checkout, if not `{out}`; the whole checkout is then kept. */
  exe?: string;
}

export interface BuiltEngine {
  program: string;
  commit: string;
  /** For example `weiss 1a2b3c4d`. */
  name: string;
}

/** Error of a failed build; `log` is the path of its log. */
export class BuildError extends UserError {
  constructor(
    message: string,
    readonly log: string,
  ) {
    super(`${message}; see ${log}`);
  }
}

interface Build {
  repository: Repository;
  commit: string;
  rev: string;
  command: string;
  exe: string | undefined;
}

/** Default build commands, chosen by a file in the repository. */
const DEFAULT_BUILDS = [
  { file: /^(GNUm|M|m)akefile$/, build: 'make EXE={out}' },
  { file: /^src\/(GNUm|M|m)akefile$/, build: 'make -C src EXE={out}' },
  { file: /^Cargo\.toml$/, build: 'cargo build --release' },
  { file: /^go\.mod$/, build: 'go build -o {out} .' },
] as const;

const CARGO_OUTPUT = 'target/release';
/** Maximum wait in ms for another process that runs the same build. */
const PATIENCE_MS = 60 * 60_000;

/**
 * Returns the engine of a revision, from the cache or newly built. Throws a UserError with the reason, and a BuildError with the path of
 * its log if the build fails.
 */
export function commandedBuild(words: BuildWords, cache = resolve('runs/builds')): BuiltEngine {
  const { git: url, rev = 'HEAD', exe } = words;
  const repository = url === undefined ? repositoryAt(process.cwd()) : repositoryOf(url, cache);
  const commit = commitOf(repository, rev);
  const command = words.build ?? defaultCommand(repository, commit, rev);
  const key = sha256(JSON.stringify([command, exe])).slice(0, 8);
  const folder = join(cache, `${repository.name}-${commit.slice(0, 12)}-${key}`);
  const built = {
    program: programIn(folder, repository.name, exe),
    commit,
    name: `${repository.name} ${commit.slice(0, 8)}`,
  };
  buildOnce(folder, built.program, (work) => buildIn(work, { repository, commit, rev, command, exe }, folder));
  return built;
}

/** Calls `build` with a locked working folder beside `folder`, unless the program exists. Waits for another process that is building it. */
export function buildOnce(folder: string, program: string, build: (work: string) => void): void {
  if (existsSync(program)) return;
  const work = `${folder}.work`;
  makeFolder(work);
  const unlock = lockPatiently(work);
  try {
    if (!existsSync(program)) build(work);
  } finally {
    // The files are removed before the unlock, because the folder may then belong to a waiting process
    for (const name of readdirSync(work)) {
      if (name !== 'lock') rmSync(join(work, name), { recursive: true, force: true });
    }
    unlock();
    removeEmpty(work);
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // A waiting process has locked it
  }
}

function programIn(folder: string, name: string, exe: string | undefined): string {
  if (exe === undefined) return join(folder, process.platform === 'win32' ? `${name}.exe` : name);
  const tree = join(folder, 'tree');
  const program = resolve(tree, exe);
  if (!program.startsWith(tree + sep))
    throw new UserError(`exe=${exe} is not in the checkout; give a path inside it`, 2);
  return program;
}

function defaultCommand({ path, label }: Repository, commit: string, rev: string): string {
  const files = git(path, 'ls-tree', '--name-only', commit, './', 'src/').split('\n');
  const found = DEFAULT_BUILDS.find(({ file }) => files.some((name) => file.test(name)));
  if (found !== undefined) return found.build;
  throw new UserError(
    `rev=${rev}: ${label} has no Makefile, Cargo.toml or go.mod; give build="COMMAND", a command that builds the program as {out}`,
    2,
  );
}

// After the wait, the cache usually contains the other process's build
function lockPatiently(work: string): () => void {
  for (let waited = 0; ; waited += 500) {
    try {
      return lockFolder(work);
    } catch (error) {
      if (!(error instanceof UserError) || !error.message.includes('in use') || waited > PATIENCE_MS) throw error;
      if (waited === 0) process.stderr.write(`waiting: ${error.message}\n`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
      // The other process may have removed the folder
      makeFolder(work);
    }
  }
}

/** Builds in `work` and moves the result atomically to `folder`; throws a BuildError if the build fails. */
function buildIn(work: string, { repository, commit, rev, command, exe }: Build, folder: string): void {
  const tree = join(work, 'tree');
  const fresh = join(work, 'built');
  const log = `${folder}.log`;
  const what = `rev=${rev} of ${repository.label} (${commit.slice(0, 12)})`;
  const problem = (text: string): BuildError => new BuildError(`${what} ${text}`, log);
  rmSync(fresh, { recursive: true, force: true });
  makeFolder(fresh);
  checkOut(repository, commit, tree, what);
  const out = `${repository.name}-${commit.slice(0, 8)}`;
  process.stderr.write(`building ${what}: ${command}\n`);
  const status = runLogged(command.replaceAll('{out}', out), tree, log);
  if (status !== 0) throw problem(`does not build: ${command} failed (${status})`);
  if (exe === undefined) {
    const made = programNamed(out, tree) ?? cargoProgram(tree);
    if (made === null) throw problem(`was built, but not as {out}; give the path of the program with exe=PATH`);
    renameSync(made, programIn(fresh, repository.name, undefined));
  } else {
    if (!isProgram(resolve(tree, exe))) throw problem(`was built, but contains no program exe=${exe}`);
    rmSync(join(tree, '.git'), { recursive: true, force: true });
    renameSync(tree, join(fresh, 'tree'));
  }
  const facts = { from: repository.label, commit, command, exe };
  writeFileAtomic(join(fresh, 'build.json'), `${JSON.stringify(facts, null, 2)}\n`);
  renameSync(log, join(fresh, 'build.log'));
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
}

/** Checks out the commit in a new folder; throws a UserError whose message begins with `what`. */
export function checkOut({ path, url }: Repository, commit: string, tree: string, what: string): void {
  rmSync(tree, { recursive: true, force: true });
  attempt(`${what} cannot be checked out`, () => {
    git('.', 'clone', '--quiet', '--no-checkout', '--shared', '--', path, tree);
    // Relative submodule URLs are resolved against the origin
    if (url !== undefined) git(tree, 'remote', 'set-url', 'origin', url);
    git(tree, 'checkout', '--quiet', '--detach', commit);
    if (existsSync(join(tree, '.gitmodules'))) git(tree, 'submodule', '--quiet', 'update', '--init', '--recursive');
  });
}

/** Runs the shell command and writes its output to a file. Returns 0, or the reason for its failure. */
export function runLogged(command: string, cwd: string, log: string): string | number {
  const output = openSync(log, 'w');
  try {
    const stdio = ['ignore', output, output] satisfies StdioOptions;
    const { status, signal, error } = spawnSync(command, { cwd, shell: true, stdio, env: outsideGit() });
    return error?.message ?? signal ?? (status === 0 ? 0 : `exit code ${status}`);
  } finally {
    closeSync(output);
  }
}

/** Returns the program with that name anywhere in the checkout, or null. */
function programNamed(name: string, tree: string): string | null {
  const folders = [tree];
  for (const folder of folders) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && entry.name !== '.git') folders.push(path);
      if ([name, `${name}.exe`].includes(entry.name) && isProgram(path)) return path;
    }
  }
  return null;
}

/** Returns the only program built by cargo, or null if there is not exactly one. */
function cargoProgram(tree: string): string | null {
  const folder = join(tree, CARGO_OUTPUT);
  if (!existsSync(folder)) return null;
  const programs = readdirSync(folder)
    .filter((name) => !name.startsWith('.') && !/\.(so|dylib|dll|rlib|d|pdb)$/.test(name))
    .map((name) => join(folder, name))
    .filter(isProgram);
  return programs.length === 1 ? programs[0] : null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return isFile(path);
  } catch {
    return false;
  }
}
