import { expect, test } from 'vitest';
import { adviceOf } from '../../../tuner/spsa/advice.js';
import { DEFAULT_METHOD } from '../../../tuner/spsa/method.js';
import { Trajectory } from '../../../tuner/spsa/spsa.js';

test('a long trajectory is thinned evenly and keeps its start and end', () => {
  const trajectory = new Trajectory([0, 5]);
  for (let k = 1; k <= 12_345; k++) trajectory.add([k, 5 - k], [1, 0.5]);
  const { points } = trajectory;
  const iterations = points.map(({ iteration }) => iteration);
  expect(points.length).toBeLessThanOrEqual(2002);
  expect(points.length).toBeGreaterThan(1000);
  expect([iterations[0], iterations.at(-1)]).toEqual([0, 12_345]);
  const steps = iterations.slice(1, -1).map((iteration, i) => iteration - iterations[i]);
  expect(new Set(steps)).toEqual(new Set([8]));
  for (const { iteration, values, walk } of points) {
    expect(values).toEqual([iteration, 5 - iteration]);
    expect(walk).toEqual([iteration, iteration / 2]);
  }
});

test('a short trajectory has every iteration', () => {
  const trajectory = new Trajectory([1]);
  expect(trajectory.points).toHaveLength(1);
  trajectory.add([2], [1]);
  expect(trajectory.points.map(({ values }) => values[0])).toEqual([1, 2]);
});

test('advice uses the second half of a run, and reports values at an end of their range', () => {
  const x = { name: 'x', kind: 'float' as const, start: 100, min: 0, max: 200, cEnd: 10, rEnd: 0.002 };
  const run = { variables: [x], iterations: 4, pairs: 1, ahead: 1, seed: 1 };
  const advice = (...values: number[]) =>
    adviceOf(
      { ...DEFAULT_METHOD, ...run, method: 'spall' },
      values.map((value, iteration) => ({ iteration, values: [value], walk: [iteration] })),
    );
  const moving = advice(100, 110, 120, 140, 200);
  expect(moving.movements[0]).toMatchObject({ now: 200, moved: 10, mean: 460 / 3, signal: 5, atBound: true });
  expect(moving.movements[0].lateSignal).toBeCloseTo(8 / Math.SQRT2, 12);
  expect(moving.sentences).toEqual([
    expect.stringMatching(/^Still moving/),
    'At an end of the range: x; widen it, or drop the variable.',
  ]);
  expect(advice(100, 140, 180, 180, 180).sentences).toEqual([expect.stringMatching(/^Converged/)]);
  // Before the first step, there is no random walk to compare with
  expect(advice(100)).toMatchObject({ signal: 0, lateSignal: 0 });
});
