import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { runHere } from '../support/program.js';

const SCRIPTS = fileURLToPath(new URL('../../dist/scripts/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'heft-overwriting-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'mine.txt');
const EXECUTABLE = fileURLToPath(new URL('../../scripts/executable.mjs', import.meta.url));

test('executable does not overwrite an existing licence file', () => {
  const licences = join(folder, 'engine-licences.txt');
  writeFileSync(licences, 'mine');
  const { status, stderr } = spawnSync(process.execPath, [EXECUTABLE, join(folder, 'engine')], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining(`${licences} exists: remove it, or choose another name`),
  ]);
  expect([readFileSync(licences, 'utf8'), existsSync(join(folder, 'engine'))]).toEqual(['mine', false]);
});

test.each([
  ['opening-book', ['--lines', '1']],
  ['fit-wdl', ['--data', 'no-such-games']],
])('%s does not overwrite an existing file without --force', async (script, args) => {
  writeFileSync(file, 'mine');
  const run = await runHere(join(SCRIPTS, `${script}.js`), [...args, '--out', file], folder);
  expect(run.stderr).toContain(`--out: ${file} exists; choose another name, or overwrite it with --force`);
  expect(run.code).not.toBe(0);
  expect(readFileSync(file, 'utf8')).toBe('mine');
});
