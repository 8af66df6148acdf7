import { deserialize, serialize } from 'node:v8';
import { afterAll, describe, expect, test } from 'vitest';
import { countOccurrences } from '../../../tuner/dataset/dataset.js';
import { splitByOpening } from '../../../tuner/dataset/split.js';
import { type FitProgress, type FitSettings, fitWeights } from '../../../tuner/fit/fit.js';
import { METHODS } from '../../../tuner/methods/methods.js';
import { Objective } from '../../../tuner/objective/objective.js';
import { slowTest } from '../../support/slow.js';
import { plainModel, ridge, synthetic } from '../../support/synthetic.js';

const TERMS = 10;
const K = 2;
const data = synthetic(6000, TERMS, K);
const split = splitByOpening(data.dataset, 0.2, 1);
const start = (workers: number): Objective => new Objective(data.dataset, split.heldOut, { terms: TERMS, workers });
const [one, two] = [start(1), start(2)];
afterAll(() => Promise.all([one.close(), two.close()]));

const settings = (method: string, changes: Partial<FitSettings> = {}): FitSettings => ({
  method: METHODS[method],
  k: K,
  epochs: 150,
  patience: 150,
  penalty: ridge(new Float64Array(2 * TERMS), 1e-9),
  start: new Float64Array(2 * TERMS),
  occurrences: countOccurrences(data.dataset, TERMS, split.heldOut),
  model: plainModel(TERMS),
  recentre: () => {},
  ...changes,
});
// On little data the default rates may not be the best
const RATES: Record<string, Partial<FitSettings>> = {
  adam: { rate: 8 },
};

/** Searching one weight at a time converges slowly. */
const DEAR = ['local', 'hybrid'];

describe.each(Object.keys(METHODS))('%s', (method) => {
  const testArrival = DEAR.includes(method) ? slowTest : test;
  testArrival('the method reaches the Gauss–Newton minimum', async () => {
    const goal = await fitWeights(one, settings('gauss-newton'));
    const { curve } = await fitWeights(one, settings(method, { ...RATES[method], epochs: 250 }));
    const { train } = goal.curve[goal.curve.length - 1];
    expect(Math.min(...curve.map((point) => point.train)) - train).toBeLessThan(5e-5);
    expect(goal.start.train - train).toBeGreaterThan(0.02);
  });

  test('the method gives bit-identical results with two workers, and when resumed from a stored epoch', async () => {
    const changes = { ...RATES[method], epochs: 9 };
    const progresses: Buffer[] = [];
    const onProgress = (progress: FitProgress): void => {
      progresses.push(serialize(progress));
    };
    const whole = await fitWeights(one, settings(method, changes), { onProgress });
    const timeless = (result: typeof whole) => ({ ...result, curve: result.curve.map(({ train }) => train) });
    expect(timeless(await fitWeights(two, settings(method, changes)))).toEqual(timeless(whole));
    for (const stored of progresses.filter((_, epoch) => epoch % 3 !== 1)) {
      const continued = await fitWeights(one, settings(method, changes), {}, deserialize(stored));
      expect(timeless(continued)).toEqual(timeless(whole));
    }
  });

  test('the method does not change frozen terms', async () => {
    const frozen = Uint8Array.from({ length: TERMS }, (_, term) => (term < 3 ? 1 : 0));
    const short = await fitWeights(one, settings(method, { ...RATES[method], epochs: 4, frozen }));
    expect([0, 2, TERMS, TERMS + 2].map((i) => short.weights[i])).toEqual([0, 0, 0, 0]);
    expect(short.weights[5]).not.toBe(0);
  });
});
