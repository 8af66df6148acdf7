import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { changedPace, type Pace, watchPace } from '../../../selfplay/series/pace-control.js';

test.each([
  ['pause', { workers: 2, paused: true }],
  [' Continue ', { workers: 2, paused: false }],
  ['resume', { workers: 2, paused: false }],
  ['workers 7', { workers: 7, paused: true }],
  ['concurrency 7', { workers: 7, paused: true }],
  ['concurrency=7', { workers: 7, paused: true }],
  ['12', { workers: 12, paused: true }],
  ['+', { workers: 3, paused: true }],
  ['-', { workers: 1, paused: true }],
  ['0', null],
  ['concurrency 513', null],
  ['concurrency', null],
  ['stop', null],
])('the command %j gives the pace %j', (command, pace) => {
  expect(changedPace({ workers: 2, paused: true }, command)).toEqual(pace);
});

test('the concurrency is at least one', () => {
  expect(changedPace({ workers: 1, paused: false }, '-')).toEqual({ workers: 1, paused: false });
});

test('an unreadable control file is reported once, and a later one takes effect', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heft-control-'));
  mkdirSync(join(folder, 'control'));
  const problems: string[] = [];
  const paces: Pace[] = [];
  const end = watchPace(
    folder,
    2,
    (pace) => paces.push(pace),
    (problem) => problems.push(problem),
  );
  await vi.waitUntil(() => problems.length > 0, { timeout: 5000 });
  rmSync(join(folder, 'control'), { recursive: true });
  writeFileSync(join(folder, 'control'), 'pause\n');
  await vi.waitUntil(() => paces.length > 0, { timeout: 5000 });
  end();
  expect([problems, paces]).toEqual([[expect.stringContaining('EISDIR')], [{ workers: 2, paused: true }]]);
  rmSync(folder, { recursive: true });
});

test('with --affinity, a number of games without processors of their own is rejected', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heft-control-'));
  writeFileSync(join(folder, 'control'), 'workers 3\n+\n+\n+\nworkers 9\n-\n');
  const problems: string[] = [];
  const workers: number[] = [];
  const end = watchPace(
    folder,
    2,
    (pace) => workers.push(pace.workers),
    (problem) => problems.push(problem),
    4,
  );
  await vi.waitUntil(() => problems.length > 2, { timeout: 5000 });
  end();
  expect(workers).toEqual([3, 4, 3]);
  expect(problems).toEqual(
    Array(3).fill(expect.stringMatching(/control: --affinity has too few processors for \d+ games; use at most 4$/)),
  );
  rmSync(folder, { recursive: true });
});
