import { describe, expect, test } from 'vitest';
import { defaultSettings } from '../../../selfplay/common/options.js';
import { type Effort, effortOf } from '../../../tuner/generations/schedule.js';
import { type GenerationEntry, LOOP_OPTIONS, type LoopSettings } from '../../../tuner/generations/settings.js';

const settings: LoopSettings = { ...defaultSettings(LOOP_OPTIONS), growth: 2, labelRounds: 2, labelShare: 0 };

/** Returns the efforts of the first generations; the first `accepted` of them count as accepted. */
function course(count: number, given: Partial<LoopSettings> = {}, accepted = 0): Effort[] {
  const generations = Array.from({ length: count }, (_, i) => ({ accepted: i < accepted }) as GenerationEntry);
  return generations.map((_, i) => effortOf({ ...settings, ...given }, generations, i + 1));
}

describe('the schedule of a loop', () => {
  const [first] = course(1);
  /** Returns games and nodes per move of each generation. */
  const played = (efforts: Effort[]): [number, number][] => efforts.map(({ games, nodes }) => [games, nodes]);

  test.each([2, 3, 4.5])('the nodes per move double once, then the games grow by a factor of %d', (growth) => {
    const { games, nodes } = first;
    expect(played(course(4, { growth }))).toEqual([
      [games, nodes],
      [games, 2 * nodes],
      [growth * games, 2 * nodes],
      [growth ** 2 * games, 2 * nodes],
    ]);
  });

  test('a run from piece values starts with a larger effort, which is constant for three generations', () => {
    const efforts = course(5, { from: 'material' });
    const [{ games, nodes }] = efforts;
    expect(games * nodes).toBe(4 * first.games * first.nodes);
    expect(played(efforts)).toEqual([games, games, games, 2 * games, 4 * games].map((each) => [each, nodes]));
  });

  test('match length grows with the amount of self-play', () => {
    const efforts = course(9);
    expect(efforts.slice(0, 5).map(({ matchGames }) => matchGames)).toEqual(new Array(5).fill(400));
    for (const { games, nodes, matchGames } of efforts.slice(6)) {
      expect(matchGames % 2).toBe(0);
      expect((matchGames * settings.matchNodes) / (games * nodes)).toBeCloseTo(3 / 8, 3);
    }
    expect(course(3, { matchGames: 12 })[2].matchGames).toBe(12);
  });

  test('the SPRT bounds become narrower as the match grows', () => {
    const efforts = course(9, { elo0: -20, elo1: 42 });
    expect(efforts.slice(0, 5).map(({ elo1 }) => elo1)).toEqual(new Array(5).fill(42));
    for (const { elo0, elo1, matchGames } of efforts.slice(6)) {
      expect(elo1 / 42).toBeCloseTo(Math.sqrt(400 / matchGames), 1);
      expect(elo0 / -20).toBeCloseTo(Math.sqrt(400 / matchGames), 1);
    }
    expect(course(9, { matchGames: 2000 })[8]).toMatchObject({ elo0: settings.elo0, elo1: settings.elo1 });
    expect(course(13, { elo0: 0, elo1: 0.01 })[12].elo1).toBeGreaterThan(0);
  });

  test('explicit numbers of games and nodes are not changed', () => {
    expect(course(3, { games: 40 }).map(({ games }) => games)).toEqual([40, 40, 40]);
    expect(course(3, { games: 40 })[2].nodes).toBe(4 * first.nodes);
    expect(course(3, { nodes: 30 })[2]).toMatchObject({ games: 4 * first.games, nodes: 30 });
    expect(course(3, { games: 40, nodes: 30 })[2]).toMatchObject({ games: 40, nodes: 30 });
  });

  test('nodes grow up to a limit if the number of games is given', () => {
    expect(course(10, { games: 40 })[9]).toMatchObject({ games: 40, nodes: 5000 });
  });

  test('labels use their share of the nodes; a run from zero has none until a generation is accepted', () => {
    const given = { from: 'material', labelShare: 0.5, games: 1000, nodes: 500 };
    const [one, two, three] = course(3, given);
    // As many nodes as a game of 160 plies at 500 nodes
    expect(one.labels).toEqual({ nodes: 5000, perGame: 11, draftPerGame: 6, total: 17_000 });
    expect(two.labels).toEqual({ nodes: 5000, perGame: 6, draftPerGame: 3, total: 15_000 });
    expect(three.labels?.perGame).toBe(5);
    const cheap = course(2, { ...given, labelNodes: 100 })[1].labels;
    expect(cheap).toEqual({ nodes: 100, perGame: 30, draftPerGame: 15, total: 75_000 });
    expect(course(2, { ...given, labelShare: 0 })[1].labels).toBeNull();
    // Weights of zero give no useful labels
    expect(course(3, { ...given, from: 'zero' }).map((effort) => effort.labels)).toEqual([null, null, null]);
    expect(course(2, { labelShare: 0.5 }, 1)[1].labels?.nodes).toBe(2000);
  });

  test('labels replace their share of the games if the number of games is not given', () => {
    const efforts = [0, 0.5, 0.75].map((labelShare) => course(4, { from: 'material', labelShare })[3]);
    expect(efforts.map(({ games }) => games)).toEqual([4800, 2400, 1200]);
    const nodes = efforts.map(({ games, labels }) => games * 160 * 200 + (labels?.total ?? 0) * (labels?.nodes ?? 0));
    for (const each of nodes) expect(Math.abs(each / nodes[0] - 1)).toBeLessThan(0.1);
  });

  test('a long window is scheduled quickly', () => {
    const given = { ...settings, from: 'material', labelShare: 0.5, window: 60 };
    expect(effortOf(given, [], 60).window.first).toBe(1);
  });

  test('the window of a fit to labels excludes games without useful scores', () => {
    const given = { labelShare: 0.5, window: 3 };
    const firsts = (accepted: number): number[] => course(6, given, accepted).map(({ window }) => window.first);
    expect(firsts(6)).toEqual([1, 2, 2, 2, 3, 4]);
    expect(firsts(0)).toEqual([1, 1, 1, 2, 3, 4]);
    const [, second, third] = course(3, given, 3);
    expect(third.window.games).toBe(second.games + third.games);
  });

  test('scores are blended into the target only in a fit to labels', () => {
    const given = { blend: 0.7, labelShare: 0.5 };
    expect(course(1, given)[0].blend).toBe(0);
    expect(course(2, given, 1)[1].blend).toBe(0.7);
    expect(course(1, { ...given, from: 'material' })[0].blend).toBe(0.7);
    expect(course(1, { ...given, from: 'material', labelShare: 0 })[0].blend).toBe(0);
  });
});
