import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const bootstrap = fileURLToPath(new URL('../../scripts/bootstrap.mjs', import.meta.url));
const said = (...args: string[]): string => execFileSync(process.execPath, [bootstrap, ...args], { encoding: 'utf8' });

test('the build has help and a version, and builds nothing then', () => {
  expect(said('--force', '--help')).toMatch(/^usage: npm run build[\s\S]*--force .*\n.*--install-only/);
  expect(said('--force', '--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
});
