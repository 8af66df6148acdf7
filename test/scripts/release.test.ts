import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'heft-release-'));
afterAll(() => rmSync(folder, { recursive: true }));

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const STATED = [
  'package.json',
  'engine/npm/package.json',
  'tools/package.json',
  'engine/uci/options.ts',
  'CITATION.cff',
];

/** Copies the sources with version 1.2.0, except `other`, and returns the outcome of a release. */
function release(other = '', guide = ''): { status: number | null; stderr: string } {
  mkdirSync(join(folder, 'docs'), { recursive: true });
  for (const name of ['README.md', 'CHANGELOG.md', 'docs/guis.md']) writeFileSync(join(folder, name), guide);
  for (const name of ['scripts/release.mjs', 'scripts/script.mjs']) cpSync(join(ROOT, name), join(folder, name));
  for (const name of STATED) {
    cpSync(join(ROOT, name), join(folder, name));
    if (name === other) continue;
    // 1.2.0 is also the version of the format of CITATION.cff
    const text = readFileSync(join(ROOT, name), 'utf8');
    writeFileSync(join(folder, name), text.replaceAll(version, '1.2.0'));
  }
  return spawnSync(process.execPath, [join(folder, 'scripts/release.mjs')], { encoding: 'utf8' });
}

test.each(STATED.slice(1))('a release is rejected if %s states a different version', (other) => {
  const { status, stderr } = release(other);
  expect([status, stderr]).toEqual([1, expect.stringMatching(`^release: ${other}: expected .*1\\.2\\.0`)]);
});

test('a release is rejected if a guide names a package of a different version', () => {
  const { stderr } = release('', 'npm install ./heft-chess-1.2.0.tgz ./heft-tools-0.9.0.tgz');
  expect(stderr).toMatch('release: README.md: heft-tools-0.9.0.tgz does not match version 1.2.0');
});
