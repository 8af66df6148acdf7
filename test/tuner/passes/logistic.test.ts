import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../engine/kernel/random.js';
import { crossEntropy, exponential, logistic } from '../../../tuner/passes/curves.js';

describe('exponential', () => {
  test('the exponential is accurate to a relative error of 2e-14', () => {
    const random = createRandom(7);
    let worst = 0;
    for (let i = 0; i < 200_000; i++) {
      const x = (random() / 2 ** 32 - 0.5) * (i % 2 === 0 ? 4 : 1399);
      worst = Math.max(worst, Math.abs(exponential(x) / Math.exp(x) - 1));
    }
    expect(worst).toBeLessThan(2e-14);
    expect(exponential(0)).toBe(1);
  });

  test('the exponential is clamped at both ends', () => {
    for (const x of [700, 701, 1e300, Number.POSITIVE_INFINITY]) expect(exponential(x)).toBe(exponential(700));
    for (const x of [-700, -701, -1e300, Number.NEGATIVE_INFINITY]) expect(exponential(x)).toBe(exponential(-700));
    expect(exponential(700) / Math.exp(700)).toBeCloseTo(1, 12);
    expect(exponential(-700) / Math.exp(-700)).toBeCloseTo(1, 12);
    expect(exponential(Number.NaN)).toBeNaN();
  });
});

test('logistic and crossEntropy return their mathematical values and stay finite', () => {
  expect(logistic(0)).toBe(0.5);
  expect(logistic(1.5)).toBeCloseTo(1 / (1 + Math.exp(-1.5)), 14);
  expect(logistic(1e9)).toBe(1);
  expect(crossEntropy(0.25, 1)).toBeCloseTo(Math.log(4), 14);
  expect(crossEntropy(0, 1)).toBeCloseTo(12 * Math.log(10), 9);
});
