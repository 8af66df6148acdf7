import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { GameResult } from '../../../selfplay/common/game-result.js';
import { LiveDisplay, type Row } from '../../../selfplay/common/live-display.js';
import {
  runTournament,
  scoreTable,
  showTournament,
  type TournamentFormat,
  type TournamentResult,
  type TournamentSettings,
  tournamentLines,
  tournamentSchedule,
} from '../../../selfplay/match/tournament.js';
import type { SeriesEvent } from '../../../selfplay/series/events.js';
import { DEFAULT_GAMES } from '../../../selfplay/series/game-settings.js';
import { runSeries } from '../../../selfplay/series/series.js';
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

describe('the standings', () => {
  /** White's score in both games of a pair, which `first` begins with White. */
  type Pair = [first: number, second: number, game: GameResult, reply: GameResult];
  const played = (names: string[], pairs: readonly Pair[]): TournamentResult => {
    const table = scoreTable(names.map(() => ({})));
    for (const [white, black, result, reply] of pairs)
      table.count([{ game: { result }, pairing: { white, black } }, { game: { result: reply } }] as never);
    return { ...table.figures(names), seconds: 60 } as TournamentResult;
  };

  test('an engine that lost all its encounters in a gauntlet is last, although it has the most points', () => {
    const pairs = [1, 2, 3, 4].flatMap((other): Pair[] => [
      [0, other, 0.5, 0.5],
      [0, other, 0.5, 1],
    ]);
    const result = played(['A', 'B', 'C', 'D', 'E'], pairs);
    expect(result.standings.at(-1)).toMatchObject({ engine: 'A', points: 6, games: 16 });
    expect(result.standings[0]).toMatchObject({ engine: 'B', points: 2.5, games: 4 });
    expect(result.crosstable.at(-1)?.map(({ losses }) => losses)).toEqual([1, 1, 1, 1, 0]);
    let line = '';
    const display = { update: (_: unknown, status: () => string) => (line = status()) } as unknown as LiveDisplay;
    showTournament(display, () => result, 32);
    expect(line).toBe('16/32 games, B leads with 2.5/4, 960 games/h');
  });

  test('engines without games come last, in their original order', () => {
    const { standings } = played(['A', 'B', 'C', 'D'], [[1, 2, 1, 0.5]]);
    expect(standings.map(({ engine }) => engine)).toEqual(['B', 'C', 'A', 'D']);
  });

  test('a terminal that is too narrow for the crosstable shows only the standings', () => {
    const result = played(['A', 'B', 'C'], [[0, 1, 1, 1]]);
    const shown = (columns: number): number => {
      const display = new LiveDisplay({ isTTY: true, columns } as NodeJS.WriteStream);
      let rows: readonly Row[] = [];
      display.update = (now) => (rows = now());
      showTournament(display, () => result, 32);
      return String(rows[1]).trim().split(/\s+/).length;
    };
    expect([shown(80), shown(50)]).toEqual([10, 7]);
  });

  test('an engine without a bye is not ranked above its equals', () => {
    const { standings } = played(
      ['A', 'B', 'C'],
      [
        [2, 0, 0.5, 0.5],
        [2, 1, 0.5, 0.5],
      ],
    );
    expect(standings.map(({ engine, points }) => [engine, points])).toEqual([
      ['A', 1],
      ['B', 1],
      ['C', 2],
    ]);
  });
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

  slowTest('ratings are not computed after every pair, and only the last event contains them', async () => {
    const run = { ...settings('events'), games: 4 };
    const table = scoreTable(run.engines);
    let computed = 0;
    const figures = (names: string[]) => {
      computed++;
      return table.figures(names);
    };
    const schedule = tournamentSchedule('round-robin', 4, 4);
    const [identity, hooks] = [{}, { onProgress: () => {} }];
    await runSeries({ settings: run, schedule, identity, hooks, score: { count: table.count, figures } });
    expect(computed).toBeLessThan(6);
    const lines = readFileSync(join(scratch, 'events/events.jsonl'), 'utf8').trim().split('\n');
    const events = lines.map((line) => JSON.parse(line));
    const pairs = events.filter(({ type }) => type === 'pairEnd');
    expect(pairs).toHaveLength(12);
    expect(pairs.at(-1)).toMatchObject({ games: [23, 24], figures: { games: 24 } });
    expect(Object.keys(pairs.at(-1).figures)).toEqual(['games']);
    expect(events.at(-1)).toMatchObject({ type: 'runEnd', figures: { games: 24, standings: expect.any(Array) } });
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

  slowTest('a tournament runs only some of its engines at the same time before the first game', async () => {
    const log = join(scratch, 'input.txt');
    const abort = new AbortController();
    const { engines, ...rest } = settings('many');
    const many = Array.from({ length: 20 }, () => ({ ...engines[0], spec: fakeEngine(`log=${log}`) }));
    const onEvent = ({ type }: SeriesEvent) => void (type === 'engines' && abort.abort());
    const { engines: names } = await runTournament({ ...rest, engines: many }, { signal: abort.signal, onEvent });
    expect(names).toHaveLength(20);
    const running =
      readFileSync(log, 'utf8')
        .match(/^(?:uci|quit)$/gm)
        ?.map((word) => (word === 'uci' ? 1 : -1)) ?? [];
    let most = 0;
    running.reduce((sum, change) => {
      most = Math.max(most, sum + change);
      return sum + change;
    }, 0);
    expect(running.filter((change) => change > 0)).toHaveLength(20);
    expect(most).toBeLessThanOrEqual(12);
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
