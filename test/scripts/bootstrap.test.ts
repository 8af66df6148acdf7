import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'heft-bootstrap-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.skipIf(process.platform === 'win32')("an editor's lock file does not trigger a build", () => {
  const names = ['engine', 'selfplay', 'tuner', 'scripts', 'tools', 'dist'];
  const files = ['package.json', 'package-lock.json', 'tsconfig.json'];
  // With the exact times, which show that the build is up to date
  execFileSync('cp', ['-a', ...[...names, ...files].map((name) => join(ROOT, name)), folder]);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  symlinkSync('someone@somewhere.1:2', join(folder, 'engine/.#engine.ts'));
  const run = spawnSync(process.execPath, [join(folder, 'scripts/bootstrap.mjs')], { encoding: 'utf8' });
  expect(run).toMatchObject({ status: 0, stdout: '', stderr: '' });
});

test.skipIf(process.platform === 'win32')('bootstrap treats a lock file with its own process ID as stale', () => {
  const clone = join(folder, 'container');
  for (const file of ['scripts/bootstrap.mjs', 'scripts/wasm.mjs', 'package.json', 'package-lock.json']) {
    cpSync(join(ROOT, file), join(clone, file));
  }
  mkdirSync(join(clone, 'bin'));
  writeFileSync(join(clone, 'bin/npm'), '#!/bin/sh\nexit 3\n', { mode: 0o755 });
  const script = `printf $$ > .bootstrap.lock; exec '${process.execPath}' scripts/bootstrap.mjs --install-only`;
  const env = { ...process.env, PATH: `${join(clone, 'bin')}:${process.env['PATH']}` };
  const { stderr } = spawnSync('sh', ['-c', script], { cwd: clone, env, encoding: 'utf8', timeout: 20_000 });
  expect(stderr).toContain('npm ci');
  expect(stderr).not.toContain('waiting');
});
