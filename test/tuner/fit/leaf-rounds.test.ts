import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { currentWeights } from '../../../engine/eval/weights-in-use.js';
import { loadWeights } from '../../../selfplay/common/weights.js';
import { encodeGame } from '../../../selfplay/records/viriformat.js';
import { updatedTargets } from '../../../tuner/fit/leaf-rounds.js';
import { fitReport } from '../../../tuner/fit/result.js';
import { tune } from '../../../tuner/fit/tune.js';
import { DEFAULTS, type TuneSettings } from '../../../tuner/fit/tune-settings.js';
import { labelGames } from '../../../tuner/labels/run.js';
import { HEFT } from '../../../tuner/model/heft.js';
import { expectedResult } from '../../../tuner/objective/loss.js';
import { traceData } from '../../../tuner/trace/load.js';
import { toVector } from '../../../tuner/weights/weights-file.js';
import { playGames } from '../../support/games.js';

const folder = mkdtempSync(join(tmpdir(), 'heft-leaves-'));
afterAll(() => rmSync(folder, { recursive: true }));
const shard = join(folder, 'games.vf');
const labels = join(folder, 'labels');

const settings: TuneSettings = {
  ...DEFAULTS,
  data: [labels],
  start: 'material',
  blend: 0.9,
  leafRounds: 2,
  l2: 1,
  certainty: 0,
  workers: 1,
};

beforeAll(async () => {
  writeFileSync(shard, Buffer.concat(playGames(20, 2).map(encodeGame)));
  const weights = loadWeights('material');
  const filter = { skipPlies: 0, perGame: 4, resolve: 'none', seed: 1 } as const;
  await labelGames({ ...filter, nodes: 60, workers: 1, data: [shard], weights, command: 'label', out: labels }, {});
});

test('a label moves by the change of its leaf, in the unit of the new weights', () => {
  const score = Int16Array.of(100, 100, 100, 100);
  const recorded = Float32Array.of(0.5, 0.5, 0.5, 0.5);
  const leaves = [0, 1, 3].map((row) => ({ row, fen: '', evaluation: 80 }));
  const update = (evaluations: number[], labelK = 2, k = 2): Float32Array =>
    updatedTargets(recorded, { score }, leaves, Int32Array.from(evaluations), { blend: 0.8, labelK, k });
  const [same, better, none, worse] = update([80, 120, -80]);
  expect([same, none]).toEqual([0.5, 0.5]);
  expect(better).toBeCloseTo(0.5 + 0.8 * (expectedResult(140, 2) - expectedResult(100, 2)), 6);
  expect(worse).toBeCloseTo(0.5 + 0.8 * (expectedResult(-60, 2) - expectedResult(100, 2)), 6);
  // Weights with twice the K express the same evaluation in half as many centipawns
  expect(update([40, 40, 40], 2, 4)).toEqual(recorded);
});

test('a fit in rounds to leaves is reproducible, differs from the first fit, and reports its error on the recorded labels', async () => {
  const inUse = currentWeights().mg.slice();
  const rounds: number[] = [];
  const first = await tune({ ...settings, leafRounds: 0 });
  const result = await tune(settings, { onLeafRound: (round) => rounds.push(round) });
  expect(rounds).toEqual([1, 2]);
  expect(result.fit.weights).not.toEqual(first.fit.weights);
  expect(result.weights.provenance).toMatchObject({ 'leaf-rounds': 2 });
  expect(result.fit.leafRounds).toMatchObject({ rounds: 2, before: first.fit.rounded });
  expect(result.fit.start).toEqual(first.fit.start);
  const { trainLoss, heldOutLoss, leafRounds } = fitReport(result);
  expect([trainLoss, heldOutLoss]).toEqual([first.fit.rounded.train, first.fit.rounded.heldOut]);
  expect(leafRounds).toMatchObject({ rounds: 2, trainLoss: result.fit.rounded.train });
  // The first fit minimises this error
  expect(result.fit.rounded.train).toBeGreaterThan(first.fit.rounded.train);
  expect((await tune({ ...settings, workers: 2 })).fit.weights).toEqual(result.fit.weights);
  expect(currentWeights().mg).toEqual(inUse);
});

test('a fit that is interrupted in a leaf round keeps the weights of the first fit, without a claim', async () => {
  const stop = new AbortController();
  const first = await tune({ ...settings, leafRounds: 0 });
  const { fit, claim } = await tune(settings, { onLeafRound: () => stop.abort(), signal: stop.signal });
  expect([fit.stopped, claim]).toEqual(['interrupted', null]);
  expect(fit.weights).toEqual(first.fit.weights);
});

test('nearly all labels have leaves, which are read on request', async () => {
  const weights = toVector(HEFT, loadWeights('material'));
  const filter = { ...settings, resolve: 'none' } as const;
  const load = { data: [labels], filter, weights, workers: 1 };
  const { dataset, leaves } = await traceData({ ...load, withLeaves: true });
  expect(leaves.length).toBeGreaterThan(0.9 * dataset.score.length);
  expect((await traceData(load)).leaves).toEqual([]);
});

test('leaf rounds need leaves, and scores in the target', async () => {
  const old = join(folder, 'old.csv');
  const lines = readFileSync(join(labels, 'labels-0000.csv'), 'utf8').split('\n');
  writeFileSync(old, lines.map((line) => line.split(',').slice(0, 5).join()).join('\n'));
  await expect(tune({ ...settings, data: [old] })).rejects.toThrow('--leaf-rounds needs labels with leaves');
  await expect(tune({ ...settings, blend: 0 })).rejects.toThrow(
    '--leaf-rounds needs scores in the target; add --blend',
  );
});
