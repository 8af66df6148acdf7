import { expect, test } from 'vitest';
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
