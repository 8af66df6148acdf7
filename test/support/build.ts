// Before any test runs: dist/ is built if it is not up to date, since tests start its programs and use its WebAssembly.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export default function build(): void {
  const bootstrap = fileURLToPath(new URL('../../scripts/bootstrap.mjs', import.meta.url));
  const { status } = spawnSync(process.execPath, [bootstrap], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the project does not build');
}
