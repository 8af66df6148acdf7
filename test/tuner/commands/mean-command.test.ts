// `npm run tune -- mean` as users run it.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { projectFile } from '../../../selfplay/common/program.js';
import { loadWeights, readWeights, weightsHash } from '../../../selfplay/common/weights.js';
import { HEFT } from '../../../tuner/model/heft.js';
import { fromVector, toVector, writeWeights } from '../../../tuner/weights/weights-file.js';
import { type Outcome, runProgram } from '../../support/program.js';

const MAIN = fileURLToPath(projectFile('dist/tuner/commands/tune-main.js'));
const scratch = mkdtempSync(join(tmpdir(), 'heft-mean-'));
afterAll(() => rmSync(scratch, { recursive: true }));
const at = (name: string): string => join(scratch, name);
const mean = (...args: string[]): Promise<Outcome> => runProgram(MAIN, ['mean', ...args], scratch);

const material = loadWeights('material');

describe('the mean of weights', () => {
  test('gives every set the same factor by default and lists the sets in the provenance', async () => {
    const doubled = toVector(HEFT, material).map((value) => 2 * value);
    writeWeights(HEFT, at('doubled.json'), fromVector(HEFT, doubled, {}));
    const { code, stdout } = await mean('--weights', 'material', 'doubled.json', '--out', 'mean.json');
    expect([code, stdout]).toEqual([0, 'the mean of 2 sets is in mean.json\n']);
    const { provenance } = readWeights(at('mean.json'));
    expect(toVector(HEFT, readWeights(at('mean.json')))).toEqual(
      toVector(HEFT, material).map((value) => Math.round(1.5 * value) + 0),
    );
    expect(provenance['mean']).toEqual([
      { name: 'material', weights: weightsHash(material), factor: 0.5 },
      { name: 'doubled.json', weights: weightsHash(readWeights(at('doubled.json'))), factor: 0.5 },
    ]);
  });

  test('multiplies each set by its factor', async () => {
    const { code, stderr } = await mean(
      '--weights',
      'shipped',
      'material',
      '--factors',
      '1,-1',
      '--out',
      'difference.json',
    );
    expect(stderr).toMatch(/^warning: material lacks knightMobility and \d+ more, counted as zero in the mean\n$/);
    const shipped = toVector(HEFT, loadWeights('shipped'));
    const other = toVector(HEFT, material);
    expect([code, toVector(HEFT, readWeights(at('difference.json')))]).toEqual([
      0,
      shipped.map((value, i) => value - other[i] + 0),
    ]);
  });

  test.each([
    [['--weights', 'shipped', '--out', 'new.json'], '--weights takes two or more sets'],
    [
      ['--weights', 'shipped', 'material', '--factors', '0.5', '--out', 'new.json'],
      '--factors gives 1 factors for 2 sets of weights',
    ],
    [
      ['--weights', 'shipped', 'material', '--factors', '0.5,', '--out', 'new.json'],
      "--factors takes numbers such as 0.5,0.4, not '0.5,'",
    ],
    [
      ['--weights', 'shipped', 'material', '--factors', '5,5', '--out', 'new.json'],
      '--factors: the weighted sum is not a valid set of weights: term "material", entry',
    ],
    [['--weights', 'shipped', 'nofile.json', '--out', 'new.json'], 'cannot read weights nofile.json'],
    [['--weights', 'shipped', 'material', '--out', 'kept.json'], '--out: kept.json exists'],
  ])('rejects %j', async (args, message) => {
    writeFileSync(at('kept.json'), 'mine');
    const { code, stderr } = await mean(...args);
    expect([code !== 0, stderr]).toEqual([true, expect.stringContaining(message)]);
    expect(readFileSync(at('kept.json'), 'utf8')).toBe('mine');
  });
});

type Parts = { name: string; weights: string; factor: number }[];
const archived = (name: string): string => fileURLToPath(projectFile(`docs/lab/weights/${name}`));

test('the archived mean equals the mean of the archived sets in its provenance', async () => {
  const old = readWeights(archived('mean-28.json'));
  const parts = old.provenance['mean'] as Parts;
  const files = parts.map(({ name }) => archived(name));
  expect(files.map((file) => weightsHash(readWeights(file)))).toEqual(parts.map(({ weights }) => weights));
  const factors = parts.map(({ factor }) => factor).join(',');
  const { code } = await mean('--weights', ...files, '--factors', factors, '--out', 'again.json');
  expect([code, weightsHash(readWeights(at('again.json')))]).toEqual([0, weightsHash(old)]);
});
