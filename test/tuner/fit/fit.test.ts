import { afterEach, describe, expect, test } from 'vitest';
import { WEIGHT_LIMIT } from '../../../engine/eval/weight-set.js';
import { countOccurrences } from '../../../tuner/dataset/dataset.js';
import { splitByOpening } from '../../../tuner/dataset/split.js';
import { type CurvePoint, type FitSettings, fitWeights, roundWeights } from '../../../tuner/fit/fit.js';
import { adam } from '../../../tuner/methods/first-order.js';
import { local } from '../../../tuner/methods/local.js';
import type { Method } from '../../../tuner/methods/method.js';
import { fitK } from '../../../tuner/objective/fit-k.js';
import { Objective } from '../../../tuner/objective/objective.js';
import { plainModel, ridge, synthetic } from '../../support/synthetic.js';

const TERMS = 12;
const K = 2.5;
const data = synthetic(24_000, TERMS, K);
const split = splitByOpening(data.dataset, 0.2, 1);

const open: Objective[] = [];
const start = (workers = 1): Objective => {
  const objective = new Objective(data.dataset, split.heldOut, { terms: TERMS, workers });
  open.push(objective);
  return objective;
};
afterEach(async () => {
  await Promise.all(open.splice(0).map((objective) => objective.close()));
});

const settings = (changes: Partial<FitSettings> = {}): FitSettings => ({
  method: adam,
  k: K,
  epochs: 200,
  patience: 200,
  rate: 8,
  penalty: ridge(new Float64Array(2 * TERMS), 0),
  start: new Float64Array(2 * TERMS),
  occurrences: countOccurrences(data.dataset, TERMS, split.heldOut),
  model: plainModel(TERMS),
  recentre: () => {},
  ...changes,
});

describe('fitK', () => {
  test('fitK recovers the K that generated the results', async () => {
    const objective = start();
    const k = await fitK(async (at) => (await objective.evaluate(data.planted, at)).train);
    expect(Math.abs(k - K)).toBeLessThan(0.1);
  });

  test('fitK finds a minimum anywhere in its range', async () => {
    for (const minimum of [0.3, 1.2345, 9]) {
      expect(await fitK(async (k) => (k - minimum) ** 2)).toBeCloseTo(minimum, 3);
    }
  });
});

describe('fitK without a best K', () => {
  test('fitK returns 2 for weights without information or with the wrong sign, and stays within its bounds', async () => {
    const objective = start();
    const lossWith = (weights: Float64Array) => async (k: number) => (await objective.evaluate(weights, k)).train;
    expect(await fitK(lossWith(new Float64Array(2 * TERMS)))).toBe(2);
    expect(await fitK(lossWith(data.planted.map((weight) => -weight)))).toBe(2);
    expect(await fitK(lossWith(data.planted.map((weight) => 30 * weight)))).toBeCloseTo(0.25, 3);
  });
});

describe('fitWeights', () => {
  test('fitWeights recovers planted weights from zero', async () => {
    const result = await fitWeights(start(2), settings());
    const errors = result.weights.map((weight, i) => Math.abs(weight - data.planted[i]));
    expect(Math.max(...errors)).toBeLessThan(30);
    expect(result.rounded.heldOut).toBeLessThan(result.start.heldOut - 0.02);
    expect(result.rounded.heldOut - result.best.heldOut).toBeLessThan(1e-5);
    expect(result.weights.every(Number.isInteger)).toBe(true);
  });

  test('fitWeights gives the same result with one and two workers', async () => {
    const one = await fitWeights(start(1), settings({ epochs: 30 }));
    const two = await fitWeights(start(2), settings({ epochs: 30 }));
    const timeless = (result: typeof one) => ({ ...result, curve: result.curve.map(({ train }) => train) });
    expect(timeless(two)).toEqual(timeless(one));
  });

  test('fitWeights starts at the start weights, and the penalty pulls towards the prior', async () => {
    const prior = new Float64Array(2 * TERMS).fill(50);
    const result = await fitWeights(start(), settings({ penalty: ridge(prior, 1), epochs: 100 }));
    expect(Math.max(...result.curve.map(({ epoch }) => epoch))).toBe(100);
    const last = await fitWeights(start(), settings({ start: prior, penalty: ridge(prior, 1), epochs: 5 }));
    expect(Math.max(...last.weights.map((weight) => Math.abs(weight - 50)))).toBeLessThan(15);
  });

  test('fitWeights sets terms that never occur to their prior', async () => {
    const occurrences = countOccurrences(data.dataset, TERMS, split.heldOut);
    occurrences[3] = 0;
    const prior = new Float64Array(2 * TERMS).fill(7);
    const { weights } = await fitWeights(start(), settings({ occurrences, penalty: ridge(prior, 0), epochs: 10 }));
    expect([weights[3], weights[TERMS + 3]]).toEqual([7, 7]);
    expect(weights[4]).not.toBe(7);
  });

  test('fitWeights keeps frozen terms that never occur', async () => {
    const occurrences = countOccurrences(data.dataset, TERMS, split.heldOut);
    occurrences[3] = 0;
    const frozen = new Uint8Array(TERMS);
    frozen[3] = 1;
    const prior = new Float64Array(2 * TERMS).fill(7);
    const given = settings({ occurrences, frozen, penalty: ridge(prior, 0), epochs: 10 });
    const { weights } = await fitWeights(start(), given);
    expect([weights[3], weights[TERMS + 3]]).toEqual([given.start[3], given.start[TERMS + 3]]);
  });

  test.each([adam, local])('fitWeights rounds all weights except frozen ones', async (method) => {
    const frozen = new Uint8Array(TERMS);
    frozen[3] = 1;
    const given = new Float64Array(2 * TERMS).fill(12.5);
    const { weights } = await fitWeights(start(), settings({ method, frozen, start: given, epochs: 5 }));
    expect(weights.filter((weight) => !Number.isInteger(weight))).toEqual(Float64Array.of(12.5, 12.5));
    expect([weights[3], weights[TERMS + 3]]).toEqual([12.5, 12.5]);
  });

  /** Moves away from the planted weights, so that the held-out error grows in every epoch. */
  const worsening: Method = {
    rate: 1,
    start: async (problem, weights) => ({ weights, losses: await problem.losses(weights), epoch: 0, done: false }),
    step: async (problem, state) => {
      state.weights = state.weights.map((weight, i) => weight - Math.sign(data.planted[i]) * 5);
      state.losses = await problem.losses(state.weights);
    },
  };

  test('fitWeights stops when the error no longer improves and restores the best weights', async () => {
    const result = await fitWeights(start(), settings({ method: worsening, start: data.planted, patience: 4 }));
    expect(result.stopped).toBe('converged');
    expect(result.epochs).toBeLessThan(12);
    const distance = result.weights.map((weight, i) => Math.abs(weight - data.planted[i]));
    expect(Math.max(...distance)).toBe(5 * result.bestEpoch);
    expect(result.curve[result.bestEpoch].train).toBe(Math.min(...result.curve.map(({ train }) => train)));
  });

  test('fitWeights returns the best weights so far when interrupted', async () => {
    const stop = new AbortController();
    const onEpoch = ({ epoch }: CurvePoint): void => {
      if (epoch === 6) stop.abort();
    };
    const result = await fitWeights(start(), settings(), { onEpoch, signal: stop.signal });
    expect(result.stopped).toBe('interrupted');
    expect(result.epochs).toBe(6);
    expect(result.best.heldOut).toBeLessThan(result.start.heldOut);
  });
});

describe('roundWeights', () => {
  test('roundWeights recentres before rounding, clips to the range and returns no negative zero', () => {
    const recentre = (mg: Float64Array): void => {
      mg[0] += 0.4;
    };
    const rounded = roundWeights(Float64Array.of(1.2, -0.2, 12000.5, -3.5), recentre, WEIGHT_LIMIT);
    expect([...rounded]).toEqual([2, 0, WEIGHT_LIMIT, -3]);
    expect(Object.is(rounded[1], 0)).toBe(true);
  });
});
