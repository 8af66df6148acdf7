// The git repositories from which engines are built: the current one, which is only read, or a cached copy of another one, which
// `git fetch` updates.

import { execFileSync, type StdioOptions } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { UserError } from '../common/errors.js';
import { isFolder, makeFolder } from '../common/files.js';
import { outsideGit } from '../common/program.js';
import { sha256 } from '../common/run-files.js';

export interface Repository {
  /** Name derived from its folder or URL, for file names. */
  name: string;
  /** Folder in which git runs. */
  path: string;
  /** Name in messages: its folder, or the URL or folder as given. */
  label: string;
  /** URL or folder from which it was copied. */
  url?: string;
}

/** Runs git and returns its output; throws an Error with the last line of git's error output, or a UserError if git is not installed. */
export function git(folder: string, ...args: string[]): string {
  try {
    // Prevents git from asking for a password
    const env = { ...outsideGit(), GIT_TERMINAL_PROMPT: '0' };
    const stdio = ['ignore', 'pipe', 'pipe'] satisfies StdioOptions;
    const run = { encoding: 'utf8', stdio, env, maxBuffer: 1 << 28 } as const;
    return execFileSync('git', ['-C', folder, ...args], run).trim();
  } catch (error) {
    const { code, stderr = '' } = error as NodeJS.ErrnoException & { stderr?: string };
    if (code === 'ENOENT') throw new UserError('git is not installed; rev= and git= require it');
    throw new Error(stderr.trim().split('\n').at(-1) || (error as Error).message);
  }
}

/** Returns the root folder of the repository that contains the folder, or null. */
export const topFolder = (folder: string): string | null => parsed(folder, '--show-toplevel');

function parsed(folder: string, ...words: string[]): string | null {
  try {
    return git(folder, 'rev-parse', ...words);
  } catch (error) {
    if (error instanceof UserError) throw error;
    return null;
  }
}

/** Returns the repository that contains the folder; throws a UserError if there is none. */
export function repositoryAt(folder: string): Repository {
  const top = topFolder(folder);
  if (top === null) throw new UserError(`rev=: ${folder} is not in a git repository; give git=URL`);
  return { name: fileName(basename(top)), path: top, label: top };
}

/**
 * Returns the cached copy of a repository, and creates it if it is missing; throws a UserError if that fails. `given` is a URL or a folder,
 * which may be relative to the current folder.
 */
export function repositoryOf(given: string, cache: string): Repository {
  const url = isFolder(given) ? resolve(given) : given;
  const name = fileName(basename(url.replace(/[/\\]+$/, '')).replace(/\.git$/, ''));
  const path = join(cache, `${name}-${sha256(url).slice(0, 8)}.git`);
  const repository = { name, path, label: given, url };
  if (existsSync(path)) return repository;
  makeFolder(cache);
  const draft = `${path}.tmp-${process.pid}`;
  try {
    git(cache, 'clone', '--mirror', '--quiet', '--', url, draft);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another process may have created it meanwhile
    if (!existsSync(path)) throw new UserError(`git=${given}: ${(error as Error).message}`);
  }
  return repository;
}

/** Returns the commit id of a revision in 40 digits, after a fetch if the revision may have moved. Throws a UserError if there is none. */
export function commitOf(repository: Repository, revision: string): string {
  const { path, label, url } = repository;
  const isFixed = /^[0-9a-f]{40}$/.test(revision);
  const known = resolved(path, revision);
  if (url === undefined || (isFixed && known !== null)) return known ?? refuse(label, revision);
  try {
    git(path, 'fetch', '--quiet', '--prune', 'origin', '+refs/*:refs/*');
    if (/^(HEAD|@)(?![\w./-])/.test(revision)) followHead(path);
  } catch (error) {
    if (known === null) throw new UserError(`git=${url}: ${(error as Error).message}`);
    const reason = (error as Error).message;
    process.stderr.write(`warning: git=${url} cannot be fetched (${reason}); using rev=${revision} as last fetched\n`);
  }
  return resolved(path, revision) ?? refuse(label, revision);
}

// A fetch updates the branches but not HEAD. In the origin, HEAD may have moved to another branch or to a commit on no branch
function followHead(path: string): void {
  const [head] = git(path, 'ls-remote', 'origin', 'HEAD').split('\t');
  if (head === '' || head === resolved(path, 'HEAD')) return;
  if (resolved(path, head) === null) git(path, 'fetch', '--quiet', 'origin', 'HEAD');
  git(path, 'update-ref', '--no-deref', 'HEAD', head);
}

const resolved = (path: string, revision: string): string | null =>
  parsed(path, '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`);

function refuse(label: string, revision: string): never {
  throw new UserError(`rev=${revision}: no such revision in ${label}`);
}

/** Returns the name with `_` instead of characters that break makefiles in paths. */
const fileName = (name: string): string => name.replace(/[^\w.-]+/g, '_').replace(/^[.-]+/, '') || 'engine';
