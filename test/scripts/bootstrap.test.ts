import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'heft-bootstrap-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.skipIf(process.platform === 'win32')('the lock file of an editor is not a source, and nothing is built', () => {
  const names = ['engine', 'selfplay', 'tuner', 'scripts', 'tools', 'dist'];
  const files = ['package.json', 'package-lock.json', 'tsconfig.json'];
  // With the exact times, which show that the build is up to date
  execFileSync('cp', ['-a', ...[...names, ...files].map((name) => join(ROOT, name)), folder]);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  symlinkSync('someone@somewhere.1:2', join(folder, 'engine/.#engine.ts'));
  const run = spawnSync(process.execPath, [join(folder, 'scripts/bootstrap.mjs')], { encoding: 'utf8' });
  expect(run).toMatchObject({ status: 0, stdout: '', stderr: '' });
});
