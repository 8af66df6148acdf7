import { expect, test } from 'vitest';
import { slopeOf } from '../../../selfplay/statistics/elo.js';

test('a slope through two points combines the errors of both', () => {
  const line = slopeOf([
    { x: 1, y: 10, error: 3 },
    { x: 3, y: 4, error: 4 },
  ]);
  expect(line?.slope).toBeCloseTo(-3, 12);
  expect(line?.error).toBeCloseTo(5 / 2, 12);
});

test('points with smaller errors have more weight', () => {
  const points = [0, 1, 2].map((x) => ({ x, y: x === 2 ? 100 : x, error: x === 2 ? 1000 : 1 }));
  expect(slopeOf(points)?.slope).toBeCloseTo(1, 3);
});

test.each([
  { points: [] },
  { points: [{ x: 1, y: 1, error: 1 }] },
  { points: [1, 2].map((y) => ({ x: 1, y, error: 1 })) },
  { points: [1, 2].map((x) => ({ x, y: x, error: x - 1 })) },
])('slopeOf returns null for fewer than two distinct x, ignoring points with zero error: $points', ({ points }) => {
  expect(slopeOf(points)).toBeNull();
});
