import { expect, test } from 'vitest';
import { createRandom, randomBelow } from '../../../engine/kernel/random.js';
import { joinParts, PartBuilder } from '../../../tuner/dataset/dataset.js';
import { HEFT } from '../../../tuner/model/heft.js';
import { gradientOf, observe } from '../../../tuner/objective/loss.js';
import { residualsOf } from '../../../tuner/study/residuals.js';
import { scoreTest } from '../../../tuner/study/score-test.js';
import { standardErrorsOf } from '../../../tuner/study/standard-errors.js';
import { CANDIDATES } from '../../../tuner/trace/candidate-features.js';
import { newtonFit } from '../../support/newton.js';
import { ridge, scoreOf } from '../../support/synthetic.js';

const K = 1.6;
const TERMS = 6;
const VALUE = 60;

/** Positions whose results follow from weights and, in the endgame, from the first candidate feature. */
function planted(positions: number) {
  const random = createRandom(3);
  const weights = Float64Array.from({ length: 2 * TERMS }, () => randomBelow(random, 201) - 100);
  const builder = new PartBuilder();
  const candidates = new Int8Array(CANDIDATES.length * positions);
  for (let row = 0; row < positions; row++) {
    const counts = Int32Array.from({ length: TERMS }, () => randomBelow(random, 5) - 2);
    const phase = randomBelow(random, 25);
    const feature = randomBelow(random, 7) - 3;
    candidates[CANDIDATES.length * row] = feature;
    candidates[CANDIDATES.length * row + 1] = randomBelow(random, 7) - 3;
    const score = scoreOf(weights, counts, phase) + (VALUE * feature * (24 - phase)) / 24;
    if (row % 2 === 0) builder.startGame(random());
    builder.add(counts, phase, random() / 2 ** 32 < 1 / (1 + Math.exp((-K * score) / 400)) ? 2 : 0, 0);
  }
  return { dataset: joinParts([builder.finish()]), candidates };
}

const { dataset, candidates } = planted(8000);
const observations = observe(dataset, new Uint8Array(8000), 0, K, 'mse');
const zero = new Float64Array(2 * TERMS);
const free = new Uint8Array(2 * TERMS).fill(1);
const weights = newtonFit(observations, { start: zero, prior: zero, penalty: 0, free });

test('scoreTest finds the feature that affects the results, with its phase and value', () => {
  const standardErrors = standardErrorsOf(observations, { weights, penalty: ridge(zero, 0), free, recentre: () => {} });
  const gradient = gradientOf(standardErrors.rows, standardErrors.derivatives.slopes, TERMS);
  const [best, ...rest] = scoreTest(observations, candidates, standardErrors, weights, gradient);
  expect([best.name, best.phase]).toEqual([CANDIDATES[0].name, 'endgame']);
  expect(best.chiSquare).toBeGreaterThan(50);
  expect(Math.abs(best.value - VALUE)).toBeLessThan(3 * best.error);
  expect(best.error).toBeLessThan(10);
  for (const { name, chiSquare } of rest) if (name === CANDIDATES[1].name) expect(chiSquare).toBeLessThan(10.8);
});

test('the residuals of a fit are small on its own positions, and the calibration counts every position', () => {
  const { calibration, residuals } = residualsOf(HEFT, observations, weights);
  expect(calibration.reduce((sum, { positions }) => sum + positions, 0)).toBe(8000);
  for (const { expected, scored, error } of calibration) expect(Math.abs(scored - expected)).toBeLessThan(5 * error);
  for (const kind of ['phase', 'term']) expect(residuals.some((group) => group.kind === kind)).toBe(true);
  for (const { mean, error, group } of residuals) expect(Math.abs(mean), group).toBeLessThan(5 * error);
});

test('weights that are too large overestimate the score of the side ahead', () => {
  const { calibration, residuals } = residualsOf(
    HEFT,
    observations,
    weights.map((weight) => 2 * weight),
  );
  const clear = calibration.filter(({ expected }) => Math.abs(expected - 0.5) > 0.2);
  expect(clear.length).toBeGreaterThan(0);
  for (const { expected, scored } of clear) expect(Math.abs(scored - 0.5)).toBeLessThan(Math.abs(expected - 0.5));
  for (const { kind, mean, group } of residuals) if (kind === 'phase') expect(mean, group).toBeLessThan(0);
});

test('residuals by material are for the side with more material', () => {
  const builder = new PartBuilder();
  for (let game = 0; game < 100; game++) {
    builder.startGame(game);
    const sign = game % 2 === 0 ? 1 : -1;
    // A rook against a knight and a pawn, and the rook loses
    builder.add(Int32Array.of(-sign, -sign, 0, sign, 0, 0), 12, 1 - sign, 0);
  }
  const rooks = observe(joinParts([builder.finish()]), new Uint8Array(100), 0, K, 'mse');
  const { residuals } = residualsOf(HEFT, rooks, zero);
  expect(residuals.filter(({ kind }) => kind === 'material')).toEqual([
    { kind: 'material', group: 'R against N, −1 P', positions: 100, mean: -0.5, error: 0.05 },
  ]);
});
