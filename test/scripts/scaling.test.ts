import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const program = fileURLToPath(new URL('../../dist/scripts/scaling.js', import.meta.url));
const out = mkdtempSync(join(tmpdir(), 'heft-scaling-'));
afterAll(() => rmSync(out, { recursive: true }));

const scaling = (...args: string[]) =>
  spawnSync(process.execPath, [program, '--games', '2', '--hash', '1', ...args], { encoding: 'utf8' });

test('two engines get one row per node count, and the same command prints a finished run again', () => {
  const engines = ['--engine', 'weights=shipped', '--engine', 'weights=material', '--nodes', '100,400'];
  const run = () => scaling(...engines, '--out', join(out, 'two'));
  const { status, stdout } = run();
  expect(status).toBe(0);
  expect(stdout).toMatch(/^.+ against .+\n\n\| nodes per move \| score \| Elo \| games \|\n\|---\|---\|---\|---\|\n/);
  expect(stdout).toMatch(/\| 100 \| \d+\.\d % \| -?\d+ ± \d+ \| \+\d -\d =\d \|\n\| 400 \| /);
  expect(run().stdout).toBe(stdout);
});

test('a single engine plays itself with twice the nodes', () => {
  const { status, stdout } = scaling('--nodes', '100', '--out', join(out, 'one'));
  expect(status).toBe(0);
  expect(stdout).toMatch(/^.+ 2N against .+ N\n/);
  expect(stdout).not.toContain('per doubling');
});

test.each([
  [['--nodes', '5k'], "--nodes takes positive whole numbers such as 5000,20000, not '5k'"],
  [
    ['--engine', 'weights=zero', '--engine', 'weights=zero', '--engine', 'weights=zero'],
    '--engine: give one engine or two',
  ],
  [['--engine', 'weights=zero', 'depth=3'], "--engine: no limits allowed in 'weights=zero depth=3'; use --nodes"],
])('%j is rejected', (words, line) => {
  const { status, stderr } = scaling(...words, '--out', join(out, 'refused'));
  expect([status, stderr]).toEqual([2, expect.stringContaining(line)]);
});
