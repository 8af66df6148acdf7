import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { weightsHash } from '../../../selfplay/common/weights.js';
import { encodeGame } from '../../../selfplay/records/viriformat.js';
import { averageIfFew, shareOfSingle } from '../../../tuner/fit/few-games.js';
import { prepare, solve, weakPenalty } from '../../../tuner/fit/problem.js';
import { fitReport } from '../../../tuner/fit/result.js';
import { tune } from '../../../tuner/fit/tune.js';
import { DEFAULTS, type TuneSettings } from '../../../tuner/fit/tune-settings.js';
import { playGames } from '../../support/games.js';
import { slowTest } from '../../support/slow.js';

const folder = mkdtempSync(join(tmpdir(), 'heft-few-games-'));
afterAll(() => rmSync(folder, { recursive: true }));
const shard = join(folder, 'games.vf');
writeFileSync(shard, Buffer.concat(playGames(40, 2).map(encodeGame)));
const settings: TuneSettings = {
  ...DEFAULTS,
  data: [shard],
  start: 'material',
  only: ['material', 'tempo', 'bishopPair'],
  holdout: 0,
  certainty: 0,
  workers: 1,
};

describe('a fit to few games', () => {
  test('the share of the second fit falls from a half at 100 games to zero at 200', () => {
    expect([13, 100, 150, 199, 200, 5000].map(shareOfSingle)).toEqual([0.5, 0.5, 0.25, 1 - 199 / 200, 0, 0]);
  });

  slowTest('a fit to few games returns the mean of the fits with the learnt prior and with --l2 30', async () => {
    const problem = await prepare(settings);
    const { objective, task } = problem;
    const fit = await solve(problem, settings);
    const single = await solve({ ...problem, penalty: await weakPenalty(problem, 30) }, settings);
    const mean = await averageIfFew(problem, fit, settings, {});
    expect(single.weights).not.toEqual(fit.weights);
    for (const [i, weight] of mean.weights.entries()) {
      expect(Math.abs(weight - (fit.weights[i] + single.weights[i]) / 2)).toBeLessThanOrEqual(1);
    }
    expect(mean.averaged).toEqual({ l2: 30, share: 0.5 });
    expect(mean.rounded).toEqual(await objective.evaluate(mean.weights, task.k));

    // Interrupted fits, and fits without a learnt prior, stay as they are
    const cut = { ...fit, stopped: 'interrupted' as const };
    expect(await averageIfFew(problem, cut, settings, {})).toBe(cut);
    expect(await averageIfFew({ ...problem, learnt: null }, fit, settings, {})).toBe(fit);
    const stopped = await averageIfFew(problem, fit, settings, { signal: AbortSignal.abort() });
    expect([stopped.stopped, stopped.weights]).toEqual(['interrupted', fit.weights]);
    await objective.close();
  });

  test('an interrupted fit keeps its weights without a claim about them', async () => {
    const stop = new AbortController();
    const result = await tune(
      { ...settings, certainty: 1000 },
      { onEpoch: ({ epoch }) => epoch === 1 && stop.abort(), signal: stop.signal },
    );
    const { fit, claim, weights, before } = result;
    expect([fit.stopped, claim]).toEqual(['interrupted', null]);
    expect(weightsHash(weights)).not.toBe(weightsHash(before));
    expect(fitReport(result).isInterrupted).toBe(true);
  });

  slowTest('the provenance records the averaging only if the fit is kept', async () => {
    const kept = await tune(settings);
    expect(kept.weights.provenance).toMatchObject({ averaged: { l2: 30, share: 0.5 } });
    const { claim, weights } = await tune({ ...settings, certainty: 1000 });
    expect(claim?.isProven).toBe(false);
    expect(weights.provenance).not.toHaveProperty('averaged');
    expect((await tune({ ...settings, l2: 1 })).weights.provenance).not.toHaveProperty('averaged');
  });
});
