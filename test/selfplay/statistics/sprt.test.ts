import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bounds, DEFAULT_SPRT, llr, type SprtModel, sprtSettings, verdict } from '../../../selfplay/statistics/sprt.js';

interface Vector {
  counts?: number[];
  w: number;
  d: number;
  l: number;
  elo0: number;
  elo1: number;
  llrNormalized: number;
  llrLogistic: number;
  llrBayesian?: number;
}

const vectors = JSON.parse(readFileSync(new URL('../../data/sprt.json', import.meta.url), 'utf8'));
const all: Vector[] = [...vectors.trinomial, ...vectors.pentanomial];

// By number of wins. fastchess solves this model's root only to 1e-3, which is visible in two of its figures; these values come from the
// same formulas, bisected to the last digit in Python
const EXACT_BAYESIAN = new Map([
  [36433, 0.821133],
  [1477, 2.806088],
]);

describe('published log-likelihood ratios', () => {
  test.each(all)('log-likelihood ratios match the published ones: %j', (vector) => {
    const counts = vector.counts ?? [vector.l, vector.d, vector.w];
    const { elo0, elo1 } = vector;
    expect(Math.abs(llr(counts, elo0, elo1, 'normalized') - vector.llrNormalized)).toBeLessThan(1e-4);
    expect(Math.abs(llr(counts, elo0, elo1, 'logistic') - vector.llrLogistic)).toBeLessThan(1e-4);
    if (vector.llrBayesian === undefined) return;
    const bayesian = EXACT_BAYESIAN.get(vector.w) ?? vector.llrBayesian;
    expect(Math.abs(llr(counts, elo0, elo1, 'bayesian') - bayesian)).toBeLessThan(1e-4);
  });

  // From fastchess' unit tests, with two decimals
  test.each([
    [[10650, 20431, 10871], -1.75, 0.25, 'normalized', 2.3],
    [[0, 0, 4250], 0, 10, 'normalized', 120.56],
    [[21184, 40708, 21404], 0.5, 2.5, 'logistic', -1.57],
    [[57030, 106593, 57433], 0, 2, 'logistic', -2.59],
    [[127, 4883, 10712, 5150, 104], -1.75, 0.25, 'normalized', 3.01],
    [[0, 0, 0, 0, 5550], 0, 5, 'normalized', 111.82],
    [[223, 9863, 21279, 10037, 246], 0.5, 2.5, 'logistic', -3.07],
    [[871, 26175, 55983, 26678, 821], 0, 2, 'logistic', -4.98],
  ] as [number[], number, number, SprtModel, number][])(
    'log-likelihood ratios match those of fastchess: %j [%d, %d] %s: %d',
    (counts, elo0, elo1, model, expected) => {
      // If all outcomes are equal, the ten rounds of fastchess stop short of the optimum by 0.02 %
      const tolerance = Math.max(0.006, 2.5e-4 * expected);
      expect(Math.abs(llr(counts, elo0, elo1, model) - expected)).toBeLessThan(tolerance);
    },
  );
});

// Scans all distributions of loss, draw and win that satisfy the hypothesis for the likeliest one
function bestByScan(counts: number[], t: number): number {
  let best = Number.NEGATIVE_INFINITY;
  for (let i = 1; i < 4000; i++) {
    const loss = (i / 4000) ** 2;
    // (mean - 1/2)² = t² sigma² is quadratic in the wins
    const a = 0.25 + t * t * 0.25;
    const b = -0.5 * loss - t * t * (0.25 + 0.5 * loss);
    const c = 0.25 * loss * loss - t * t * (0.25 * loss - 0.25 * loss * loss);
    const root = Math.sqrt(b * b - 4 * a * c);
    for (const win of [(-b + root) / (2 * a), (-b - root) / (2 * a)]) {
      if (!(win > 0 && loss + win < 1) || win - loss > 0 !== t > 0) continue;
      const q = [loss, 1 - loss - win, win];
      best = Math.max(
        best,
        counts.reduce((sum, count, j) => sum + count * Math.log(q[j]), 0),
      );
    }
  }
  return best;
}

describe('normalized model far from the null', () => {
  const unit = 800 / Math.LN10;
  test.each([
    [[30, 40, 50], 100, 300],
    [[30, 40, 50], -300, -100],
    [[50, 3, 2], 50, 150],
    [[50, 3, 2], -200, -50],
    [[1, 2, 90], -100, 250],
  ])('the normalized model far from the null matches an exhaustive scan: %j [%d, %d]', (counts, elo0, elo1) => {
    const expected = bestByScan(counts, elo1 / unit) - bestByScan(counts, elo0 / unit);
    expect(llr(counts, elo0, elo1)).toBeCloseTo(expected, 2);
  });
});

describe('extreme input', () => {
  const million = 1_000_000;
  const samples = [
    [0, 0, 1],
    [0, 1, 0],
    [1, 0, 0],
    [5, 0, 5],
    [0, 0, million],
    [0, 0, 0, 0, 1],
    [20, 0, 0, 0, 0],
    [0, 0, 20, 0, 0],
    [1, 0, 0, 0, 1],
    [0, 0, 0, 0, million],
    [million, million, million, million, million],
  ];
  const hypotheses = [
    [0, 5],
    [-400, -200],
    [200, 400],
    [-1500, -500],
    [2000, 2100],
    [-1e9, 1e9],
    [Number.NEGATIVE_INFINITY, 0],
  ];
  const models: SprtModel[] = ['normalized', 'logistic', 'bayesian'];

  test('log-likelihood ratios of extreme input are finite and symmetric', () => {
    for (const counts of samples) {
      for (const [elo0, elo1] of hypotheses) {
        for (const model of models.slice(0, counts.length === 3 ? 3 : 2)) {
          const ratio = llr(counts, elo0, elo1, model);
          const label = `${counts} [${elo0}, ${elo1}] ${model}: ${ratio}`;
          expect(Number.isFinite(ratio), label).toBe(true);
          const mirrored = llr(counts.toReversed(), -elo1, -elo0, model);
          expect(Math.abs(ratio + mirrored), label).toBeLessThan(
            1e-6 + 1e-9 * counts.reduce((sum, count) => sum + count),
          );
        }
      }
    }
  });

  test('one-sided matches support the hypothesis nearer to them', () => {
    expect(llr([20, 0, 0, 0, 0], -400, -200)).toBeLessThan(-2);
    expect(llr([0, 0, 0, 0, 20], 200, 400)).toBeGreaterThan(2);
    for (const model of models) expect(llr([0, 0, 500], 0, 10, model)).toBeGreaterThan(2);
  });

  test('log-likelihood ratios of counts without zeros are proportional to the counts', () => {
    for (const model of models)
      expect(llr([30, 40, 60], 0, 50, model)).toBeCloseTo(10 * llr([3, 4, 6], 0, 50, model), 6);
  });

  test('the log-likelihood ratio without games is 0', () => {
    expect(llr([0, 0, 0], 0, 5)).toBe(0);
    expect(llr([0, 0, 0, 0, 0], -400, -200, 'logistic')).toBe(0);
  });

  test('the SPRT rejects invalid input', () => {
    expect(() => llr([1, 2], 0, 5)).toThrow('3 counts');
    expect(() => llr([1, -2, 3], 0, 5)).toThrow('3 counts');
    expect(() => llr([1, 2, 3], 0, Number.NaN)).toThrow('must be numbers');
    expect(() => llr([1, 2, 3, 4, 5], 0, 5, 'bayesian')).toThrow('counts games');
    expect(() => bounds(0, 0.05)).toThrow('between 0 and 0.5');
    expect(() => sprtSettings({ ...DEFAULT_SPRT, elo0: 5, elo1: 5 })).toThrow('--elo0 must be below --elo1');
    expect(() => sprtSettings({ ...DEFAULT_SPRT, beta: 0.5 })).toThrow('between 0 and 0.5');
    expect(() => bounds(0.05, 0.5)).toThrow('between 0 and 0.5');
  });
});

test('the bounds follow from alpha and beta, and decide the verdict', () => {
  const limits = bounds(0.05, 0.1);
  expect(limits.lower).toBeCloseTo(-2.251292, 6);
  expect(limits.upper).toBeCloseTo(2.890372, 6);
  expect(verdict(2.890371, limits)).toBeNull();
  expect(verdict(limits.upper, limits)).toBe('H1');
  expect(verdict(limits.lower, limits)).toBe('H0');
});
