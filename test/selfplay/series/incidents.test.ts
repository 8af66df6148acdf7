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

test('endings, failures and remarks are counted, with the names of the engines and the numbers of the games from 1', () => {
  const incidents = new Incidents();
  const draw = { result: 0.5, termination: 'normal', reason: 'Draw by 3-fold repetition' };
  const remarks = [{ side: 1, text: 'claims a mate' }];
  const forfeit = { result: 1, termination: 'time forfeit', reason: 'Black loses on time', offender: 1 };
  const games: object[] = [
    { ...draw, remarks },
    { ...draw, remarks },
    { result: 1, termination: 'adjudication', reason: 'White wins by adjudication' },
    { result: 0.5, termination: 'adjudication', reason: 'Draw by adjudication' },
    { result: 0.5, termination: 'adjudication', reason: 'Draw by adjudication: maximal game length' },
    { result: 0, termination: 'normal', reason: 'Black mates' },
    forfeit,
  ];
  for (const [index, game] of games.entries()) {
    const [white, black] = index === 1 ? ['B', 'A'] : ['A', 'B'];
    incidents.count({ index, white, black, game } as unknown as CountedGame);
  }
  const once = { mate: 1, 'time forfeit': 1, 'adjudicated win': 1, 'adjudicated draw': 1, 'maximal length': 1 };
  expect(incidents.endings).toEqual({ '3-fold repetition': 2, ...once });
  const { termination, reason } = forfeit;
  expect(incidents.failures).toEqual([{ game: 7, engine: 'B', termination, reason }]);
  expect(incidents.remarks).toEqual([
    { engine: 'B', text: 'claims a mate', games: 1, game: 1 },
    { engine: 'A', text: 'claims a mate', games: 1, game: 2 },
  ]);
});
