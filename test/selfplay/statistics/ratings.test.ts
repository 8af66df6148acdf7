import { describe, expect, test } from 'vitest';
import { eloOf } from '../../../selfplay/statistics/elo.js';
import type { Rating } from '../../../selfplay/statistics/rating-fit.js';
import { ratingsOf } from '../../../selfplay/statistics/ratings.js';
import { EMPTY_TALLY, invertTally, mergeTallies, type Tally } from '../../../selfplay/statistics/tally.js';

/** A tally of single games. */
const games = (wins: number, losses: number, draws: number): Tally => ({ ...EMPTY_TALLY, wins, losses, draws });

/** Pairs by half points, with matching numbers of wins, losses and draws. */
function pairs(...penta: [number, number, number, number, number]): Tally {
  const [ll, ld, dd, wd, ww] = penta;
  return { ...EMPTY_TALLY, penta, wins: 2 * ww + wd, losses: 2 * ll + ld, draws: ld + 2 * dd + wd };
}

/** The table of all results, from those of the upper triangle. */
function table(size: number, upper: [number, number, Tally][]): Tally[][] {
  const tallies = Array.from({ length: size }, () => new Array<Tally>(size).fill(EMPTY_TALLY));
  for (const [i, j, tally] of upper) {
    tallies[i][j] = mergeTallies(tallies[i][j], tally);
    tallies[j][i] = invertTally(tallies[i][j]);
  }
  return tallies;
}

describe('ratings', () => {
  test('ratings and errors of two engines equal those of their match', () => {
    const match = pairs(46, 496, 1073, 640, 79);
    const { elo, eloError } = eloOf(match.penta);
    const [first, second] = ratingsOf(table(2, [[0, 1, match]]));
    expect(first.elo - second.elo).toBeCloseTo(elo, 6);
    expect(first.elo + second.elo).toBeCloseTo(0, 9);
    expect(first.error + second.error).toBeCloseTo(eloError, 2);
    const [measured, fixed] = ratingsOf(table(2, [[0, 1, match]]), [undefined, 2500]);
    expect(fixed).toEqual({ elo: 2500, error: 0 });
    expect(measured.elo).toBeCloseTo(2500 + elo, 6);
    expect(measured.error).toBeCloseTo(eloError, 2);
  });

  test('the errors in a group of players do not depend on other groups', () => {
    const match = pairs(4, 50, 110, 60, 9);
    const among: [number, number, Tally][] = [
      [0, 1, match],
      [1, 2, match],
      [0, 2, match],
    ];
    const alone = ratingsOf(table(3, among)).map(({ error }) => error);
    const pair = ratingsOf(table(2, [[0, 1, match]])).map(({ error }) => error);
    const errors = ratingsOf(table(6, [...among, [3, 4, match]])).map(({ error }) => error);
    for (const [i, error] of [...alone, ...pair, 0].entries()) expect(errors[i]).toBeCloseTo(error, 0);
  });

  test('ratings give each player an expected score equal to its actual score', () => {
    const tallies = table(4, [
      [0, 1, games(30, 10, 20)],
      [0, 2, games(25, 25, 10)],
      [1, 2, games(12, 28, 20)],
      [2, 3, games(55, 1, 4)],
    ]);
    const ratings = ratingsOf(tallies);
    tallies.forEach((row, i) => {
      const scored = row.reduce((sum, { wins, draws }) => sum + wins + draws / 2, 0);
      const expected = row.reduce((sum, { wins, losses, draws }, j) => {
        const share = 1 / (1 + 10 ** ((ratings[j].elo - ratings[i].elo) / 400));
        return sum + (wins + losses + draws) * share;
      }, 0);
      expect(expected).toBeCloseTo(scored, 6);
    });
    expect(ratings.reduce((sum, { elo }) => sum + elo, 0)).toBeCloseTo(0, 6);
    for (const { error } of ratings) expect(error).toBeGreaterThan(20);
  });

  test('a player who lost every game hardly changes the differences between the others', () => {
    const among: [number, number, Tally][] = [
      [0, 1, games(12, 4, 4)],
      [0, 2, games(16, 1, 3)],
      [1, 2, games(13, 4, 3)],
    ];
    const lost = [0, 1, 2].map((winner): [number, number, Tally] => [winner, 3, games(20, 0, 0)]);
    const spreadOf = ([first, , third]: readonly Rating[]): number => first.elo - third.elo;
    const [without, beside] = [ratingsOf(table(3, among)), ratingsOf(table(4, [...among, ...lost]))];
    expect(Math.abs(spreadOf(beside) - spreadOf(without))).toBeLessThan(8);
  });

  test('the 95 % errors of ratings cover the true value in about 95 % of runs', () => {
    // Two engines of equal strength and a third 100 Elo below, with simulated games
    let state = 12345;
    const random = (): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 32;
    };
    const played = (count: number, difference: number): Tally => {
      const win = 1 / (1 + 10 ** (-difference / 400));
      const wins = Array.from({ length: count }, random).filter((value) => value < win).length;
      return games(wins, count - wins, 0);
    };
    const truth = [100 / 3, 100 / 3, -200 / 3];
    const runs = 400;
    const covered = [0, 0, 0];
    for (let run = 0; run < runs; run++) {
      const ratings = ratingsOf(
        table(3, [
          [0, 1, played(100, 0)],
          [0, 2, played(100, 100)],
          [1, 2, played(100, 100)],
        ]),
      );
      ratings.forEach(({ elo, error }, i) => {
        if (Math.abs(elo - truth[i]) <= error) covered[i]++;
      });
    }
    for (const count of covered) {
      expect(count / runs).toBeGreaterThan(0.92);
      expect(count / runs).toBeLessThan(0.98);
    }
  });

  test('ratings keep several anchors fixed and place the others between them', () => {
    const tallies = table(3, [
      [0, 1, games(10, 10, 10)],
      [1, 2, games(10, 10, 10)],
    ]);
    const ratings = ratingsOf(tallies, [2000, undefined, 2400]);
    expect(ratings.map(({ elo }) => Math.round(elo))).toEqual([2000, 2200, 2400]);
    expect(ratings.map(({ error }) => error > 0)).toEqual([false, true, false]);
  });

  test('equal results have an error, and a player without games has the mean of the anchors', () => {
    const drawn = ratingsOf(table(2, [[0, 1, games(0, 0, 20)]]));
    for (const { error } of drawn) expect(error).toBeGreaterThan(10);
    const [, , absent] = ratingsOf(table(3, [[0, 1, games(10, 10, 10)]]), [2000, 2400, undefined]);
    expect(absent.elo).toBeCloseTo(2200, 6);
  });

  test.each([
    ['no games', table(3, [])],
    ['one player won every game', table(3, [[0, 1, games(20, 0, 0)]])],
    [
      'each player won every game against the next',
      table(3, [
        [0, 1, pairs(0, 0, 0, 0, 10)],
        [1, 2, pairs(0, 0, 0, 0, 10)],
      ]),
    ],
    ['all games drawn', table(2, [[0, 1, games(0, 0, 50)]])],
    ['a million pairs won', table(2, [[0, 1, pairs(0, 0, 0, 0, 1_000_000)]])],
    ['two players never met the others', table(4, [[0, 1, games(5, 3, 2)]])],
  ])('ratings are finite and in order: %s', (_, tallies) => {
    const ratings = ratingsOf(tallies);
    for (const { elo, error } of ratings) {
      expect(Number.isFinite(elo) && Number.isFinite(error)).toBe(true);
      expect(Math.abs(elo)).toBeLessThan(5000);
    }
    expect(ratings[0].elo).toBeGreaterThanOrEqual(ratings[1].elo);
  });
});
