import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { encodeGame } from '../../../selfplay/records/viriformat.js';
import { prepare, unseenOf } from '../../../tuner/fit/problem.js';
import { fitReport, unseenErrors } from '../../../tuner/fit/result.js';
import { tune } from '../../../tuner/fit/tune.js';
import { DEFAULTS, type TuneSettings } from '../../../tuner/fit/tune-settings.js';
import { Objective } from '../../../tuner/objective/objective.js';
import type { Producer } from '../../../tuner/rows/producer.js';
import { tracedGames } from '../../../tuner/rows/traced-games.js';
import { playGames } from '../../support/games.js';
import { slowTest } from '../../support/slow.js';

const folder = mkdtempSync(join(tmpdir(), 'heft-hybrid-'));
afterAll(() => rmSync(folder, { recursive: true }));
const shard = join(folder, 'games.vf');
writeFileSync(shard, Buffer.concat(playGames(80, 5).map(encodeGame)));

const settings: TuneSettings = {
  ...DEFAULTS,
  data: [shard],
  method: 'hybrid',
  start: 'material',
  holdout: 0.5,
  epochs: 6,
  l2: 1,
  // Gauss–Newton solves for every free weight: a few are enough to overfit
  only: ['material', 'psqt', 'tempo'],
  workers: 1,
};

slowTest('hybrid reports the error on held-out games that it did not use for selection', async () => {
  const result = await tune(settings);
  const { fit, untouched, untouchedStart, k, weights } = result;
  const { data, objective } = await prepare(settings);
  const { loaded, split, untouched: never } = data;
  await objective.close();
  const { dataset } = loaded;
  if (never === null) throw new Error('nothing is kept from the method');
  const errorOf = async (isMeant: (row: number) => boolean): Promise<number> => {
    const others = never.map((_, row) => (isMeant(row) ? 0 : 1));
    const part = new Objective(dataset, others, { terms: fit.weights.length / 2, workers: 1 });
    const { train } = await part.evaluate(fit.weights, k);
    await part.close();
    return train;
  };
  expect(never.some((flag, row) => flag === 1 && split.heldOut[row] === 0)).toBe(false);
  expect(await errorOf((row) => split.heldOut[row] === 0)).toBeCloseTo(fit.rounded.train, 10);
  expect(await errorOf((row) => split.heldOut[row] === 1 && never[row] === 0)).toBeCloseTo(fit.rounded.heldOut, 10);
  expect(await errorOf((row) => never[row] === 1)).toBeCloseTo(untouched ?? Number.NaN, 10);
  expect(Math.abs((untouched ?? 0) - fit.rounded.heldOut)).toBeGreaterThan(1e-6);
  expect(weights.provenance).toMatchObject({ method: 'hybrid', untouched: expect.any(Number) });
  expect(unseenErrors(fitReport(result))).toEqual([untouchedStart, untouched]);
});

slowTest('the claim of hybrid refers only to held-out games that it did not use', async () => {
  const { l2: _, ...learning } = settings;
  const few = { ...learning, only: ['material', 'tempo'], certainty: 0 };
  const { claim, untouched, untouchedStart } = await tune(few);
  const fall = (untouchedStart ?? 0) - (untouched ?? 0);
  expect(claim?.text).toContain(`held-out error ${fall < 0 ? 'rises' : 'falls'} by ${Math.abs(fall).toFixed(5)} ±`);
});

test('results of hidden games do not enter the targets of the games used for selection', async () => {
  const options: TuneSettings = { ...settings, repeats: 'once', only: ['tempo'], skipPlies: 0 };
  const producer = tracedGames(options);
  const targetsWith = async (isFlipped: (row: number) => boolean) => {
    const flipped: Producer = {
      ...producer,
      async load(weights, observer) {
        const loaded = await producer.load(weights, observer);
        const { result } = loaded.dataset;
        // All rows are repeats of one position
        loaded.firstSame.fill(0);
        for (const row of result.keys()) if (isFlipped(row)) result[row] = 2 - result[row];
        return loaded;
      },
    };
    const problem = await prepare(options, {}, flipped);
    const { objective, data, targets } = problem;
    await objective.close();
    const { untouched } = data;
    if (untouched === null || targets === undefined) throw new Error('nothing is kept from the method');
    // The repeats on one side count as one position
    const count = untouched.reduce((sum, row) => sum + row, 0);
    const share = untouched.length / 3 / count;
    for (const [row, weight] of unseenOf(problem).positionWeights.entries())
      expect(weight).toBeCloseTo(untouched[row] * share, 4);
    return { untouched, shown: [...targets.target].filter((_, row) => untouched[row] === 0) };
  };
  const plain = await targetsWith(() => false);
  expect((await targetsWith((row) => plain.untouched[row] === 1)).shown).toEqual(plain.shown);
});

test('only hybrid reports the error on unused games', async () => {
  const { untouched, untouchedStart } = await tune({ ...settings, method: 'cg', epochs: 1 });
  expect([untouched, untouchedStart]).toEqual([null, null]);
});
