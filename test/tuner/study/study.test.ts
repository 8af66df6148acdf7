import { describe, expect, test } from 'vitest';
import { PSQT, WEIGHT_COUNT } from '../../../engine/eval/terms.js';
import { createRandom, randomBelow } from '../../../engine/kernel/random.js';
import { type Dataset, joinParts, PartBuilder } from '../../../tuner/dataset/dataset.js';
import { HEFT } from '../../../tuner/model/heft.js';
import { weightLabel } from '../../../tuner/model/names.js';
import { observe } from '../../../tuner/objective/loss.js';
import { conclude, dataCurve, hyperbola } from '../../../tuner/study/data-curve.js';
import { outliers } from '../../../tuner/study/outliers.js';
import { occurrencesOf, standardErrorsOf } from '../../../tuner/study/standard-errors.js';
import type { Study } from '../../../tuner/study/study.js';
import { describeStudy, gamesAdvice } from '../../../tuner/study/summary.js';
import { newtonFit } from '../../support/newton.js';
import { ridge, synthetic } from '../../support/synthetic.js';

const K = 1.6;

describe('dataCurve', () => {
  test('hyperbola finds limit and slope', () => {
    const points = [100, 200, 400, 800].map((games) => ({ games, train: 0, heldOut: 0.1 + 3 / games }));
    expect(hyperbola(points).limit).toBeCloseTo(0.1, 10);
    expect(hyperbola(points).slope).toBeCloseTo(3, 8);
  });

  test('conclude draws no conclusion from a held-out error that rises with the games', () => {
    const rising = [0.1036, 0.1012, 0.1046, 0.1062].map((heldOut, i) => ({ games: 68 << i, train: 0, heldOut }));
    expect(conclude(rising, 0.1066)).toBeNull();
    const flat = [0.1001, 0.1, 0.09999, 0.1].map((heldOut, i) => ({ games: 68 << i, train: 0, heldOut }));
    expect(conclude(flat, 0.12)).toMatchObject({ wanted: 544 });
    expect(conclude(flat, 0.09)).toMatchObject({ learnt: 0, wanted: null });
  });

  test('the advice on games uses the fitted curve, not its last point', () => {
    const points = [{ games: 1000, train: 0, heldOut: 0.098 }];
    const dataCurve = { points, limit: 0.1, slope: 3, learnt: 0.8, wanted: 4000 };
    expect(gamesAdvice({ dataCurve } as Study)).toContain('(the error could still fall by 0.00300)');
  });

  const terms = 6;
  const settings = (games: number, { result }: Dataset) => ({
    start: new Float64Array(2 * terms),
    // Of the held-out rows, at weights of zero
    startLoss: result.slice(4 * games).reduce((sum, half) => sum + (half / 2 - 0.5) ** 2, 0) / (4 * games),
    penalty: ridge(new Float64Array(2 * terms), 0),
    free: new Uint8Array(2 * terms).fill(1),
    heldOut: Uint8Array.from({ length: 8 * games }, (_, row) => (row >= 4 * games ? 1 : 0)),
    k: K,
    loss: 'mse' as const,
    seed: 1,
    workers: 1,
  });

  test('dataCurve distinguishes too few games from enough', async () => {
    const [small, large] = [500, 6000].map((games) => synthetic(8 * games, terms, K).dataset);
    const few = await dataCurve(small, settings(500, small));
    const many = await dataCurve(large, settings(6000, large));
    expect(few?.points.map(({ games }) => games)).toEqual([63, 125, 250]);
    expect(few?.slope).toBeGreaterThan(0);
    expect(many?.learnt).toBeGreaterThan(few?.learnt ?? 1);
    expect(many?.learnt).toBeGreaterThan(0.95);
    expect(many?.wanted).toBe(3000);
  });

  test('dataCurve uses the targets of the fit, not the results', async () => {
    const { dataset } = synthetic(8 * 500, terms, K);
    const halves = { target: new Float32Array(8 * 500).fill(0.5), weight: new Float32Array(8 * 500).fill(1) };
    const curve = await dataCurve(dataset, { ...settings(500, dataset), targets: halves });
    expect(curve?.points.map(({ train, heldOut }) => [train, heldOut])).toEqual([63, 125, 250].map(() => [0, 0]));
  });

  test('dataCurve measures the gain over the weights before the fit, even if it starts from other weights', async () => {
    const { dataset, planted } = synthetic(8 * 500, terms, K);
    const plain = await dataCurve(dataset, settings(500, dataset));
    const again = await dataCurve(dataset, { ...settings(500, dataset), start: planted });
    expect(plain?.learnt).toBeGreaterThan(0.5);
    expect(again?.learnt).toBeCloseTo(plain?.learnt ?? 0, 2);
  });

  test('dataCurve draws no conclusion without held-out games or with very few games', async () => {
    const { dataset } = synthetic(800, terms, K);
    expect(await dataCurve(dataset, { ...settings(100, dataset), heldOut: new Uint8Array(800) })).toBeNull();
    expect(await dataCurve(dataset, settings(100, dataset))).toBeNull();
  });
});

describe('outliers', () => {
  // Österlund's queen on b7, square 49 from White's side
  const ODD = PSQT + 4 * 64 + 49;
  const random = createRandom(5);
  const builder = new PartBuilder();
  for (let game = 0; game < 1500; game++) {
    builder.startGame(random());
    const isOdd = game % 300 === 0;
    const result = isOdd ? 2 : randomBelow(random, 3);
    for (let position = 0; position < 6; position++) {
      const counts = new Int32Array(WEIGHT_COUNT);
      for (let piece = 0; piece < 6; piece++) counts[PSQT + 4 * 64 + randomBelow(random, 64)] += 1 - 2 * (random() & 1);
      counts[ODD] = isOdd ? 1 : 0;
      builder.add(counts, 12, result, 0);
    }
  }
  const dataset = joinParts([builder.finish()]);
  const observations = observe(dataset, new Uint8Array(dataset.phase.length), 0, K, 'mse');
  const occurrences = occurrencesOf(dataset, observations.positionWeights, HEFT.size);
  const free = Uint8Array.from({ length: 2 * WEIGHT_COUNT }, (_, i) =>
    occurrences.positions[i % WEIGHT_COUNT] > 0 ? 1 : 0,
  );
  const zero = new Float64Array(2 * WEIGHT_COUNT);
  const penalty = (2 / 1500) * (K / 400) ** 2;
  const weights = newtonFit(observations, { start: zero, prior: zero, penalty, free, steps: 4 });
  const standardErrors = standardErrorsOf(observations, {
    weights,
    penalty: ridge(zero, penalty, 0.25 / 1500),
    free,
    recentre: HEFT.recentre,
  });
  const settings = { model: HEFT, weights, prior: zero, standardErrors, occurrences, free };
  const listed = outliers(dataset, settings);

  test('outliers lists a value decided by few games, with its positions', () => {
    const [worst] = listed;
    expect(weightLabel(HEFT, worst.term)).toBe('queen b7');
    expect(worst.value - worst.neighbours).toBeGreaterThan(25);
    expect([worst.positions, worst.games]).toEqual([30, 5]);
    expect(worst.half).toBeLessThanOrEqual(3);
    expect(worst.verdict).not.toBe('consistent');
    for (const { row, pull } of worst.rows) {
      expect(dataset.game[row] % 300).toBe(0);
      expect(pull).toBeGreaterThan(0);
    }
  });

  test('outliers marks values of the prior weights as inherited', () => {
    const certain = { ...standardErrors, errors: standardErrors.errors.map((error) => error / 10) };
    const verdictsWith = (prior: Float64Array): string[] =>
      outliers(dataset, { ...settings, standardErrors: certain, prior }).map(({ verdict }) => verdict);
    expect(verdictsWith(zero)).not.toContain('inherited');
    expect(new Set(verdictsWith(weights))).toEqual(new Set(['inherited']));
  });

  test('outliers lists an untapered value once, without a phase', () => {
    const terms = HEFT.terms.map((term) => (term.name === 'psqt' ? { ...term, isUntapered: true } : term));
    const same = weights.map((_, i) => weights[i % WEIGHT_COUNT]);
    const once = outliers(dataset, { ...settings, model: { ...HEFT, terms }, weights: same });
    expect(once.length).toBeGreaterThan(0);
    expect(new Set(once.map(({ term }) => term)).size).toBe(once.length);
    expect(once.map(({ phase }) => phase)).toEqual(once.map(() => null));
    expect(
      describeStudy(HEFT, {
        dataCurve: null,
        missing: [],
        outliers: once,
        together: [],
        ...occurrences,
      } as unknown as Study),
    ).toMatch(/ look at: queen b7 [\d.]+ ± /);
  });

  test('outliers lists only a few values per table', () => {
    expect(listed.length).toBeLessThanOrEqual(4);
  });
});
