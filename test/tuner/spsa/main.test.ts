// The command as users run it: real games at few nodes, killed and continued; reports, files and messages.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { PARAMS } from '../../../engine/search/params.js';
import type { SpsaResult } from '../../../tuner/spsa/result.js';
import { FAKE_ENGINE } from '../../support/fake-engine.js';
import { ended, runHere } from '../../support/program.js';
import { isSlow, longTest, slowTest } from '../../support/slow.js';

const MAIN = fileURLToPath(new URL('../../../dist/tuner/spsa/main.js', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'heft-spsa-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const path = (name: string): string => join(scratch, name);
const resultOf = (folder: string): SpsaResult => JSON.parse(readFileSync(path(`${folder}/result.json`), 'utf8'));
const linesOf = (folder: string): string[] => {
  const file = path(`${folder}/games.jsonl`);
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(1, -1) : [];
};

const SHORT = [
  '--draw',
  'movenumber=12 movecount=3 score=60',
  '--resign',
  'movecount=1 score=250',
  '--max-moves',
  '40',
];
const RUN = [
  ...[
    '--variable',
    'rfpMargin',
    'lmrBase',
    'tempo.bias',
    'psqt[knight].amplitude',
    '--c-scale',
    '3',
    '--r-end',
    '0.02',
  ],
  ...['--nodes', '60', '--hash', '1', '--games', '12', '--pairs', '1', '--ahead', '2', ...SHORT],
];

const start = (folder: string, concurrency: number): ChildProcess => {
  const args = [MAIN, ...RUN, '--concurrency', String(concurrency), '--out', path(folder)];
  return spawn(process.execPath, args, { stdio: 'ignore' });
};

test.runIf(isSlow)(
  'a run has the same trajectory at any concurrency and after a kill',
  { timeout: 300_000 },
  async () => {
    const killed = start('killed', 1);
    while (linesOf('killed').length < 5 && killed.exitCode === null) await sleep(5);
    killed.kill('SIGKILL');
    await ended(killed);
    expect(linesOf('killed').filter((line) => line.includes('"game"')).length).toBeLessThan(12);
    await ended(start('killed', 2));
    await ended(start('whole', 1));

    const [a, b] = [resultOf('killed'), resultOf('whole')];
    expect(a).toMatchObject({ finished: true, games: 12, iterations: 6 });
    expect(a.conditions).toMatchObject({
      'engine 1': { hash: '1', limits: { nodes: 60 } },
      order: 'random',
    });
    expect(a.trajectory).toEqual(b.trajectory);
    expect(a.trajectory).toHaveLength(7);
    expect(a.values.some(({ start: from, now }) => from !== now)).toBe(true);
    const games = linesOf('killed').flatMap((line) => (line.includes('"game"') ? [JSON.parse(line).game] : []));
    expect(games.sort((x, y) => x - y)).toEqual(Array.from({ length: 12 }, (_, i) => i));
    const iterations = linesOf('killed').flatMap((line) => (line.includes('"iteration"') ? [JSON.parse(line)] : []));
    expect(iterations.map(({ iteration }) => iteration)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(iterations.map(({ values }) => values)).toEqual(a.trajectory.slice(1).map(({ values }) => values));
    expect(existsSync(path('killed/weights'))).toBe(false);

    // A finished run prints its result again; other settings and an inconsistent journal are rejected
    await ended(start('killed', 2));
    expect(resultOf('killed').trajectory).toEqual(b.trajectory);
    const other = run([...RUN, '--seed', '2', '--out', path('killed')]);
    expect(other.stderr).toMatch(
      /^error: .*killed holds a tuning run with seed 1 \(now 2\); choose another --out, or delete this folder$/m,
    );
    const journal = path('killed/games.jsonl');
    const lines = readFileSync(journal, 'utf8');
    writeFileSync(journal, lines.replace('"points":0', '"points":2'));
    expect(run([...RUN, '--out', path('killed')]).stderr).toMatch(/games\.jsonl:\d+: damaged line/);
    // Edited without a valid checksum
    writeFileSync(journal, lines.replace(/"points":0([^\n]*),"checksum":"\w*"/, '"points":2$1'));
    expect(run([...RUN, '--out', path('killed')]).stderr).toMatch(
      /games in the journal do not reproduce the values recorded after iteration/,
    );

    const report = readFileSync(path('whole/report.html'), 'utf8');
    for (const word of ['Next steps', 'psqt[knight].amplitude', '<svg', 'random walk', 'rfpMargin, int, '])
      expect(report).toContain(word);
    expect(report).not.toContain('<script');
  },
);

slowTest('options of another engine are tuned, including a number in a string option', { timeout: 120_000 }, () => {
  const log = path('said');
  const engine = ['--engine', `cmd=${process.execPath}`, `args=${FAKE_ENGINE} greedy=1 log=${log}`];
  const variables = ['--variable', 'Hash, int, 8, 1, 64, 4, 0.002', 'Note, float, 1.5, 0, 3, 0.5, 0.002'];
  const { status, stdout, stderr } = run([
    ...engine,
    ...variables,
    '--nodes',
    '1',
    '--games',
    '4',
    '--pairs',
    '1',
    '--ahead',
    '1',
    '--workers',
    '3',
    '--max-moves',
    '6',
    '--out',
    path('foreign'),
  ]);
  expect(status).toBe(0);
  expect(stdout).toMatch(/Hash +8 /);
  expect(stderr).toContain(': 4 games, 2 at a time, in ');
  expect(stderr).toContain('note: --ahead 1 allows only 2 games at a time; raise it for --workers 3');
  const said = readFileSync(log, 'utf8');
  expect(new Set(said.match(/^setoption name Hash value \d+$/gm)).size).toBeGreaterThan(1);
  expect(said).toMatch(/^setoption name Note value [12]\.\d+$/m);
  const refused = run(['apply', path('foreign')]);
  expect(refused.stderr).toMatch(/^error: .*foreign tuned .*only values of Heft can be written back$/m);
});

slowTest('a list set by the user is kept, and the run starts from its values', { timeout: 120_000 }, () => {
  const log = path('lists');
  const engine = ['--engine', `cmd=${process.execPath}`, `args=${FAKE_ENGINE} log=${log}`, 'option.Note=7, 20, 9'];
  const games = ['--nodes', '1', '--games', '2', '--pairs', '1', '--max-moves', '4', '--out', path('list')];
  expect(run([...engine, '--variable', 'Note[1]', ...games]).status).toBe(0);
  const said = readFileSync(log, 'utf8').match(/^setoption name Note value .*$/gm);
  for (const line of said ?? ['none']) expect(line).toMatch(/ value 7, (?:20|1[6-9]|2[1-4])(?:\.\d+)?, 9$/);
});

slowTest('--simulate prints the distance from the optimum, and --json writes the trajectory', () => {
  const json = path('simulated.json');
  const { status, stdout } = run(['--simulate', '--games', '4000', '--json', json, '--out', path('simulated')]);
  expect(status).toBe(0);
  expect(stdout).toMatch(/13\.42 c from the optimum at the start, \d+\.\d\d c at the end; theory predicts \d+\.\d\d/);
  const { simulation, trajectory, values, finished } = JSON.parse(readFileSync(json, 'utf8')) as SpsaResult;
  expect(simulation?.distance).toBeGreaterThan(simulation?.expected.low ?? Number.NaN);
  expect(simulation?.distance).toBeLessThan(simulation?.expected.high ?? Number.NaN);
  expect(finished).toBe(true);
  const again = run(['--simulate', '--games', '16', '--out', path('simulated')]);
  expect(again.stderr).toMatch(/^error: --out: .*simulated\/result.json exists; choose another name/);
  rmSync(path('simulated/result.json'));
  const report = run(['--simulate', '--games', '16', '--out', path('simulated')]);
  expect(report.stderr).toMatch(/^error: --out: .*simulated\/report.html exists; choose another name/);
  expect(trajectory.map(({ iteration }) => iteration)).toEqual(Array.from({ length: 251 }, (_, i) => i));
  expect(values.map(({ now }) => now)).toEqual(trajectory.at(-1)?.values);
});

test('lines in OpenBench format are printed and read back', async () => {
  const lines = run(['lines']).stdout;
  expect(lines.trim().split('\n')).toHaveLength(Object.keys(PARAMS).length);
  writeFileSync(path('lines'), `# ours\n\n${lines}`);
  expect((await runHere(MAIN, ['lines', '--variables', path('lines')], scratch)).stdout).toBe(lines);
});

describe('an invalid command line', () => {
  const cases: [string[], number, RegExp][] = [
    [[], 2, /^error: nothing to tune: give --variable or --variables$/],
    [['--variable', 'all', '--pairs', '3'], 2, /^error: --games must be a multiple of 6/],
    [
      ['--variable', 'all', '--method', 'newton'],
      2,
      /^error: Invalid values: Argument: method, Given: "newton", Choices: "spall", "kiiski"/,
    ],
    [['--variable', 'all', '--nodes', '5', '--nodes', '6'], 2, /^error: --nodes is given more than once/],
    [
      ['--variable', 'all', '--factor', '5'],
      2,
      /^error: --factor has no effect without --method kiiski; omit it, or give --method kiiski$/,
    ],
    [
      ['--variable', 'all', '--validation-games', '4'],
      2,
      /^error: --validation-games has no effect without --validate;/,
    ],
    [['--simulate', '--validate', '100'], 2, /^error: Arguments validate and simulate are mutually exclusive/],
    [['--engine', 'cmd=x', '--weights', 'zero'], 2, /^error: Arguments weights and engine are mutually exclusive/],
    [['lines', 'run', '--variable', 'all'], 2, /^error: lines RUN prints the run's own variables; omit/],
    [['--engine', 'cmd=/nowhere', '--variable', 'x'], 1, /^error: engine \/nowhere did not start/],
    [['apply', '/nowhere'], 1, /^error: \/nowhere holds no tuning run/],
  ];
  test.each(cases)('is rejected with a one-line error: %s', async (args, status, message) => {
    const { code, stderr, stdout } = await runHere(MAIN, args, scratch);
    expect(stderr.trim()).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect([code, stdout]).toEqual([status, '']);
  });
});

function run(args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8', cwd: scratch });
}

longTest('validation matches are played during a run and do not change its values', { timeout: 300_000 }, async () => {
  const run = (folder: string, ...more: string[]): string => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [MAIN, ...RUN, '--concurrency', '2', '--out', path(folder), ...more],
      { encoding: 'utf8' },
    );
    expect([status, stderr.includes('error')]).toEqual([0, false]);
    return stdout + stderr;
  };
  run('plain');
  const validate = ['--validate', '8', '--validation-games', '2'];
  const said = run('validated', ...validate);
  expect(said).toContain('Values after iteration 4 against the start:');
  const [plain, validated] = [resultOf('plain'), resultOf('validated')];
  expect(validated.values).toEqual(plain.values);
  expect(validated.validations?.map(({ games }) => games)).toEqual([2, 2]);
  expect(validated.validations?.at(-1)?.values).toEqual(validated.values.map(({ now }) => now));
  expect(readFileSync(path('validated/report.html'), 'utf8')).toContain('Elo against the start');
  // The continued run plays no further games
  const games = linesOf('validated').length;
  run('validated', ...validate);
  expect(linesOf('validated')).toHaveLength(games);
  expect(resultOf('validated').validations).toHaveLength(2);
});

slowTest(
  'a run continued with --validate plays no matches for the validation points already passed',
  { timeout: 120_000 },
  () => {
    const short = ['--variable', 'rfpMargin', '--nodes', '50', '--games', '8', '--pairs', '1', '--max-moves', '4'];
    const folder = ['--out', path('later')];
    expect(run([...short, ...folder]).status).toBe(0);
    const { stderr } = run([...short, ...folder, '--validate', '2', '--validation-games', '2']);
    expect(stderr).toContain('spall on 1 variable of heft');
    expect(stderr.match(/Values after iteration 4 against the start:/g)).toHaveLength(1);
    expect(resultOf('later').validations?.map(({ iteration }) => iteration)).toEqual([4]);
  },
);
