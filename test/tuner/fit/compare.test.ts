import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { projectFile } from '../../../selfplay/common/program.js';
import { encodeGame } from '../../../selfplay/records/viriformat.js';
import { type ComparedRun, compareMethods } from '../../../tuner/fit/compare.js';
import { prepare } from '../../../tuner/fit/problem.js';
import { DEFAULTS } from '../../../tuner/fit/tune-settings.js';
import { comparePage, compareTable } from '../../../tuner/report/comparison.js';
import { playGames } from '../../support/games.js';
import { type Outcome, runHere } from '../../support/program.js';
import { slowTest } from '../../support/slow.js';

const MAIN = fileURLToPath(projectFile('dist/tuner/commands/tune-main.js'));
const folder = mkdtempSync(join(tmpdir(), 'heft-compare-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'games.vf'), Buffer.concat(playGames(30, 2).map(encodeGame)));

const run = (...args: string[]): Promise<Outcome> => runHere(MAIN, ['compare', ...args], folder);
const common = ['--data', 'games.vf', '--start', 'material', '--workers', '1', '--l2', '100'];

describe('tune compare', () => {
  test('tune compare runs the methods from the same start and reports when each reached the goal', async () => {
    const methods = ['--methods', 'gauss-newton', '--methods', 'adam', '--only', 'material', '--only', 'tempo'];
    const { code, stdout, stderr } = await run(
      ...common,
      ...methods,
      '--epochs',
      '30',
      '--json',
      'c.json',
      '--out',
      'c',
    );
    expect([code, stderr]).toEqual([0, '']);
    const { runs, goal, tolerance } = JSON.parse(readFileSync(join(folder, 'c.json'), 'utf8'));
    expect(runs.map(({ method }: ComparedRun) => method)).toEqual(['gauss-newton', 'adam']);
    expect(runs[0].curve[0].train).toBe(runs[1].curve[0].train);
    const best = runs[0].train < runs[1].train ? runs[0] : runs[1];
    expect(goal).toBe(best.heldOut);
    expect(tolerance).toBe(1e-5);
    const lastAbove = best.curve.findLastIndex(
      ({ heldOut }: { heldOut: number }) => Math.abs(heldOut - goal) > tolerance,
    );
    expect(best.reached.epoch).toBe(best.curve[lastAbove + 1].epoch);
    expect(stdout).toMatch(/method .*\n.*gauss-newton.*\n.*adam/);
    expect(readFileSync(join(folder, 'c/compare.html'), 'utf8')).toMatch(/<svg[\s\S]*adam/);
  });

  slowTest('tune compare rejects an unknown method', async () => {
    const { code, stderr } = await run(...common, '--methods', 'magic');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: --methods magic: no such method; known methods: adam/);
    expect((await run(...common, '--methods', 'toString')).stderr).toMatch(
      /^error: --methods toString: no such method/,
    );
  });
});

test.each(['re-resolve', 'certainty'])('tune compare rejects --%s, which would have no effect', async (option) => {
  const { code, stderr } = await run(...common, '--resolve', 'qsearch', `--${option}`, '3');
  expect(code).toBe(2);
  expect(stderr).toContain(`Unknown argument: ${option}`);
});

test('a comparison interrupted before the first epoch returns only the start of its first method', async () => {
  const settings = {
    ...DEFAULTS,
    data: [join(folder, 'games.vf')],
    start: 'material',
    only: ['tempo'],
    l2: 100,
    workers: 1,
  };
  const problem = await prepare(settings);
  const candidates = ['adam', 'gauss-newton'].map((method) => ({ ...settings, method }));
  const { runs, goal } = await compareMethods(problem, candidates, 1e-5, { signal: AbortSignal.abort() });
  await problem.objective.close();
  expect(runs.map(({ method, stopped, curve }) => [method, stopped, curve.length])).toEqual([
    ['adam', 'interrupted', 1],
  ]);
  expect(goal).toBe(runs[0].curve[0].heldOut);
});

test('a method does not count as converged at the start, even if its held-out error is smaller there', async () => {
  const settings = {
    ...DEFAULTS,
    data: [join(folder, 'games.vf')],
    start: 'material',
    only: ['psqt[0]'],
    holdout: 0.3,
    workers: 1,
    epochs: 4,
    l2: 1,
    method: 'gauss-newton',
  };
  const problem = await prepare(settings);
  const { runs, goal } = await compareMethods(problem, [settings], 1e-5);
  await problem.objective.close();
  expect(runs[0].curve[0].heldOut).toBeLessThan(goal);
  expect(runs[0].reached?.epoch).toBeGreaterThan(0);
});

describe('the output of a comparison', () => {
  const runOf = (method: string, errors: number[]): ComparedRun => ({
    method,
    curve: errors.map((heldOut, epoch) => ({ epoch, train: heldOut, heldOut, seconds: 10 ** epoch / 10 })),
    stopped: 'epochs',
    train: errors[errors.length - 1],
    heldOut: errors[errors.length - 1],
    rounded: { train: 0.1, heldOut: 0.1 },
    seconds: 1,
    reached: null,
  });
  const comparison = {
    runs: [runOf('quick', [0.2, 0.1]), runOf('slow', [0.2, 0.19, 0.18])],
    goal: 0.1,
    tolerance: 1e-5,
  };

  test('the comparison table has one line per method', () => {
    const [, quick, slow] = compareTable(comparison).split('\n');
    expect(quick).toMatch(/^quick +1 /);
    expect(slow).toMatch(/^slow .*never$/);
  });

  test('the comparison page has one line per method', () => {
    const page = comparePage(comparison, 'Title');
    expect(page).toContain('quick');
    expect(page.match(/stroke-width="2"/g)?.length).toBeGreaterThanOrEqual(2);
    expect(page).not.toContain('<script');
  });
});
