import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, test } from 'vitest';
import { loadWeights } from '../../../selfplay/common/weights.js';
import { encodeGame } from '../../../selfplay/records/viriformat.js';
import { splitByOpening } from '../../../tuner/dataset/split.js';
import { tune } from '../../../tuner/fit/tune.js';
import { DEFAULTS, type TuneSettings } from '../../../tuner/fit/tune-settings.js';
import { HEFT } from '../../../tuner/model/heft.js';
import { Objective } from '../../../tuner/objective/objective.js';
import { traceData } from '../../../tuner/trace/load.js';
import { toVector } from '../../../tuner/weights/weights-file.js';
import { playGames } from '../../support/games.js';
import { slowTest } from '../../support/slow.js';

const folder = mkdtempSync(join(tmpdir(), 'heft-rounds-'));
afterAll(() => rmSync(folder, { recursive: true }));
const shard = join(folder, 'games.vf');
writeFileSync(shard, Buffer.concat(playGames(30, 2).map(encodeGame)));

const settings: TuneSettings = {
  ...DEFAULTS,
  data: [shard],
  start: 'material',
  holdout: 0.25,
  method: 'adam',
  l2: 1,
  epochs: 6,
  rate: 1,
  reResolve: 3,
  resolve: 'qsearch',
  workers: 1,
};

describe('resolving again', () => {
  test('a fit in rounds reports the error of positions resolved with the fitted weights', async () => {
    const curve: number[] = [];
    const { fit, k, weights, before } = await tune(settings, { onEpoch: ({ epoch }) => curve.push(epoch) });
    expect(toVector(HEFT, before)).toEqual(toVector(HEFT, loadWeights('material')));
    expect(fit.rounded.train).toBeLessThanOrEqual(fit.start.train);
    expect(fit.curve.map(({ epoch }) => epoch)).toEqual(fit.curve.map((_, i) => i));
    expect(weights.provenance).toMatchObject({ 're-resolve': 3, bestEpoch: fit.bestEpoch });

    const { dataset } = await traceData({ data: [shard], filter: settings, weights: fit.weights, workers: 1 });
    const { heldOut } = splitByOpening(dataset, settings.holdout, settings.seed);
    const objective = new Objective(dataset, heldOut, { terms: fit.weights.length / 2, workers: 1 });
    const { train, heldOut: held } = await objective.evaluate(fit.weights, k);
    await objective.close();
    expect(train).toBeCloseTo(fit.rounded.train, 12);
    expect(held).toBeCloseTo(fit.rounded.heldOut, 12);
  });

  slowTest('a fit in rounds keeps the weights so far when interrupted', async () => {
    const stop = new AbortController();
    const { fit } = await tune(settings, { onEpoch: ({ epoch }) => epoch === 1 && stop.abort(), signal: stop.signal });
    expect(fit.stopped).toBe('interrupted');
    expect(fit.epochs).toBeLessThan(6);
  });

  test('a failed fit leaves no workers running', async () => {
    const workers: Worker[] = [];
    const onWorker = (worker: Worker): number => workers.push(worker);
    process.on('worker', onWorker);
    const fail = (): never => {
      throw new Error('failed');
    };
    await expect(tune(settings, {}, join(shard, 'checkpoint'))).rejects.toThrow();
    await expect(tune(settings, { onStart: fail })).rejects.toThrow('failed');
    process.off('worker', onWorker);
    expect(workers.length).toBeGreaterThan(2);
    expect(workers.filter(({ threadId }) => threadId !== -1)).toEqual([]);
  });
});
