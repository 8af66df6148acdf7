// The intervals of the quadratic fit contain the optimum at the stated rate, on simulated objectives from clear ones to none at all.
// `npm run test:long` tests all of them.

import { expect, test } from 'vitest';
import { DEFAULT_METHOD } from '../../../tuner/spsa/method.js';
import type { Optimum } from '../../../tuner/spsa/quadratic-fit.js';
import { optimumOf, simulatedScore } from '../../../tuner/spsa/simulation.js';
import { Spsa, type SpsaSettings } from '../../../tuner/spsa/spsa.js';
import { optimumCells } from '../../../tuner/spsa/terminal.js';
import { parseVariable } from '../../../tuner/spsa/variable.js';
import { isLong, isSlow } from '../../support/slow.js';

interface Case {
  elo: number;
  distance: number;
  iterations: number;
  kind: 'int' | 'float';
  method: 'spall' | 'kiiski';
}

const RUNS = isSlow ? 100 : 8;
const VARIABLES = 4;

function climbed(
  { elo, distance, iterations, kind, method }: Case,
  seed: number,
): { optimum: number[]; found: Optimum[] } {
  const variables = Array.from({ length: VARIABLES }, (_, i) => ({
    name: `x${i}`,
    kind,
    start: 0,
    min: -100,
    max: 100,
    cEnd: 10,
    rEnd: 0.002,
  }));
  const settings: SpsaSettings = { ...DEFAULT_METHOD, method, variables, iterations, pairs: 8, ahead: 2, seed };
  const simulation = { distance, elo, draws: 0.3 };
  const optimum = optimumOf(settings, simulation);
  const spsa = new Spsa(settings);
  for (let k = 1; k <= iterations; k++) spsa.apply(simulatedScore(spsa, simulation, optimum, k));
  return { optimum, found: spsa.fit.optima() };
}

const base = { elo: 3, distance: 3, iterations: 1250, kind: 'float', method: 'spall' } as const;
const CASES: [string, Case, number][] = [
  ['a clear maximum', base, 0.9],
  ['whole numbers', { ...base, kind: 'int' }, 0.9],
  ['Kiiski’s method', { ...base, method: 'kiiski' }, 0.8],
  ['a weak maximum', { ...base, elo: 1 }, 0],
  ['a start near the optimum', { ...base, distance: 0.5 }, 0],
];

test.each(CASES.filter((_, i) => isLong || i % CASES.length === (isSlow ? 1 : 0)))(
  'the intervals contain the optimum in 90 to 98 % of cases: %s',
  (_, settings, seen) => {
    const covered = new Array<number>(VARIABLES).fill(0);
    let shown = 0;
    for (let seed = 1; seed <= RUNS; seed++) {
      const { optimum, found } = climbed(settings, seed);
      found.forEach(({ at, low, high }, i) => {
        if (at !== null) shown++;
        if ((low === null || low <= optimum[i]!) && (high === null || optimum[i]! <= high)) covered[i]!++;
      });
    }
    const share = covered.reduce((sum, count) => sum + count, 0) / VARIABLES / RUNS;
    // The share of 400 intervals has an error of 2 %
    expect(share).toBeGreaterThan(isSlow ? 0.9 : 0.8);
    if (isSlow) expect(share).toBeLessThan(0.985);
    expect(shown / VARIABLES / RUNS).toBeGreaterThanOrEqual(seen);
  },
  300_000,
);

test('few optima are reported for a flat objective', () => {
  const runs = isSlow ? 50 : 5;
  const shown = Array.from({ length: runs }, (_, i) => climbed({ ...base, elo: 0 }, 100 + i).found).flat();
  expect(shown.filter(({ at }) => at !== null).length / shown.length).toBeLessThanOrEqual(isSlow ? 0.12 : 0.2);
}, 120_000);

test('a short run reports no optimum, and the fit is reproducible', () => {
  expect(climbed({ ...base, iterations: 20 }, 1).found.every(({ at }) => at === null)).toBe(true);
  expect(climbed({ ...base, iterations: 300 }, 3)).toEqual(climbed({ ...base, iterations: 300 }, 3));
});

test('optimumCells formats open intervals', () => {
  const cells = (at: number | null, low: number | null, high: number | null, cEnd = 5): string[] =>
    optimumCells({ at, low, high }, parseVariable(`x, float, 3, 0, 9, ${cEnd}`, 'test'));
  expect(cells(null, null, null)).toEqual(['–', 'no maximum found']);
  expect(cells(3, 1, null)).toEqual(['3.00', 'above 1.00']);
  expect(cells(3, null, 4)).toEqual(['3.00', 'below 4.00']);
  expect(cells(3, 1, 4)).toEqual(['3.00', '1.00 to 4.00']);
  expect(cells(3, 1, 4, 0.001)).toEqual(['3.00000', '1.00000 to 4.00000']);
});
