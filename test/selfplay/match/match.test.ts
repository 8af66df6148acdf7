import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { noProblems, UserError } from '../../../selfplay/common/errors.js';
import type { EngineSpec } from '../../../selfplay/engines/process.js';
import type { GameLimits } from '../../../selfplay/games/clock.js';
import type { MatchSettings } from '../../../selfplay/match/match.js';
import { type MatchResult, runMatch } from '../../../selfplay/match/match.js';
import { incidentLines } from '../../../selfplay/match/report.js';
import { readPgn } from '../../../selfplay/records/pgn-reader.js';
import type { SeriesEvent } from '../../../selfplay/series/events.js';
import { DEFAULT_GAMES } from '../../../selfplay/series/game-settings.js';
import { JOURNAL } from '../../../selfplay/series/journal.js';
import { CONTROL } from '../../../selfplay/series/pace-control.js';
import { fakeEngine } from '../../support/fake-engine.js';
import { slowTest } from '../../support/slow.js';

const scratch = mkdtempSync(join(tmpdir(), 'heft-match-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const LIMITS: GameLimits = { nodes: 5, margin: 0, stall: 20_000 };

function settings(engines: EngineSpec[], other: Partial<MatchSettings> = {}): MatchSettings {
  return {
    engines: engines.map((spec) => ({ spec, limits: LIMITS })),
    ...DEFAULT_GAMES,
    maxMoves: 12,
    seed: 7,
    games: 8,
    workers: 1,
    ...other,
  };
}

const named = (name: string, ...words: string[]): EngineSpec => ({ ...fakeEngine(...words), name });
const A = named('A', 'seed=1');
const B = named('B', 'seed=2');
/** The result without its times. */
const outcome = ({ seconds, ...rest }: MatchResult): object => rest;

async function pgnGames(file: string): Promise<{ round: string; white: string; moves: number[]; result: string }[]> {
  const games = [];
  const problems = noProblems();
  for await (const { tags, moves, result } of readPgn(file, problems)) {
    games.push({ round: tags.get('Round') ?? '', white: tags.get('White') ?? '', moves, result });
  }
  expect(problems.messages).toEqual([]);
  return games;
}

/** Plays until `count` games have ended, as if the process were killed at that moment. */
async function interrupted(match: MatchSettings, count: number): Promise<MatchResult> {
  const abort = new AbortController();
  let games = 0;
  const onProgress = () => {
    if (++games === count) abort.abort();
  };
  return runMatch(match, { signal: abort.signal, onProgress });
}

describe('a match', () => {
  test('a match plays each opening twice with reversed colours, and counts and writes every game', async () => {
    const out = join(scratch, 'plain');
    const result = await runMatch(settings([A, B], { out, pgn: join(scratch, 'copy.pgn') }));
    expect(result).toMatchObject({ engines: ['A', 'B'], games: 8, finished: true, verdict: null, failures: [] });
    expect(result.wins + result.losses + result.draws).toBe(8);
    expect(result.penta.reduce((sum, pairs) => sum + pairs)).toBe(4);
    expect(result.nodes).toBeGreaterThan(0);
    expect(JSON.parse(readFileSync(join(out, 'result.json'), 'utf8'))).toEqual(result);

    const games = await pgnGames(join(out, 'games.pgn'));
    expect(games.map(({ round, white }) => round + white)).toEqual('1A 1B 2A 2B 3A 3B 4A 4B'.split(' '));
    for (let pair = 0; pair < 4; pair++) {
      const [first, second] = games.slice(2 * pair);
      expect(first.moves.slice(0, 8)).toEqual(second.moves.slice(0, 8));
      expect(first.moves).not.toEqual(second.moves);
    }
    expect(new Set(games.map(({ moves }) => moves.slice(0, 8).join())).size).toBe(4);
    expect(readFileSync(join(scratch, 'copy.pgn'))).toEqual(readFileSync(join(out, 'games.pgn')));
  });

  slowTest('a match gives the same result at any concurrency, even if the SPRT ends it', async () => {
    const sprt = { elo0: 0, elo1: 300, alpha: 0.05, beta: 0.05, model: 'normalized' as const };
    const engines = [named('Greedy', 'greedy=1'), named('Random', 'seed=3')];
    const match = (workers: number): MatchSettings => settings(engines, { workers, sprt, games: 60, maxMoves: 40 });
    const [one, three] = await Promise.all([1, 3].map((workers) => runMatch(match(workers))));
    expect(one.verdict).not.toBeNull();
    expect(one.games).toBeLessThan(60);
    expect(outcome(three)).toEqual(outcome(one));
  });

  slowTest('a match reports engine failures and continues with a new process', async () => {
    const warnings: string[] = [];
    const crashing = named('C', 'crash=3');
    const result = await runMatch(settings([crashing, B], { games: 4 }), { onWarning: (text) => warnings.push(text) });
    expect(result).toMatchObject({ losses: 4, finished: true });
    expect(result.failures.map(({ game, engine, termination }) => [game, engine, termination])).toEqual([
      [1, 'C', 'abandoned'],
      [2, 'C', 'abandoned'],
      [3, 'C', 'abandoned'],
      [4, 'C', 'abandoned'],
    ]);
    expect(warnings[0]).toMatch(/^game \d: C \((White|Black)\) disconnects/);
  });

  test('a match keeps the transcript of a failed engine', async () => {
    const out = join(scratch, 'transcripts');
    const result = await runMatch(settings([named('C', 'illegal=2'), B], { games: 2, out }));
    expect(result.endings).toEqual({ 'illegal move': 2 });
    const text = readFileSync(join(out, 'failures/game-1.txt'), 'utf8');
    expect(text).toMatch(/^Game 1: White makes an illegal move: e1e8\nEngine: C \(/);
    expect(text).toMatch(/^ +0\.\d{3} > ucinewgame$/m);
    expect(text).toMatch(/^ +\d+\.\d{3} < bestmove e1e8 ponder a1a1\n$/m);
    expect(incidentLines(result, out)).toEqual([
      'Endings: illegal move 2',
      'C: illegal move 2x, first in game 1: White makes an illegal move: e1e8',
      `Input and output of engines that failed: ${out}/failures/`,
    ]);
  });

  test('a match reports false mate claims with engine, number of games and first game', async () => {
    const result = await runMatch(settings([named('L', 'score=mate:2'), B], { games: 2, maxMoves: 2 }));
    const text = 'claims a mate with an illegal line';
    expect(result.remarks).toEqual([{ engine: 'L', text, games: 2, game: 1 }]);
    expect(incidentLines(result, 'run').at(-1)).toBe(`L ${text}: in 2 games, first in game 1`);
  });

  slowTest('a match restarts a failed engine even if the first restart fails', async () => {
    const warnings: string[] = [];
    const flaky = named('C', 'crash=2', `flaky=${join(scratch, 'flaky')}`);
    const match = settings([flaky, B], { games: 2, workers: 1 });
    const result = await runMatch(match, { onWarning: (text) => warnings.push(text) });
    expect(result).toMatchObject({ losses: 2, finished: true });
    expect(warnings).toContainEqual('engine 1 (C) did not start: ended with exit code 1; trying again');
  });

  test('a match warns once about an option that an engine does not have, and does not record it', async () => {
    const warnings: string[] = [];
    const events: SeriesEvent[] = [];
    const spec = { ...A, options: { Nonsense: '1', Hash: '4' } };
    await runMatch(settings([spec, B], { games: 4 }), {
      onWarning: (text) => warnings.push(text),
      onEvent: (event) => events.push(event),
    });
    expect(events.find(({ type }) => type === 'engines')).toMatchObject({ options: [{ Hash: '4' }, {}] });
    expect(warnings).toEqual(['engine 1 (A): option Nonsense=1 not set: the engine has no such option']);
  });

  test.each([
    [
      'an engine that does not start',
      { engines: [named('X', 'start=crash'), B] },
      /^engine 1 \(X\) did not start: ended/,
    ],
    ['a missing program', { engines: [A, { ...B, command: '/no/engine' }] }, /^engine 2 \(B\) did not start: no such/],
    [
      'a program below a file',
      { engines: [A, { ...B, command: '/etc/passwd/engine' }] },
      /^engine 2 \(B\) did not start: spawn ENOTDIR$/,
    ],
    ['a missing book', { book: '/no/book.epd' }, /^cannot read \/no\/book\.epd/],
  ])(
    'a match with %s is rejected with a one-line error',
    async (_, { engines = [A, B], book }: { engines?: EngineSpec[]; book?: string }, message) => {
      const match = settings(engines, book === undefined ? {} : { openings: book });
      const error = await runMatch(match).catch((reason) => reason);
      expect(error).toBeInstanceOf(UserError);
      expect(error.message).toMatch(message);
      expect(error.message).not.toContain('\n');
    },
  );
});

describe('the events of a match', () => {
  test('the events contain every game and pair once and in order, even after an interruption', async () => {
    const out = join(scratch, 'events');
    await interrupted(settings([A, B], { out }), 3);
    const events: SeriesEvent[] = [];
    await runMatch(settings([A, B], { out }), { onEvent: (event) => events.push(event), wantsMoves: true });
    const counted = events.filter((event) => event.type === 'game');
    expect(counted.map(({ index, white }) => `${index}${white}`)).toEqual('0A 1B 2A 3B 4A 5B 6A 7B'.split(' '));
    const pairs = events.filter((event) => event.type === 'pair').map(({ games }) => games.map(({ index }) => index));
    expect(pairs).toEqual([
      [0, 1],
      [2, 3],
      [4, 5],
      [6, 7],
    ]);
    expect(events.find(({ type }) => type === 'engines')).toMatchObject({
      engines: ['A', 'B'],
      ids: ['Fake 1', 'Fake 2'],
    });
    for (const { index } of events.filter((event) => event.type === 'begin')) {
      const moves = events.filter((event) => event.type === 'move' && event.index === index);
      const { game } = counted[index];
      expect(moves).toMatchObject(game.scores.map((score) => ({ score, nodes: 5, clocks: [null, null] })));
    }
  });
});

describe('a running match', () => {
  slowTest('a running match changes its concurrency, pauses and resumes through its control file', async () => {
    const out = join(scratch, 'control');
    const engines = [named('A', 'seed=1', 'late=1:100'), B];
    const tell = (words: string): void => writeFileSync(join(out, CONTROL), words);
    const seen: string[] = [];
    let playing = 0;
    let most = 0;
    const onEvent = (event: SeriesEvent): void => {
      if (event.type === 'begin') most = Math.max(most, ++playing);
      if (event.type === 'begin' && event.index === 0) tell('concurrency 3\n');
      if (event.type === 'pace') seen.push(event.paused ? 'paused' : `${event.workers} at a time`);
      if (event.type === 'begin' && seen.at(-1) === 'paused') seen.push('begins in the pause');
      if (event.type === 'end') {
        playing--;
        if (seen.length === 1) tell('nonsense\npause\n');
        if (playing === 0 && seen.at(-1) === 'paused') tell('continue');
      }
    };
    const warnings: string[] = [];
    const match = settings(engines, { out, games: 40, workers: 1, maxMoves: 3 });
    const result = await runMatch(match, { onEvent, onWarning: (text) => warnings.push(text) });
    expect(seen).toEqual(['3 at a time', 'paused', '3 at a time']);
    expect(most).toBe(3);
    expect(warnings).toEqual([expect.stringMatching(/control: 'nonsense' is not one of pause, continue, workers N/)]);
    expect(result).toMatchObject({ games: 40, finished: true });
    expect(existsSync(join(out, CONTROL))).toBe(false);
  });
});

describe('an interrupted match', () => {
  slowTest('a resumed match plays each game once and ends with the result of an uninterrupted one', async () => {
    const whole = await runMatch(settings([A, B], { out: join(scratch, 'whole') }));
    const out = join(scratch, 'parts');
    for (const count of [1, 2, 3]) {
      const part = await interrupted(settings([A, B], { out, workers: 2 }), count);
      expect(part.finished).toBe(false);
      expect(existsSync(join(out, 'result.json'))).toBe(false);
      // Killed while writing: the incomplete line does not count
      appendFileSync(join(out, JOURNAL), '{"index":7,"seconds":1,"ga');
    }
    const result = await runMatch(settings([A, B], { out, workers: 3 }));
    expect(outcome(result)).toEqual(outcome(whole));
    expect(await pgnGames(join(out, 'games.pgn'))).toEqual(await pgnGames(join(scratch, 'whole', 'games.pgn')));
    const lines = readFileSync(join(out, JOURNAL), 'utf8').trim().split('\n').slice(1);
    expect(lines.map((line) => JSON.parse(line).index).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  slowTest('restarting a finished match reads its result and plays no games', async () => {
    const out = join(scratch, 'finished');
    const result = await runMatch(settings([A, B], { out, games: 2 }));
    const broken = { ...B, command: process.execPath };
    const again = await runMatch(settings([A, broken], { out, games: 2 }));
    expect(outcome(again)).toEqual(outcome(result));
  });

  slowTest('a match with a truncated journal header starts again', async () => {
    const out = join(scratch, 'headless');
    await interrupted(settings([A, B], { out }), 1);
    truncateSync(join(out, JOURNAL), 40);
    expect((await runMatch(settings([A, B], { out, games: 2 }))).games).toBe(2);
  });

  test.each([
    ['a new seed', { seed: 8 }, /holds a match with seed 7 \(now 8\); choose another --out, or delete this folder$/],
    ['a different number of games', { games: 10 }, /games 8 \(now 10\)/],
    [
      'a different engine',
      { engines: [{ spec: { ...A, options: { Hash: '2' } }, limits: LIMITS }] },
      /engine 1\.options\.Hash none \(now "2"\)/,
    ],
    [
      'different limits',
      { engines: [{ spec: A, limits: { ...LIMITS, nodes: 6 } }] },
      /engine 1\.limits\.nodes 5 \(now 6\)/,
    ],
  ])('an interrupted match is not continued with %s', async (_, change: Partial<MatchSettings>, message) => {
    const out = join(scratch, 'other');
    if (!existsSync(out)) await interrupted(settings([A, B], { out }), 1);
    const journal = readFileSync(join(out, JOURNAL), 'utf8');
    const changed = settings([A, B], { out, ...change });
    if (changed.engines.length === 1) changed.engines.push({ spec: B, limits: LIMITS });
    await expect(runMatch(changed)).rejects.toThrow(message);
    expect(readFileSync(join(out, JOURNAL), 'utf8')).toBe(journal);
  });

  slowTest('an interrupted match is not continued with a changed program of the same name', async () => {
    const out = join(scratch, 'rebuilt');
    const file = join(scratch, 'part.txt');
    writeFileSync(file, 'one');
    const spec = { ...A, files: [file] };
    await interrupted(settings([spec, B], { out }), 1);
    writeFileSync(file, 'two');
    await expect(runMatch(settings([spec, B], { out }))).rejects.toThrow(/engine 1\.program /);
  });

  slowTest('an interrupted match is not continued with a changed weights file in an option', async () => {
    const out = join(scratch, 'retrained');
    const file = join(scratch, 'net.nnue');
    writeFileSync(file, 'one');
    const spec = { ...A, options: { EvalFile: file } };
    await interrupted(settings([spec, B], { out }), 1);
    writeFileSync(file, 'two');
    await expect(runMatch(settings([spec, B], { out }))).rejects.toThrow(/engine 1\.program /);
  });

  test('an interrupted match is not continued if a script starts another engine', async () => {
    const out = join(scratch, 'script');
    const file = join(scratch, 'seed');
    const { command, args, options } = fakeEngine();
    const script = ['-c', `exec "$0" "$@" seed=$(cat ${file})`, command, ...args];
    const match = settings([{ name: 'A', command: 'sh', args: script, options }, B], { out, games: 2, maxMoves: 2 });
    writeFileSync(file, '1');
    await interrupted(match, 1);
    writeFileSync(file, '3');
    await expect(runMatch(match)).rejects.toThrow(
      /holds a match with engine 1\.id "Fake 1" \(now "Fake 3"\); choose another --out/,
    );
  });

  slowTest('an interrupted match reports a damaged journal line, and a process that uses the folder', async () => {
    const out = join(scratch, 'damaged');
    await interrupted(settings([A, B], { out }), 2);
    appendFileSync(join(out, JOURNAL), 'rubbish\n');
    await expect(runMatch(settings([A, B], { out }))).rejects.toThrow(/games\.jsonl:4: damaged line/);
    writeFileSync(join(out, 'lock'), '1');
    await expect(runMatch(settings([A, B], { out }))).rejects.toThrow(/is in use by process 1;/);
  });
});
