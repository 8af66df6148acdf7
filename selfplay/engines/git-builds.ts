// Builds Heft at another git revision (`rev=HEAD~3`) once, in its own worktree, and keeps the build by commit.

import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from '../common/errors.js';
import { makeFolder } from '../common/files.js';
import { lockFolder } from '../common/folder-lock.js';
import { projectFile } from '../common/program.js';
import { commitOf, git } from './git-repository.js';

export interface RevisionBuild {
  commit: string;
  /** Folder with `engine/main.js`. */
  folder: string;
}

const PROJECT = fileURLToPath(projectFile('.'));

/** Returns the engine of a revision, from the cache or newly built; throws a UserError with the reason of a failure. */
export function revisionBuild(revision: string, root = PROJECT, cache = join(root, 'runs', 'builds')): RevisionBuild {
  if (!existsSync(join(root, '.git'))) throw new UserError(`rev=${revision}: ${root} is not a git repository`);
  const commit = commitOf({ name: 'heft', path: root, words: root }, revision);
  const folder = join(cache, commit);
  if (existsSync(join(folder, 'engine', 'main.js'))) return { commit, folder };
  const work = `${folder}.work`;
  makeFolder(work);
  const unlock = lockFolder(work);
  try {
    buildIn(join(work, 'tree'), { revision, commit, root, log: `${folder}.log` });
    copyFileSync(join(work, 'tree', 'package.json'), join(work, 'tree', 'dist', 'package.json'));
    renameSync(join(work, 'tree', 'dist'), folder);
    rmSync(`${folder}.log`, { force: true });
    return { commit, folder };
  } finally {
    removeTree(join(work, 'tree'), root);
    unlock();
    rmSync(work, { recursive: true, force: true });
  }
}

interface Build {
  revision: string;
  commit: string;
  root: string;
  log: string;
}

function buildIn(tree: string, { revision, commit, root, log }: Build): void {
  removeTree(tree, root);
  const problem = (what: string): UserError => new UserError(`rev=${revision} (${commit.slice(0, 12)}) ${what}`);
  try {
    git(root, 'worktree', 'add', '--detach', '--force', tree, commit);
  } catch (error) {
    throw problem(`cannot be checked out: ${(error as Error).message}`);
  }
  // Unchanged packages are not installed again
  const packages = join(root, 'node_modules');
  if (existsSync(packages) && lockOf(root) === lockOf(tree)) symlinkSync(packages, join(tree, 'node_modules'));
  process.stderr.write(`building rev=${revision} (${commit.slice(0, 12)})\n`);
  const command = `npm run build > '${log.replaceAll("'", "'\\''")}' 2>&1`;
  const { status } = spawnSync('sh', ['-c', command], { cwd: tree, stdio: 'ignore' });
  if (status === 0 && existsSync(join(tree, 'dist', 'engine', 'main.js'))) return;
  throw problem(`does not build: npm run build ${status === 0 ? 'made no dist/engine/main.js' : 'failed'}, see ${log}`);
}

function lockOf(folder: string): string {
  const file = join(folder, 'package-lock.json');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function removeTree(tree: string, root: string): void {
  rmSync(join(tree, 'node_modules'), { recursive: true, force: true });
  rmSync(tree, { recursive: true, force: true });
  git(root, 'worktree', 'prune');
}
