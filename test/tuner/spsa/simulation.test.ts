// On a known objective both methods must approach the optimum as closely as theory predicts.

import { expect, test } from 'vitest';
import { adviceOf } from '../../../tuner/spsa/advice.js';
import { DEFAULT_METHOD } from '../../../tuner/spsa/method.js';
import { distanceFrom, forecast, optimumOf, simulatedScore } from '../../../tuner/spsa/simulation.js';
import { Spsa, type SpsaSettings } from '../../../tuner/spsa/spsa.js';
import type { Variable } from '../../../tuner/spsa/variable.js';

const twenty = (kind: Variable['kind']): Variable[] =>
  Array.from({ length: 20 }, (_, i) => ({
    name: `x${i}`,
    kind,
    start: 10 * i,
    min: 10 * i - 500,
    max: 10 * i + 500,
    cEnd: 4 + i,
    rEnd: 0.002,
  }));

function climbed(settings: SpsaSettings, elo: number, distance = 3): { spsa: Spsa; optimum: number[] } {
  const simulation = { distance, elo, draws: 0.3 };
  const optimum = optimumOf(settings, simulation);
  const spsa = new Spsa(settings);
  for (let k = 1; k <= settings.iterations; k++) spsa.apply(simulatedScore(spsa, simulation, optimum, k));
  return { spsa, optimum };
}

test.each([
  ['kiiski', 'float', 40_000, 1, 8, 1],
  ['spall', 'float', 40_000, 1, 1, 1],
  ['spall', 'int', 5_000, 8, 2, 2],
] as const)(
  '%s with 20 %s variables reaches the predicted distance: %i iterations of %i pairs, %i ahead, %f Elo',
  (method, kind, iterations, pairs, ahead, elo) => {
    for (const seed of [1, 2]) {
      const settings: SpsaSettings = {
        ...DEFAULT_METHOD,
        method,
        variables: twenty(kind),
        iterations,
        pairs,
        ahead,
        seed,
      };
      const { spsa, optimum } = climbed(settings, elo);
      const start = distanceFrom(
        settings,
        optimum,
        settings.variables.map((variable) => variable.start),
      );
      const { distance, low, high } = forecast(settings, { distance: 3, elo, draws: 0.3 }, optimum);
      expect(start).toBeCloseTo(3 * Math.sqrt(20), 9);
      const found = distanceFrom(settings, optimum, spsa.values);
      expect(distance).toBeLessThan(start / 3);
      expect(found, `expected ${distance}`).toBeGreaterThan(low);
      expect(found, `expected ${distance}`).toBeLessThan(high);
      const { signal, sentences } = adviceOf(settings, spsa.trajectory.points);
      expect(signal).toBeGreaterThan(10);
      expect(sentences[0]).toMatch(/Converged|Still moving/);
    }
  },
);

test('a run without signal is reported as a random walk for at least seven of ten seeds', () => {
  const verdicts = Array.from({ length: 10 }, (_, seed) => {
    const settings: SpsaSettings = {
      ...{
        ...DEFAULT_METHOD,
        method: 'kiiski',
        variables: twenty('float'),
        iterations: 2000,
        pairs: 1,
        ahead: 1,
        seed,
      },
    };
    const { spsa } = climbed(settings, 0);
    return adviceOf(settings, spsa.trajectory.points).sentences[0];
  });
  expect(verdicts.filter((text) => text.startsWith('No signal')).length).toBeGreaterThanOrEqual(7);
});
