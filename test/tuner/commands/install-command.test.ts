// `npm run tune -- install` in a copy of the project.

import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadWeights, readWeights, weightsHash } from '../../../selfplay/common/weights.js';
import { HEFT } from '../../../tuner/model/heft.js';
import { fromVector, toVector, writeWeights } from '../../../tuner/weights/weights-file.js';
import { type Outcome, projectCopy, runProgram } from '../../support/program.js';

const scratch = mkdtempSync(join(tmpdir(), 'heft-install-'));
afterAll(() => rmSync(scratch, { recursive: true }));
const copy = projectCopy(scratch);
const file = join(scratch, 'new.json');
const values = toVector(HEFT, loadWeights('shipped'));
writeWeights(
  HEFT,
  file,
  fromVector(
    HEFT,
    values.map((value, i) => (i === 0 ? value + 1 : value)),
    { generator: 'test' },
  ),
);

// The copy ships weights that give pieces away, so that the real ones win every match
appendFileSync(
  join(copy, 'dist/engine/eval/weights.js'),
  'for (const pair of WEIGHTS.terms.material) pair.fill(-300);',
);
const equal = join(scratch, 'equal.json');
const weak = values.map((value, i) => (i % HEFT.size < 5 ? -300 : value));
writeWeights(
  HEFT,
  equal,
  fromVector(
    HEFT,
    weak.map((value, i) => (i === 0 ? value + 1 : value)),
    {},
  ),
);

const inCopy = (program: string, ...args: string[]): Promise<Outcome> =>
  runProgram(join(copy, 'dist', program), args, scratch);
const match = (out: string, ...args: string[]): Promise<Outcome> =>
  inCopy('selfplay/match/main.js', '--concurrency', '1', '--seed', '3', '--out', out, ...args);
const install = (folder: string): Promise<Outcome> =>
  inCopy('tuner/commands/tune-main.js', 'install', '--match', folder);
const candidate = ['--candidate', file, '--nodes', '300'];
const level = ['--candidate', equal, '--nodes', '10', '--sprt'];
const isWritten = (): boolean => existsSync(join(copy, 'engine/eval/weights.ts'));

test.each([
  ['lost', [...level, '--elo0', '800', '--elo1', '900'], 'the match does not prove a gain: Elo '],
  ['even', [...level, '--elo0', '-900', '--elo1', '-800'], 'the match does not prove a gain: Elo '],
  [
    'unequal',
    ['--engine', `weights=${file} nodes=20`, '--engine', 'weights=shipped', '--nodes', '10', '--games', '2'],
    'not a match of a weights file',
  ],
  ['others', [...candidate, '--baseline', 'material', '--games', '2'], 'not a match of a weights file'],
  [
    'table',
    [...candidate, '--engine', 'weights=material', '--engine', 'weights=shipped', '--games', '2'],
    'a tournament',
  ],
])('tune install rejects an unsuitable match: %s', async (folder, args, message) => {
  expect((await match(folder, ...args)).code).toBe(0);
  const { code, stderr } = await install(folder);
  expect([code, stderr.startsWith(`error: ${join(scratch, folder)}: ${message}`)]).toEqual([1, true]);
  expect(isWritten()).toBe(false);
});

test('tune install rejects a folder without a match', async () => {
  expect(await install('.')).toMatchObject({ code: 1, stderr: expect.stringContaining('--match .: there is no comm') });
});

test('tune install writes the winning weights and records the match', async () => {
  const sprt = [...candidate, '--sprt', '--elo0', '0', '--elo1', '100'];
  expect((await match('won', ...sprt)).code).toBe(0);
  const result = readFileSync(join(scratch, 'won/result.json'), 'utf8');
  rmSync(join(scratch, 'won/result.json'));
  expect((await install('won')).stderr).toMatch(/^error: .*won: the match has not ended\. To continue: .*--continue/);
  expect((await match('won', ...sprt)).code).toBe(0);
  const ledger = join(copy, 'engine/eval/ledger.json');
  writeFileSync(ledger, '[');
  expect((await install('won')).stderr).toMatch(/^error: .*ledger\.json is damaged; restore it: /);
  expect(isWritten()).toBe(false);
  rmSync(ledger);
  const shipped = join(copy, 'engine/eval/weights.json');
  writeWeights(HEFT, shipped, readWeights(equal));
  expect((await install('won')).stderr).toMatch(/^error: not installed: .*weights\.json has changed since the match/);
  expect([isWritten(), existsSync(ledger)]).toEqual([false, false]);
  rmSync(shipped);
  const build = join(copy, 'scripts/bootstrap.mjs');
  const built = readFileSync(build);
  writeFileSync(build, 'process.exit(1);');
  expect((await install('won')).stderr).toMatch(/^error: the sources hold the new values, but the build failed/);
  writeFileSync(build, built);
  const { code, stdout } = await install('won');
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^built\nElo .*\ninstalled: /)]);
  const hash = weightsHash(readWeights(file));
  expect(weightsHash(readWeights(join(copy, 'engine/eval/weights.json')))).toBe(hash);
  const [entry, ...others] = JSON.parse(readFileSync(ledger, 'utf8'));
  expect(others).toEqual([]);
  const { games, verdict } = JSON.parse(result);
  expect(entry).toMatchObject({
    origin: 'tune',
    after: hash,
    provenance: { generator: 'test' },
    match: { games, verdict },
  });
});

test('tune install rejects weights that have changed since their match', async () => {
  expect((await match('old', ...candidate, '--sprt', '--elo0', '0', '--elo1', '100')).code).toBe(0);
  writeWeights(HEFT, file, fromVector(HEFT, values, {}));
  const { code, stderr } = await install('old');
  expect([code, stderr]).toEqual([1, expect.stringContaining('engine 1')]);
});
