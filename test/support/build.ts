// Runs before all tests: builds dist/ if it is not up to date, because tests start its programs and use its WebAssembly, and counts the
// bench of the built engine once, for the runs that store it. Files of the tests go to a folder that is removed at the end, or by the next
// run if this one is killed.

import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COUNT_BENCH = `
  await import('./dist/engine/kernel-node.js');
  const { benchSignature } = await import('./dist/selfplay/common/bench-signature.js');
  benchSignature();
`;

/** Builds the project and returns a function that removes the tests' folder. */
export default async function build(): Promise<() => void> {
  const name = `heft-tests-${process.pid}`;
  const bootstrap = fileURLToPath(new URL('../../scripts/bootstrap.mjs', import.meta.url));
  const { status } = spawnSync(process.execPath, [bootstrap], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the project does not build');
  const counted = spawnSync(process.execPath, ['--input-type=module', '--eval', COUNT_BENCH], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  if (counted.status !== 0) throw new Error('the bench of the build cannot be counted');
  const { removeLeftovers } = await import('../../selfplay/common/folder-lock.js');
  removeLeftovers(tmpdir(), /^heft-tests-(\d+)$/, true);
  const folder = join(tmpdir(), name);
  mkdirSync(folder, { recursive: true });
  process.env['TMPDIR'] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}
