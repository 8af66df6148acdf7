// Builds Heft at another git revision (`rev=HEAD~3`) once, in its own checkout, and keeps one build per commit.

import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from '../common/errors.js';
import { projectFile } from '../common/program.js';
import { BuildError, buildOnce, checkOut, runLogged } from './commanded-builds.js';
import { commitOf } from './git-repository.js';

const PROJECT = fileURLToPath(projectFile('.'));
const COMMAND = 'npm run build';

/**
 * Returns the commit of a revision, and the folder with its `engine/main.js`, from the cache or newly built. Throws a UserError if the
 * revision does not exist, and a BuildError if it does not build.
 */
export function revisionBuild(revision: string, root = PROJECT, cache = join(root, 'runs', 'builds')) {
  if (!existsSync(join(root, '.git'))) throw new UserError(`rev=${revision}: ${root} is not a git repository`);
  const repository = { name: 'heft', path: root, label: root };
  const commit = commitOf(repository, revision);
  const folder = join(cache, commit);
  const what = `rev=${revision} (${commit.slice(0, 12)})`;
  const log = `${folder}.log`;
  buildOnce(folder, join(folder, 'engine', 'main.js'), (work) => {
    const tree = join(work, 'tree');
    checkOut(repository, commit, tree, what);
    // Unchanged packages are not installed again
    const packages = join(root, 'node_modules');
    if (existsSync(packages) && lockOf(root) === lockOf(tree)) symlinkSync(packages, join(tree, 'node_modules'));
    process.stderr.write(`building ${what}\n`);
    const isDone = runLogged(COMMAND, tree, log) === 0;
    if (!isDone || !existsSync(join(tree, 'dist', 'engine', 'main.js')))
      throw new BuildError(
        `${what} does not build: ${COMMAND} ${isDone ? 'did not create dist/engine/main.js' : 'failed'}`,
        log,
      );
    copyFileSync(join(tree, 'package.json'), join(tree, 'dist', 'package.json'));
    // Remains of a damaged build
    rmSync(folder, { recursive: true, force: true });
    renameSync(join(tree, 'dist'), folder);
    rmSync(log, { force: true });
  });
  return { commit, folder };
}

function lockOf(folder: string): string {
  const file = join(folder, 'package-lock.json');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
