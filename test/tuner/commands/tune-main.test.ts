import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { WEIGHT_COUNT } from '../../../engine/eval/terms.js';
import { projectFile } from '../../../selfplay/common/program.js';
import { loadWeights } from '../../../selfplay/common/weights.js';
import { encodeGame } from '../../../selfplay/records/viriformat.js';
import { tune } from '../../../tuner/fit/tune.js';
import { DEFAULTS, type TuneSettings } from '../../../tuner/fit/tune-settings.js';
import { HEFT } from '../../../tuner/model/heft.js';
import { formatWeights, toVector, writeWeights } from '../../../tuner/weights/weights-file.js';
import { playGame } from '../../support/games.js';
import { type Outcome, runHere, runProgram } from '../../support/program.js';
import { isSlow, slowTest } from '../../support/slow.js';

const MAIN = fileURLToPath(projectFile('dist/tuner/commands/tune-main.js'));
const folder = mkdtempSync(join(tmpdir(), 'heft-tune-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string): string => join(folder, name);
const shard = path('games.vf');
// Games of different openings, because two games of one count as a single observation
const games = Array.from({ length: 48 }, (_, index) => playGame(2, 2 * index));
writeFileSync(shard, Buffer.concat(games.map(encodeGame)));

const run = (...args: string[]): Promise<Outcome> => runProgram(MAIN, args, folder);
const here = (...args: string[]): Promise<Outcome> => runHere(MAIN, args, folder);
const json = (name: string) => JSON.parse(readFileSync(path(name), 'utf8'));
// Fitting the prior of all terms would take most of the time on so little data
const settings: TuneSettings = { ...DEFAULTS, data: [shard], start: 'material', method: 'adam', l2: 1 };
const lossOf = (line: string): number => Number(/[\d.]{8}/.exec(line)?.[0]);

describe('tune', () => {
  slowTest('tune changes weights only for a gain above --certainty standard errors (default 2)', async () => {
    const only = ['material', 'tempo'];
    const defaults: TuneSettings = { ...DEFAULTS, data: [shard], start: 'material', only, workers: 1 };
    const changes = async (certainty: number): Promise<boolean> => {
      const { before, weights } = await tune({ ...defaults, certainty });
      return formatWeights(HEFT, { ...weights, provenance: {} }) !== formatWeights(HEFT, { ...before, provenance: {} });
    };
    const { gain } = await tune(defaults);
    if (gain === null || gain.error === null) return expect.unreachable();
    const errors = gain.mean / gain.error;
    expect([await changes(errors - 0.01), await changes(errors + 0.01)]).toEqual([true, false]);
    expect(DEFAULTS.certainty).toBe(2);
  });

  slowTest('tune writes weights, curve, report and summary, which do not depend on the number of workers', async () => {
    // Prior and study solve for every free weight: a few are enough here
    const few = ['--only', 'material', '--only', 'tempo', '--only', 'knightMobility'];
    const common = ['--data', shard, '--start', 'material', ...few, '--holdout', '0.2', '--per-game', '10'];
    const one = await here(...common, '--out', 'one', '--json', 'one.json', '--workers', '1');
    const only = ['material', 'tempo', 'knightMobility'];
    const defaults: TuneSettings = { ...DEFAULTS, data: [shard], start: 'material' };
    const two = await tune({ ...defaults, only, holdout: 0.2, perGame: 10, workers: 2 });
    expect([one.code, one.stderr]).toEqual([0, '']);
    expect(readdirSync(path('one')).sort()).toEqual([
      ...['curve.csv', 'report.html', 'run.json', 'values.csv', 'weights.json'],
    ]);
    expect(formatWeights(HEFT, two.weights)).toBe(readFileSync(path('one/weights.json'), 'utf8'));

    const summary = json('one.json');
    expect(summary.study.calibration.length).toBeGreaterThan(3);
    expect(summary.families.length).toBeGreaterThan(2);
    expect(one.stdout).toMatch(/prior +reduces \d+ values to \d+ free parameters?/);
    expect(one.stdout).toContain('next steps');
    const report = readFileSync(path('one/report.html'), 'utf8');
    expect(report).toContain('Suspicious values');
    expect(report).toMatch(/games: undecided|games (lowered|raised) the held-out error/);
    expect(summary).toMatchObject({
      games: expect.any(Number),
      terms: WEIGHT_COUNT,
      epochs: two.fit.epochs,
      gain: two.gain,
      seconds: expect.any(Number),
    });
    expect(summary.positions).toBe(summary.trainPositions + summary.heldOutPositions);
    const { provenance } = loadWeights(path('one/weights.json'));
    expect(provenance).toMatchObject({
      data: [{ name: 'games.vf' }],
      method: 'gauss-newton',
      epochsRun: two.fit.epochs,
    });
    expect(JSON.stringify(provenance)).not.toMatch(/seconds|date|workers/);

    const curve = readFileSync(path('one/curve.csv'), 'utf8').trim().split('\n');
    expect(curve[0]).toBe('epoch,train,heldOut,seconds');
    expect(curve).toHaveLength(two.fit.epochs + 2);
    const trainAt = (line: number): number => Number(curve[line].split(',')[1]);
    expect(trainAt(two.fit.epochs + 1)).toBeLessThan(trainAt(1));
    expect(one.stdout).toMatch(/48 games/);
  });

  slowTest('tune eval reports the same error as the fit', async () => {
    const { fit, k, weights } = await tune({ ...settings, epochs: 20, holdout: 0, workers: 1 });
    expect(fit.rounded.heldOut).toBeNaN();
    writeWeights(HEFT, path('all.json'), weights);
    const after = await run('eval', '--weights', 'all.json', '--data', shard, '--k', String(k), '--json', 'b.json');
    expect(json('b.json').loss).toBeCloseTo(fit.rounded.train, 12);
    expect(lossOf(/error .*/.exec(after.stdout)?.[0] ?? '')).toBeCloseTo(fit.rounded.train, 5);
    await run('eval', '--weights', 'material', '--data', shard, '--json', 'c.json');
    expect(json('c.json').loss).toBeCloseTo(fit.start.train, 12);
    expect(json('c.json').k).toBeCloseTo(k, 12);
  });

  test.each(['--start', '--prior'])('tune does not overwrite the weights file given as %s', async (option) => {
    mkdirSync(path(`own${option}`));
    const weights = `own${option}/weights.json`;
    writeFileSync(path(weights), formatWeights(HEFT, loadWeights('material')));
    const { code, stderr } = await here('--data', shard, option, weights, '--out', `own${option}`, '--force');
    expect([code, stderr]).toEqual([2, `error: --out: ${weights} is also an input; choose another folder\n`]);
  });

  test.each([
    ['a fit', []],
    ['tune eval', ['eval', '--weights', 'material']],
    ['tune compare', ['compare', '--methods', 'adam']],
    ['tune label', ['label', '--nodes', '100', '--out', 'labels']],
  ])('--json does not overwrite the data of %s', async (_, command) => {
    const { code, stderr } = await here(...command, '--data', shard, '--json', shard, '--force');
    expect([code, stderr]).toEqual([
      2,
      `error: --json: ${shard} is also an input; choose a file outside the input folders\n`,
    ]);
  });

  slowTest('tune overwrites an existing fit only with --force', async () => {
    const fit = ['--method', 'adam', '--l2', '1', '--epochs', '2'];
    const args = ['--data', shard, '--start', 'material', ...fit, '--no-study', '--out', 'kept'];
    mkdirSync(path('kept'));
    writeFileSync(path('kept/run.json'), '{"command": "tune", "files": []}');
    writeFileSync(path('kept/weights.json'), 'mine');
    const { code, stderr } = await run(...args);
    expect([code, stderr]).toEqual([
      1,
      'error: --out: kept/weights.json exists; choose another name, or overwrite it with --force\n',
    ]);
    expect(readFileSync(path('kept/weights.json'), 'utf8')).toBe('mine');
    expect((await run(...args, '--force')).code).toBe(0);
    expect(loadWeights(path('kept/weights.json')).provenance['epochsRun']).toBe(2);
  });

  test('a fit without a study removes the values.csv of an earlier fit', async () => {
    const terms = [{ name: 'mobility', weights: [[0, 0]] }];
    const header = JSON.stringify({ format: 'heft-rows', version: 1, engine: 'Test', terms });
    const rows = Array.from({ length: 90 }, (_, i) => `${i % 2}\t12\t0:${(i % 5) - 2}\n`);
    writeFileSync(path('rows.tsv'), `${header}\nresult\tphase\trow\n${rows.join('')}`);
    const fit = ['--rows', 'rows.tsv', '--workers', '1', '--out', 'again'];
    expect((await here(...fit)).stderr).toBe('');
    expect(existsSync(path('again/values.csv'))).toBe(true);
    expect((await here(...fit, '--no-study', '--force')).stderr).toBe('');
    expect(readdirSync(path('again')).sort()).toEqual(['curve.csv', 'report.html', 'run.json', 'weights.json']);
  });

  slowTest('tune prints the origin of K, unless an option sets it', async () => {
    const few = ['--only', 'tempo', '--l2', '1', '--method', 'adam', '--epochs', '1', '--no-study', '--workers', '1'];
    const originOfK = async (...options: string[]): Promise<string | undefined> => {
      const { stdout } = await here('--data', shard, '--start', 'zero', ...few, ...options);
      return /^K +(.*)$/m.exec(stdout)?.[1];
    };
    expect(await originOfK('--out', 'assumed')).toBe('2.0000 (assumed: the start weights do not predict the results)');
    expect(await originOfK('--out', 'rescaled', '--rescale', '1.5')).toBe('1.5000');
    const { stdout } = await run('eval', '--weights', 'zero', '--data', shard);
    expect(stdout).toMatch(/^K +2\.0000 \(assumed: these weights do not predict the results\)$/m);
  });

  test.runIf(isSlow)('tune saves the best weights so far on Ctrl-C', async () => {
    const endless = [
      '--method',
      'adam',
      '--l2',
      '1',
      '--epochs',
      '1000000',
      '--patience',
      '1000000',
      '--holdout',
      '0',
      '--no-study',
    ];
    const args = ['--data', shard, '--start', 'material', ...endless, '--out', 'cut short'];
    const child = spawn(process.execPath, [MAIN, ...args], { cwd: folder });
    let stdout = '';
    child.stdout.on('data', (text) => {
      const isNew = !stdout.includes('K  ');
      stdout += text;
      if (isNew && stdout.includes('K  ')) setTimeout(() => child.kill('SIGINT'), 1500);
    });
    expect(await exitCode(child)).toBe(130);
    expect(stdout).toContain("interrupted (to continue, give the same options and --out 'cut short')");
    const kept = loadWeights(path('cut short/weights.json'));
    expect(toVector(HEFT, kept)).not.toEqual(toVector(HEFT, loadWeights('material')));
    expect(kept.provenance['stopped']).toBe('interrupted');
  });
});

describe('invalid arguments', () => {
  const weights = path('broken.json');
  writeFileSync(weights, '{"terms": {}}');
  writeFileSync(path('empty.txt'), '\n\n');
  const cases: [string, string[], number, RegExp][] = [
    ['no data', ['--out', 'x'], 2, /data/],
    ['an unknown option', ['--data', shard, '--epoch', '3'], 2, /epoch/],
    ['an unknown method', ['--data', shard, '--method', 'magic'], 2, /method/],
    ['text instead of a number', ['--data', shard, '--rate', 'fast'], 2, /--rate/],
    ['a share out of range', ['--data', shard, '--holdout', '1'], 2, /--holdout/],
    ['a missing file', ['--data', path('none.vf')], 1, /none\.vf/],
    ['no usable positions', ['--data', path('empty.txt')], 1, /no usable position/],
    ['broken weights', ['--data', shard, '--start', weights], 1, /broken\.json.*"material" is missing/],
    ['a folder that cannot be created', ['--data', shard, '--out', join(shard, 'x')], 1, /cannot create the folder/],
    ['columns of rows', ['--rows', 'rows.tsv', '--columns', 'fen=1'], 2, /rows and columns/],
    ['columns of games', ['--data', shard, '--columns', 'fen=1'], 2, /--columns applies to files of positions/],
    ['mixed games with rows', ['--rows', 'rows.tsv', '--mixed'], 2, /rows and mixed/],
    ['a batch without its methods', ['--data', shard, '--batch', '9'], 2, /--batch affects only adam, gd;/],
    [
      'a decay without its methods',
      ['compare', '--data', shard, '--decay', '1', '--methods', 'cg', 'local'],
      2,
      /--decay affects only adam, gd;/,
    ],
    ['eval without weights', ['eval', '--data', shard], 2, /weights/],
  ];
  test.each(cases)('%s gives an error without a stack trace', async (name, args, code, message) => {
    const out = `never-${name.replaceAll(' ', '-')}`;
    const result = await here(...args, ...(args[0] === 'eval' || args.includes('--out') ? [] : ['--out', out]));
    expect(result.code).toBe(code);
    expect(result.stderr).toMatch(message);
    expect(result.stderr).toMatch(/^error: /);
    expect(result.stderr).not.toMatch(/\n {4}at /);
    expect(existsSync(path(out))).toBe(false);
  });

  test('tune --help lists the options', async () => {
    const { code, stdout } = await here('--help');
    expect(code).toBe(0);
    for (const option of ['data', 'method', 'out', 'holdout', 'per-game', 'seed', 'l2', 'resolve', 'json']) {
      expect(stdout).toContain(`--${option}`);
    }
  });
});

const exitCode = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => {
    child.on('exit', resolve);
  });
