import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DEFAULT_METHOD, drawDirection, gainAt, spallConstants, streamOf } from '../../../tuner/spsa/method.js';
import { Spsa, type SpsaSettings } from '../../../tuner/spsa/spsa.js';
import type { Variable } from '../../../tuner/spsa/variable.js';

const VECTORS = JSON.parse(readFileSync(new URL('../../data/spsa.json', import.meta.url), 'utf8'));

const variable = (name: string, more: Partial<Variable> = {}): Variable => ({
  name,
  kind: 'float',
  start: 100,
  min: 0,
  max: 200,
  cEnd: 10,
  rEnd: 0.002,
  ...more,
});

const settingsOf = (more: Partial<SpsaSettings>): SpsaSettings => ({
  ...DEFAULT_METHOD,
  method: 'spall',
  variables: [variable('x')],
  iterations: 100,
  pairs: 1,
  ahead: 1,
  seed: 1,
  ...more,
});

// Six digits are published
const near = (value: number, expected: number): void =>
  expect(Math.abs(value - expected)).toBeLessThanOrEqual(expected < 0.01 ? 5.1e-9 : 5.1e-7);

describe.each(['openbench', 'fishtest'])('published vectors of %s', (form) => {
  const { iterations, c, a, steps } = VECTORS[form];
  const settings = settingsOf({ iterations });

  test('the constants match', () => {
    const found = spallConstants(variable('x'), settings);
    near(found.c, c);
    near(found.a, a);
    expect(found.A).toBe(VECTORS[form].A ?? 2500);
  });

  test.each(steps as { k: number; ck: number; rk: number; deltaTheta: number }[])(
    'the gains match at k = $k',
    (step) => {
      const { c, rate } = gainAt(variable('x'), settings, step.k);
      near(c, step.ck);
      near(rate, step.rk);
      near(rate * c, step.deltaTheta);
    },
  );
});

test('an integer is perturbed by at least 0.5, and moves by a_k / c_k', () => {
  const x = variable('x', { kind: 'int', cEnd: 0.1 });
  const { c, rate } = gainAt(x, settingsOf({}), 50);
  const free = gainAt(variable('x', { cEnd: 0.1 }), settingsOf({}), 50);
  expect(c).toBe(0.5);
  expect(rate * c ** 2).toBeCloseTo(free.rate * free.c ** 2, 12);
});

test("Kiiski's step is the perturbation times r_end (if 120 beats 80, 100 becomes 100.04)", () => {
  const spsa = new Spsa(settingsOf({ method: 'kiiski', variables: [variable('x', { cEnd: 20 })] }));
  const { plus, minus } = spsa.sides(1, 0);
  expect(plus[0] + minus[0]).toBeCloseTo(200, 9);
  spsa.apply(1);
  expect(spsa.values[0]).toBeCloseTo(100 + (plus[0] - 100) * 0.002, 12);
});

test('Gaussian directions have mean 0 and deviation 1, and flips go up and down equally often', () => {
  const draws = Array.from({ length: 4000 }, (_, k) => drawDirection('kiiski', 5, streamOf('direction', 1, k))).flat();
  const mean = draws.reduce((sum, x) => sum + x, 0) / draws.length;
  const variance = draws.reduce((sum, x) => sum + x * x, 0) / draws.length;
  // Four standard errors of 20,000 draws
  expect(Math.abs(mean)).toBeLessThan(0.028);
  expect(Math.abs(variance - 1)).toBeLessThan(0.04);
  const flips = Array.from({ length: 4000 }, (_, k) => drawDirection('spall', 5, streamOf('direction', 1, k))).flat();
  expect(flips.every((flip) => Math.abs(flip) === 1)).toBe(true);
  expect(Math.abs(flips.reduce((sum, x) => sum + x, 0))).toBeLessThan(4 * Math.sqrt(20_000));
});

describe('played values', () => {
  test('played values are unbiased whole numbers within the range', () => {
    const variables = [
      variable('i', { kind: 'int', start: 3, min: 2, max: 4, cEnd: 0.6 }),
      variable('f', { cEnd: 150 }),
    ];
    const spsa = new Spsa(settingsOf({ variables, iterations: 1 }));
    const sides = Array.from({ length: 2000 }, (_, pair) => spsa.sides(1, pair));
    const played = sides.flatMap(({ plus, minus }) => [plus[0], minus[0]]);
    expect(new Set(played)).toEqual(new Set([2, 3, 4]));
    const mean = (side: 'plus' | 'minus'): number => sides.reduce((sum, pair) => sum + pair[side][0], 0) / sides.length;
    const [up, down] = [mean('plus'), mean('minus')].sort((a, b) => b - a);
    expect(Math.abs(up - 3.6)).toBeLessThan(0.05);
    expect(Math.abs(down - 2.4)).toBeLessThan(0.05);
    expect(sides.every(({ plus, minus }) => [plus[1], minus[1]].every((x) => x === 0 || x === 200))).toBe(true);
  });

  test('the played values of an iteration are centred on the values `ahead` iterations earlier', () => {
    const spsa = new Spsa(settingsOf({ ahead: 2, method: 'kiiski' }));
    const centre = (k: number): number => {
      const { plus, minus } = spsa.sides(k, 0);
      return (plus[0] + minus[0]) / 2;
    };
    expect(centre(2)).toBeCloseTo(100, 9);
    spsa.apply(2);
    const afterFirst = spsa.values[0];
    expect(afterFirst).not.toBe(100);
    expect(centre(2)).toBeCloseTo(100, 9);
    expect(centre(3)).toBeCloseTo(afterFirst, 9);
    spsa.apply(-1);
    expect(centre(3)).toBeCloseTo(afterFirst, 9);
    expect(centre(4)).toBeCloseTo(spsa.values[0], 9);
  });
});
