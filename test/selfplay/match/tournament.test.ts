import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  runTournament,
  type TournamentFormat,
  type TournamentSettings,
  tournamentLines,
  tournamentSchedule,
} from '../../../selfplay/match/tournament.js';
import { DEFAULT_GAMES } from '../../../selfplay/series/game-settings.js';
import { fakeEngine } from '../../support/fake-engine.js';
import { slowTest } from '../../support/slow.js';

const scratch = mkdtempSync(join(tmpdir(), 'heft-tournament-'));
afterAll(() => rmSync(scratch, { recursive: true }));

describe('the schedule', () => {
  test.each([
    ['round-robin', 6],
    ['gauntlet', 3],
  ] as [TournamentFormat, number][])(
    'the schedule of a %s contains every pairing with reversed colours',
    (format, pairings) => {
      const schedule = tournamentSchedule(format, 4, 4);
      expect(schedule.games).toBe(4 * pairings);
      const met = new Map<string, number>();
      for (let index = 0; index < schedule.games; index += 2) {
        const [first, second] = [schedule.at(index), schedule.at(index + 1)];
        expect([second.white, second.black]).toEqual([first.black, first.white]);
        expect([second.opening, second.round]).toEqual([first.opening, first.round]);
        expect(first.round).toBe(Math.floor(index / (2 * pairings)) + 1);
        const key = [first.white, first.black].sort().join();
        met.set(key, (met.get(key) ?? 0) + 2);
        if (format === 'gauntlet') expect(key).toMatch(/^0,/);
      }
      expect([...met.values()]).toEqual(new Array(pairings).fill(4));
    },
  );
});

describe('a tournament', () => {
  const settings = (out: string): TournamentSettings => ({
    engines: ['seed=1', 'greedy=1', 'seed=3', 'illegal=2'].map((word, i) => ({
      spec: { ...fakeEngine(word), name: word },
      limits: { nodes: 5, margin: 0, stall: 20_000 },
      ...(i === 0 && { anchor: 2500 }),
    })),
    format: 'round-robin',
    ...DEFAULT_GAMES,
    plies: 6,
    maxMoves: 30,
    seed: 3,
    games: 2,
    workers: 2,
    out: join(scratch, out),
  });

  test('a tournament ends with a crosstable whose points agree with the standings', async () => {
    const whole = await runTournament(settings('whole'));
    expect(whole).toMatchObject({ games: 12, finished: true });
    expect(whole.standings.map(({ games }) => games)).toEqual([6, 6, 6, 6]);
    expect(whole.standings.reduce((sum, { points }) => sum + points, 0)).toBe(12);
    expect(whole.standings.at(-1)).toMatchObject({ engine: 'illegal=2', points: 0 });
    expect(whole.standings.find(({ engine }) => engine === 'seed=1')).toMatchObject({ elo: 2500, eloError: 0 });
    expect(whole.standings.at(-1)?.elo).toBeLessThan(2500);
    whole.crosstable.forEach((row, i) => {
      const points = row.reduce((sum, { wins, draws }) => sum + wins + draws / 2, 0);
      expect(points).toBe(whole.standings[i].points);
      row.forEach(({ wins }, j) => {
        expect(whole.crosstable[j][i].losses).toBe(wins);
      });
    });
    expect(whole.failures).toHaveLength(6);

    const lines = tournamentLines(whole);
    expect(lines[0].trim().split(/\s+/)).toEqual('Rank Name Elo +/- Games Points Score 1 2 3 4'.split(' '));
    expect(new Set(lines.map((line) => line.length)).size).toBe(1);
  });

  slowTest('an interrupted tournament continues to the same result', async () => {
    const whole = await runTournament(settings('whole'));
    const abort = new AbortController();
    let games = 0;
    const onProgress = () => {
      if (++games === 3) abort.abort();
    };
    const part = await runTournament(settings('parts'), { signal: abort.signal, onProgress });
    expect(part.finished).toBe(false);
    const { seconds: _, ...rest } = await runTournament({ ...settings('parts'), workers: 3 });
    expect(whole).toMatchObject(rest);
  });
});
