import { expect, test } from 'vitest';
import { statisticsOf } from '../../../selfplay/match/match.js';
import { EMPTY_TALLY, type Tally } from '../../../selfplay/statistics/tally.js';
import { checkCap, isAccepted, sprtOf } from '../../../tuner/generations/acceptance.js';
import { PRESETS, settingsOf } from '../../../tuner/generations/settings.js';
import { verdictOf } from '../../../tuner/generations/story.js';
import type { MatchEntry } from '../../../tuner/weights/shipped-ledger.js';

const { smoke } = PRESETS;
/** Statistics of pairs from LL to WW under an SPRT of [0, 40]. */
const match = (penta: [number, number, number, number, number]) =>
  statisticsOf({ ...EMPTY_TALLY, penta } as Tally, sprtOf({ elo0: 0, elo1: 40 })) as unknown as MatchEntry;

test('a candidate that scores 37.5 of 40 points in a smoke run is accepted, although its SPRT is undecided', () => {
  const won = match([0, 0, 2, 1, 17]);
  expect(won.verdict).toBeNull();
  expect(won.llr).toBeGreaterThan(0);
  expect([isAccepted(won), verdictOf({ match: won })]).toEqual([true, 'accepted']);
});

test('a candidate whose interval contains zero is undecided, and a losing one is rejected', () => {
  const even = match([2, 4, 7, 5, 2]);
  expect([even.verdict, isAccepted(even), verdictOf({ match: even })]).toEqual([null, false, 'undecided']);
  const lost = match([60, 30, 10, 0, 0]);
  expect([lost.verdict, isAccepted(lost), verdictOf({ match: lost })]).toEqual(['H0', false, 'rejected']);
});

test('a match too short for a decision is rejected with an error that states the minimum length', () => {
  for (const preset of Object.keys(PRESETS)) expect(() => checkCap(settingsOf(preset, {}))).not.toThrow();
  expect(() => checkCap({ ...smoke, matchGames: 6 })).not.toThrow();
  expect(() => checkCap({ ...smoke, matchGames: 4 })).toThrow(
    '--match-games 4: even a candidate that won every game would not be accepted; use 6 or more',
  );
  expect(() => checkCap({ ...smoke, matchGames: 4 }, '--final-games')).toThrow('--final-games 4: even a candidate');
});
