// The running program: its version and commit, and the command that started it, an npm script of a clone or the package `heft-tools`.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { projectFile } from './files.js';

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

/** Returns how one of the commands is typed, without its options: `npm run match --`, or `npx heft-tools match`. */
export function invocation(name: string): string {
  const isTools = /(^|[\\/])(heft-tools(\.js)?|tools[\\/]main\.js)$/.test(process.argv[1] ?? '');
  return isTools ? `npx heft-tools ${name}` : `npm run ${name} --`;
}

/** Whether the sources lie beside the program, so that weights and parameters can be written into them. */
export function isClone(): boolean {
  return existsSync(projectFile('scripts/bootstrap.mjs'));
}
