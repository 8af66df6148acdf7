// Which program made a result: its version, and its commit where the sources are a git checkout.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { projectFile } from './paths.js';

/** Returns the version, followed by the commit if it is known, for example `0.1.0 (3f2a9c01b2d4)`. */
export function programVersion(): string {
  const { version } = JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as { version: string };
  const commit = gitCommit();
  return commit === null ? version : `${version} (${commit})`;
}

function gitCommit(): string | null {
  // An installed package may lie in the checkout of another project
  if (!existsSync(projectFile('.git'))) return null;
  try {
    const args = ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*'];
    const cwd = fileURLToPath(projectFile('.'));
    return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
}
