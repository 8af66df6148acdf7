import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { WeightSet } from '../../../engine/eval/weight-set.js';
import { loadWeights, weightsHash } from '../../../selfplay/common/weights.js';
import { encodeGame } from '../../../selfplay/records/viriformat.js';
import type { FitResult } from '../../../tuner/fit/fit.js';
import { type Problem, prepare, solve } from '../../../tuner/fit/problem.js';
import { tune } from '../../../tuner/fit/tune.js';
import { DEFAULTS, type TuneSettings } from '../../../tuner/fit/tune-settings.js';
import { HEFT } from '../../../tuner/model/heft.js';
import type { Producer } from '../../../tuner/rows/producer.js';
import { tracedGames } from '../../../tuner/rows/traced-games.js';
import { studyFit } from '../../../tuner/study/study.js';
import { formatWeights, fromVector, toVector } from '../../../tuner/weights/weights-file.js';
import { playGames } from '../../support/games.js';

const folder = mkdtempSync(join(tmpdir(), 'heft-rescale-'));
afterAll(() => rmSync(folder, { recursive: true }));
const shard = join(folder, 'games.vf');
writeFileSync(shard, Buffer.concat(playGames(30, 2).map(encodeGame)));
const material = loadWeights('material');
const fifth = fromVector(
  HEFT,
  toVector(HEFT, material).map((value) => value / 5),
  {},
);
const small = join(folder, 'small.json');
writeFileSync(small, formatWeights(HEFT, fifth));

const settings: TuneSettings = { ...DEFAULTS, data: [shard], start: small, epochs: 3, workers: 1 };

describe('weights on another scale', () => {
  test('weights on another scale are scaled to the given K without changing the error', async () => {
    const asTheyAre = await prepare({ ...settings, l2: 1 });
    const scaled = await prepare({ ...settings, l2: 1, rescale: asTheyAre.task.k / 5 });
    expect(scaled.task.k).toBeCloseTo(asTheyAre.task.k / 5, 12);
    expect(scaled.before.terms).toEqual(material.terms);
    expect(scaled.prior).toBe(scaled.before);
    const errors = [asTheyAre, scaled].map(({ objective, before, task }) =>
      objective.evaluate(toVector(HEFT, before), task.k),
    );
    const [before, after] = await Promise.all(errors);
    expect(after.train).toBeCloseTo(before.train, 10);
    await Promise.all([asTheyAre, scaled].map(({ objective }) => objective.close()));
  });

  test('danger weights are scaled by the square root, and endgame scale factors are unchanged', async () => {
    const brave = join(folder, 'brave.json');
    const others: WeightSet['terms'] = {
      dangerWeak: [[100, 60]],
      scaleWays: [
        [0, 9],
        [0, -20],
        [0, 3],
      ],
    };
    writeFileSync(brave, formatWeights(HEFT, { ...fifth, terms: { ...fifth.terms, ...others } }));
    const asTheyAre = await prepare({ ...settings, start: brave, l2: 1 });
    const scaled = await prepare({ ...settings, start: brave, l2: 1, rescale: asTheyAre.task.k / 4 });
    expect(scaled.before.terms['dangerWeak']).toEqual([[200, 120]]);
    expect(scaled.before.terms['scaleWays']).toEqual(others['scaleWays']);
    expect(scaled.before.terms['material'][4]).toEqual(material.terms['material'][4].map((value) => 0.8 * value));
    await Promise.all([asTheyAre, scaled].map(({ objective }) => objective.close()));
  });

  test('weights on another scale are kept if the fit is undecided, and recorded as the start', async () => {
    const undecided = { ...settings, only: ['material', 'tempo'], certainty: 100 };
    const { weights, before, claim, k, fit } = await tune({ ...undecided, rescale: 1 });
    expect(claim?.isProven).toBe(false);
    expect(weightsHash(weights)).toBe(weightsHash(fifth));
    expect(weightsHash(before)).toBe(weightsHash(fifth));
    expect(weights.provenance).toMatchObject({
      start: weightsHash(fifth),
      prior: weightsHash(fifth),
      rescale: 1,
    });
    // K and the losses are those of the weights written
    const asTheyAre = await tune(undecided);
    expect([k, fit.rounded]).toEqual([asTheyAre.k, asTheyAre.fit.rounded]);
    const { k: statedK, kFitted, losses } = asTheyAre.weights.provenance;
    expect(weights.provenance).toMatchObject({ k: statedK, kFitted, losses });
  });

  test('the study shows the start weights in the unit of K if the fit is undecided', async () => {
    const scaled: WeightSet[] = [];
    const onFitted = async ({ before, objective, task }: Problem, fit: FitResult): Promise<void> => {
      scaled.push(fromVector(HEFT, fit.weights, before.provenance));
      expect((await objective.evaluate(fit.weights, task.k)).train).toBeCloseTo(fit.rounded.train, 12);
    };
    const { weights } = await tune({ ...settings, only: ['material'], rescale: 1, certainty: 100 }, { onFitted });
    expect(weightsHash(weights)).toBe(weightsHash(fifth));
    expect(weightsHash(scaled[0])).not.toBe(weightsHash(fifth));
  });

  test('the study resolves positions with the same weights as the fit', async () => {
    const games = join(folder, 'more.vf');
    writeFileSync(games, Buffer.concat(playGames(80, 3).map(encodeGame)));
    const source = { ...settings, data: [games], resolve: 'qsearch', rescale: 1, only: ['material'] } as const;
    const producer = tracedGames(source);
    const resolving: Float64Array[] = [];
    const watched: Producer = {
      ...producer,
      load(weights, observer) {
        resolving.push(weights);
        return producer.load(weights, observer);
      },
      positions(loaded, wanted, weights, observer) {
        resolving.push(weights);
        return producer.positions(loaded, wanted, weights, observer);
      },
    };
    const problem = await prepare(source, {}, watched);
    await studyFit(problem, await solve(problem, source));
    await problem.objective.close();
    expect(resolving).toEqual([toVector(HEFT, fifth), toVector(HEFT, fifth)]);
  });

  test('a K set by --rescale causes no warning at an end of its range', async () => {
    const { warnings } = await tune({ ...settings, only: ['material', 'tempo'], rescale: 10 });
    expect(warnings.filter((line) => line.startsWith('K '))).toEqual([]);
  });
});
