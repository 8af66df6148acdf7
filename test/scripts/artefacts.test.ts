// Released files: two builds are identical byte for byte and contain the licence notices of bundled software. HEFT_NODES lists further
// versions of Node that must build the same files, as paths separated by colons.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'heft-artefacts-'));
afterAll(() => rmSync(folder, { recursive: true }));

const NODES = [process.execPath, process.execPath, ...(process.env['HEFT_NODES']?.split(':') ?? [])];

/** Builds kernel, page, script and package with a version of Node; returns their hashes by name. */
function made(node: string, out: string): Record<string, string> {
  mkdirSync(out);
  const run = (...args: string[]): void => void execFileSync(node, args, { cwd: ROOT, stdio: 'pipe' });
  const compile = "import('./scripts/wasm.mjs').then(({ compileModules }) => compileModules('.', process.argv[1]))";
  execFileSync('cp', ['-r', join(ROOT, 'dist'), join(out, 'dist')]);
  run('--input-type=module', '-e', compile, join(out, 'dist'));
  run('scripts/page.mjs', join(out, 'play.html'));
  run('scripts/standalone.mjs', join(out, 'heft.js'));
  run('scripts/package.mjs');
  const files = [
    ...['search', 'table', 'trace'].map((name) => join(out, `dist/engine/kernel/${name}.wasm`)),
    ...['play.html', 'heft.js'].map((name) => join(out, name)),
    ...readdirSync(join(ROOT, 'engine/npm/dist'), { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  ];
  return Object.fromEntries(
    files.map((file) => [
      file.replace(out, '').replace(ROOT, ''),
      createHash('sha256').update(readFileSync(file)).digest('hex'),
    ]),
  );
}

test('modules, page, script and package are reproducible and contain the licence notices', { timeout: 600_000 }, () => {
  const [first, ...others] = NODES.map((node, i) => made(node, join(folder, String(i))));
  expect(Object.keys(first).length).toBeGreaterThan(10);
  for (const other of others) expect(other).toEqual(first);
  const page = readFileSync(join(folder, '0/play.html'), 'utf8');
  for (const words of ['Stefan Haack', 'Permission is hereby granted', 'AssemblyScript', 'Apache License'])
    expect(page).toContain(words);
  expect(page).toMatch(/<meta http-equiv="Content-Security-Policy" content="default-src 'none'/);
  expect(readFileSync(join(ROOT, 'engine/npm/dist/third-party-notices.txt'), 'utf8')).toContain('Apache License');
});
