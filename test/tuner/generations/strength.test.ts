import { describe, expect, test } from 'vitest';
import { defaultSettings } from '../../../selfplay/common/options.js';
import {
  type FinalEntry,
  type GenerationEntry,
  LOOP_OPTIONS,
  type PoolEntry,
} from '../../../tuner/generations/settings.js';
import { strengthsOf } from '../../../tuner/generations/strength.js';

/** A score of 100 games, in pairs that were won or lost completely. */
const score = (points: number) => ({
  games: 100,
  wins: points,
  losses: 100 - points,
  draws: 0,
  penta: [(100 - points) / 2, 0, 0, 0, points / 2] as const,
});
const eloOf = (share: number): number => 400 * Math.log10(share / (1 - share));
const generation = (number: number, points: number | null, accepted: boolean, pool: [string, number][] = []) =>
  ({
    generation: number,
    accepted,
    match: points === null ? null : score(points),
    pool: pool.map(([opponent, points]) => ({ opponent, ...score(points) }) as unknown as PoolEntry),
  }) as unknown as GenerationEntry;
const strengths = (from: string, generations: GenerationEntry[], final: FinalEntry | null = null) =>
  strengthsOf({ settings: { ...defaultSettings(LOOP_OPTIONS), from }, generations, final });

describe('the strength of generations', () => {
  test('strengths add up over the matches, and a generation without a match has the strength of the last accepted one', () => {
    const run = [
      generation(1, 75, true),
      generation(2, 40, false),
      generation(3, null, false),
      generation(4, 60, true),
    ];
    const { level, ratings } = strengths('material', run);
    expect(level).toBe('material');
    const first = eloOf(0.75);
    const wanted = [0, first, first + eloOf(0.4), first, first + eloOf(0.6)];
    for (const [i, { elo }] of ratings.entries()) expect(elo).toBeCloseTo(wanted[i], 6);
    expect(ratings[0].error).toBe(0);
    // Errors of independent matches add up
    expect(ratings[4].error ** 2).toBeGreaterThan(ratings[1].error ** 2 * 1.5);
  });

  test('strengths of a run from zero are relative to material', () => {
    const { level, ratings, pool } = strengths('zero', [generation(1, 90, true, [['material', 75]])]);
    expect(level).toBe('material');
    expect(ratings[1].elo).toBeCloseTo(eloOf(0.75), 6);
    expect(ratings[0].elo).toBeCloseTo(eloOf(0.75) - eloOf(0.9), 6);
    expect(pool.get('material')).toEqual({ elo: 0, error: 0 });
    expect(strengths('zero', [generation(1, 90, true)]).level).toBe('zero');
  });

  test('every match counts, including those with the pool and the last one', () => {
    const run = [generation(1, 75, true, [['shipped', 20]]), generation(2, 60, true, [['shipped', 30]])];
    const before = strengths('material', run);
    // From both the chain of matches and the pool
    expect(before.ratings[2].elo - before.ratings[1].elo).toBeGreaterThan(eloOf(0.6));
    expect(before.ratings[2].elo - before.ratings[1].elo).toBeLessThan(eloOf(0.3) - eloOf(0.2));
    const final = { generation: 2, match: score(45) } as unknown as FinalEntry;
    const after = strengths('material', run, final);
    expect(after.pool.get('shipped')!.elo).toBeLessThan(before.pool.get('shipped')!.elo);
    expect(after.pool.get('shipped')!.error).toBeLessThan(before.pool.get('shipped')!.error);
  });

  test('an opponent named like a generation or like the start is a separate player', () => {
    const namesakes = strengths('odds.json', [
      generation(1, 75, true, [
        ['generation 2', 40],
        ['odds.json', 30],
      ]),
      generation(2, 60, true),
    ]);
    const others = strengths('start.json', [
      generation(1, 75, true, [
        ['one', 40],
        ['two', 30],
      ]),
      generation(2, 60, true),
    ]);
    expect(namesakes.ratings).toEqual(others.ratings);
    expect([...namesakes.pool]).toEqual([
      ['generation 2', others.pool.get('one')],
      ['odds.json', others.pool.get('two')],
    ]);
  });

  test('a pool opponent with the start weights is the start itself', () => {
    const { pool } = strengths('shipped', [generation(1, 75, true, [['shipped', 75]])]);
    expect(pool.size).toBe(0);
    // The pool match of a later generation is a new match
    const start = [generation(1, 75, true), generation(2, 60, true)];
    const both = [generation(1, 75, true), generation(2, 60, true, [['shipped', 80]])];
    expect(strengths('shipped', both).ratings[2].error).toBeLessThan(strengths('shipped', start).ratings[2].error);
  });

  test('a pool match against the start does not count again if the match of the generation had the same games', () => {
    const alone = strengths('shipped', [generation(1, 75, true)]);
    expect(strengths('shipped', [generation(1, 75, true, [['shipped', 75]])]).ratings).toEqual(alone.ratings);
    const short = generation(1, 75, true, [['shipped', 60]]);
    short.pool[0].games = 10;
    expect(strengths('shipped', [short]).ratings).toEqual(alone.ratings);
  });

  test('a player who won every game has a finite rating', () => {
    const { ratings } = strengths('zero', [generation(1, 100, true, [['material', 0]])]);
    expect(ratings[1].elo).toBeLessThan(-500);
    expect(ratings[1].elo).toBeGreaterThan(-2000);
    expect(ratings[0].elo).toBeLessThan(ratings[1].elo - 500);
  });
});
