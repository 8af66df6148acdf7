import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

test.each(STATED.slice(1))('a release is refused if %s states another version', (other) => {
  for (const name of ['scripts/release.mjs', 'scripts/script.mjs']) cpSync(join(ROOT, name), join(folder, name));
  for (const name of STATED) {
    cpSync(join(ROOT, name), join(folder, name));
    if (name === other) continue;
    // 1.2.0 is also the version of the format of CITATION.cff
    const text = readFileSync(join(ROOT, name), 'utf8');
    writeFileSync(join(folder, name), text.replaceAll(version, '1.2.0'));
  }
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'scripts/release.mjs')], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, expect.stringMatching(`^release: ${other}: expected .*1\\.2\\.0`)]);
});
