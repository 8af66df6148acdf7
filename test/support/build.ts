// Before any test runs: dist/ is built if it is not up to date, since tests start its programs and use its WebAssembly. The built engine's
// bench is counted once, with WebAssembly, for the runs that keep it.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COUNT_BENCH = `
  await import('./dist/engine/kernel-node.js');
  const { benchSignature } = await import('./dist/selfplay/common/bench-signature.js');
  benchSignature();
`;

export default function build(): void {
  const bootstrap = fileURLToPath(new URL('../../scripts/bootstrap.mjs', import.meta.url));
  const { status } = spawnSync(process.execPath, [bootstrap], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the project does not build');
  const counted = spawnSync(process.execPath, ['--input-type=module', '--eval', COUNT_BENCH], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  if (counted.status !== 0) throw new Error('the bench of the build cannot be counted');
}
