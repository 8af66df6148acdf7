import { expect, test } from 'vitest';
import type { CountedGame } from '../../../selfplay/series/events.js';
import { Incidents } from '../../../selfplay/series/incidents.js';

test('pairs with the same players, start and moves are repetitions, and the first one is announced', () => {
  const incidents = new Incidents();
  const game = (moves: number[], white = 0): CountedGame =>
    ({ pairing: { white, black: 1 - white }, game: { start: 'start', moves } }) as unknown as CountedGame;
  const announced = [
    [game([1, 2]), game([3], 1)],
    [game([1, 2]), game([4], 1)],
    [game([1]), game([2, 3], 1)],
    [game([1, 2], 1), game([3])],
    [game([1, 2]), game([3], 1)],
    [game([1, 2]), game([3], 1)],
  ].map((pair) => incidents.countPair(pair));
  expect(announced).toEqual([false, false, false, false, true, false]);
  expect(incidents.repeatedPairs).toBe(2);
});
