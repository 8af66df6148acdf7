import { describe, expect, test } from 'vitest';
import { swissRound, swissSchedule } from '../../../selfplay/match/swiss.js';

const pairsOf = (pairs: string[]) => (a: number, b: number) =>
  pairs.filter((pair) => pair === `${a}${b}` || pair === `${b}${a}`).length;
const NO_BYES = new Array(8).fill(0);

describe('a Swiss round', () => {
  test('the first Swiss round pairs the upper half with the lower half', () => {
    const round = swissRound([0, 0, 0, 0, 0, 0, 0, 0], () => 0, NO_BYES);
    expect(round).toEqual({
      pairings: [
        [0, 4],
        [1, 5],
        [2, 6],
        [3, 7],
      ],
      bye: null,
    });
  });

  test('a later Swiss round pairs players with equal points and repeats no pairing', () => {
    const round = swissRound([2, 2, 2, 2, 0, 0, 0, 0], pairsOf(['02', '45']), NO_BYES);
    expect(round.pairings).toEqual([
      [0, 3],
      [1, 2],
      [4, 6],
      [5, 7],
    ]);
  });

  test('a player who has met the lower half plays the nearest player of the upper half', () => {
    const round = swissRound([0, 0, 0, 0, 0, 0, 0, 0], pairsOf(['04', '05', '06', '07']), NO_BYES);
    expect(round.pairings[0]).toEqual([0, 3]);
  });

  test('a Swiss round backtracks if its first choice leaves two players who have met', () => {
    const round = swissRound([2, 1, 0, 0], pairsOf(['23', '01']), NO_BYES);
    expect(round.pairings).toEqual([
      [0, 2],
      [1, 3],
    ]);
  });

  test('a Swiss round repeats a pairing if all players have met', () => {
    const round = swissRound([0, 0], pairsOf(['01']), NO_BYES);
    expect(round.pairings).toEqual([[0, 1]]);
  });

  test('a Swiss round gives the bye to the lowest player who has had none', () => {
    expect(swissRound([3, 2, 1, 0, 0], () => 0, [0, 0, 0, 0, 1]).bye).toBe(3);
  });
});

describe('a Swiss schedule', () => {
  test.each([
    [6, 5],
    [7, 6],
    [12, 5],
    [30, 9],
  ])('a Swiss schedule of %d engines over %d rounds repeats no pairing', (engines, rounds) => {
    const schedule = swissSchedule(engines, rounds, 2);
    const met = new Set<string>();
    for (let index = 0; index < schedule.games; index++) {
      expect(schedule.settled()).toBeGreaterThan(index);
      const pairing = schedule.at(index);
      const { white, black } = pairing;
      if (index % 2 === 0) {
        const key = [white, black].sort((a, b) => a - b).join();
        expect(met.has(key)).toBe(false);
        met.add(key);
      } else expect(schedule.at(index - 1)).toEqual({ ...pairing, white: black, black: white });
      // The engine with the lower number is stronger
      schedule.count(white < black ? 1 : 0, pairing, index);
    }
    expect(met.size).toBe(rounds * Math.floor(engines / 2));
    expect(schedule.games).toBe(2 * met.size);
  });

  test('a Swiss schedule determines a round after the last game of the previous one', () => {
    const schedule = swissSchedule(4, 2, 4);
    for (let index = 0; index < 8; index++) {
      expect(schedule.settled()).toBe(8);
      schedule.count(0.5, schedule.at(index), index);
    }
    expect(schedule.settled()).toBe(16);
    expect(schedule.at(8).round).toBe(2);
    expect(schedule.at(8).opening).toBe(2);
  });

  test('a bye counts as a won encounter for the next pairing', () => {
    const schedule = swissSchedule(3, 2, 2);
    for (const index of [0, 1]) schedule.count(0.5, schedule.at(index), index);
    // Engine 2 had the bye and leads
    expect(schedule.at(2)).toMatchObject({ white: 2, black: 0 });
  });
});
