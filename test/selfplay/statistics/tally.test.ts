import { expect, test } from 'vitest';
import { gamesOf } from '../../../selfplay/common/game-result.js';
import {
  addGame,
  addPair,
  EMPTY_TALLY,
  invertTally,
  mergeTallies,
  pairsOf,
  trinomial,
} from '../../../selfplay/statistics/tally.js';

test('addPair updates games and pentanomial counts', () => {
  let tally = addPair(EMPTY_TALLY, 2, 2);
  tally = addPair(tally, 0, 2);
  tally = addPair(tally, 1, 1);
  tally = addPair(tally, 1, 0);
  expect(tally).toEqual({
    wins: 3,
    losses: 2,
    draws: 3,
    penta: [0, 1, 2, 0, 1],
    white: { wins: 1, losses: 1, draws: 2 },
    black: { wins: 2, losses: 1, draws: 1 },
  });
  expect([gamesOf(tally), pairsOf(tally)]).toEqual([8, 4]);
  expect(trinomial(tally)).toEqual([2, 3, 3]);
});

test('addGame does not add a pair', () => {
  const tally = addGame(EMPTY_TALLY, 1, 'black');
  expect([gamesOf(tally), pairsOf(tally)]).toEqual([1, 0]);
  expect(tally.black).toEqual({ wins: 0, losses: 0, draws: 1 });
  expect(gamesOf(EMPTY_TALLY)).toBe(0);
});

test('tallies can be merged and inverted', () => {
  const a = addPair(EMPTY_TALLY, 2, 1);
  const b = addPair(EMPTY_TALLY, 0, 0);
  expect(mergeTallies(a, b)).toMatchObject({ wins: 1, losses: 2, draws: 1, penta: [1, 0, 0, 1, 0] });
  expect(invertTally(mergeTallies(a, b))).toEqual({
    wins: 2,
    losses: 1,
    draws: 1,
    penta: [0, 1, 0, 0, 1],
    white: { wins: 1, losses: 0, draws: 1 },
    black: { wins: 1, losses: 1, draws: 0 },
  });
});
