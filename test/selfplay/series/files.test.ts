// The files of a series agree with each other and with the result, with or without interruptions.

import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { parsePgn, startingPosition } from 'chessops/pgn';
import { parseSan } from 'chessops/san';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setChess960 } from '../../../engine/board/position.js';
import { OutputFile } from '../../../selfplay/common/appended-file.js';
import type { UciEngine } from '../../../selfplay/engines/uci-engine.js';
import type { MatchSettings } from '../../../selfplay/match/match.js';
import { type MatchResult, runMatch } from '../../../selfplay/match/match.js';
import { incidentLines } from '../../../selfplay/match/report.js';
import { replay, UNSCORED } from '../../../selfplay/records/record.js';
import { readShard } from '../../../selfplay/records/shard.js';
import { openingFen } from '../../../selfplay/series/event-log.js';
import { appendGames } from '../../../selfplay/series/files.js';
import type { PlayedGame } from '../../../selfplay/series/game.js';
import { DEFAULT_GAMES } from '../../../selfplay/series/game-settings.js';
import { Transcripts } from '../../../selfplay/series/incidents.js';
import { JOURNAL } from '../../../selfplay/series/journal.js';
import { fakeEngine } from '../../support/fake-engine.js';
import { slowTest } from '../../support/slow.js';

const scratch = mkdtempSync(join(tmpdir(), 'heft-series-files-'));
afterAll(() => rmSync(scratch, { recursive: true }));

interface Line {
  type: string;
  game: number;
  games: number[];
  result: string;
  moves: string;
  fen: string;
  figures: { games: number };
}

test.each([
  ['', ''],
  ['1. e4 1-0', '\n\n'],
  ['1. e4 1-0\n', '\n'],
  ['1. e4 1-0\r\n', '\n'],
  ['1. e4 1-0\n\n', ''],
  ['1. e4 1-0\r\n\r\n', ''],
])('games are appended to %j after a blank line', (before, gap) => {
  const [games, plain, packed] = ['new.pgn', 'old.pgn', 'old.pgn.gz'].map((name) => join(scratch, name));
  const game = '[Event "x"]\n\n1. d4 1-0\n\n';
  writeFileSync(games, game);
  writeFileSync(plain, before);
  appendGames(games, plain);
  expect(readFileSync(plain, 'utf8')).toBe(`${before}${gap}${game}`);
  writeFileSync(packed, before === '' ? '' : gzipSync(before));
  appendGames(games, packed);
  expect(gunzipSync(readFileSync(packed)).toString()).toBe(`${before}${before === '' ? '' : '\n\n'}${game}`);
});

test.each(['blocks.pgn', 'blocks.pgn.gz'])('large game files are appended to %s in blocks', (name) => {
  const [games, path] = ['large.pgn', name].map((part) => join(scratch, part));
  const text = Array.from({ length: 500 }, (_, i) => `[Event "${i}"]\n\n1. d4 1-0\n\n`).join('');
  writeFileSync(games, text);
  appendGames(games, path, 1000);
  const written = readFileSync(path);
  expect((name.endsWith('.gz') ? gunzipSync(written) : written).toString()).toBe(text);
  const members = written.toString('latin1').split('\u001f\u008b\b').length - 1;
  expect(members).toBe(name.endsWith('.gz') ? Math.ceil(text.length / 1000) : 0);
});

test('the input and output of an engine are kept for its first 100 failures', () => {
  const out = join(scratch, 'lost-on-time');
  const engine = { name: 'A', spec: { command: 'a', args: [] }, transcript: { format: () => '' } };
  const transcripts = new Transcripts(out);
  const write = (index: number, player: number): void =>
    transcripts.write({ reason: 'White loses on time' } as PlayedGame, index, player, engine as unknown as UciEngine);
  for (let index = 0; index < 120; index++) write(index, 0);
  write(120, 1);
  const names = readdirSync(join(out, 'failures'));
  expect(names).toHaveLength(101);
  expect(names).toContain('game-121.txt');
  const failures = Array.from({ length: 120 }, (_, i) => ({ game: i + 1, engine: 'A', termination: 'time forfeit' }));
  const summary = { endings: {}, failures, remarks: [] } as unknown as MatchResult;
  expect(incidentLines(summary, out).at(-1)).toBe(
    `Input and output of engines that failed: ${out}/failures/ (at most 100 games per engine each time the run is started or continued)`,
  );
});

const file = (run: string, name: string): string => join(scratch, run, name);
const lines = (path: string): Line[] =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

function settings(run: string, more: Partial<MatchSettings> = {}): MatchSettings {
  const engines = ['seed=1', 'greedy=1'].map((word) => ({
    spec: { ...fakeEngine(word), name: word, options: { Hash: '4' } },
    limits: { nodes: 5, margin: 0, stall: 20_000 },
  }));
  return {
    ...DEFAULT_GAMES,
    plies: 4,
    maxMoves: 10,
    seed: 5,
    workers: 2,
    engines,
    games: 8,
    out: join(scratch, run),
    ...{
      pgn: `${join(scratch, run)}.pgn.gz`,
      events: `${join(scratch, run)}.jsonl`,
      viriformat: `${join(scratch, run)}.vf`,
    },
    ...more,
  };
}

/** The part of an event that does not depend on time. */
const lasting = ({ type, game, games, result, moves, fen, figures }: Line): object => ({
  type,
  game,
  games,
  result,
  moves,
  fen,
  counted: figures?.games,
});

describe('the files of a match', () => {
  let result: MatchResult;
  beforeAll(async () => {
    result = await runMatch(settings('whole'));
  }, 60_000);

  slowTest('the files of a match are the same after interruptions, with each game and pair once', async () => {
    for (const count of [1, 3, 2]) {
      const abort = new AbortController();
      let games = 0;
      const onProgress = () => {
        if (++games === count) abort.abort();
      };
      const part = await runMatch(settings('parts'), { signal: abort.signal, onProgress });
      const text = readFileSync(file('parts', 'events.jsonl'), 'utf8');
      expect(text.match(/"type":"pairEnd"/g) ?? []).toHaveLength(part.games / 2);
      // Killed while writing
      appendFileSync(file('parts', 'events.jsonl'), '{"type":"gameEnd","ga');
      appendFileSync(file('parts', 'games.pgn'), '[Event "Heft ma');
    }
    await runMatch(settings('parts'));
    const counted = (run: string): object[] =>
      lines(file(run, 'events.jsonl'))
        .filter(({ type }) => ['runStart', 'gameEnd', 'pairEnd', 'runEnd'].includes(type))
        .map(lasting);
    expect(counted('parts')).toEqual(counted('whole'));
    const movesOf = (run: string): string =>
      readFileSync(file(run, 'games.pgn'), 'utf8')
        .replace(/ \d+\.?\d*s\b/g, '')
        .replace(/\s+/g, ' ');
    expect(movesOf('parts')).toBe(movesOf('whole'));
  });

  test('the events contain the start and end of each game, the figures of each pair, and the result', () => {
    for (const path of [file('whole', 'events.jsonl'), join(scratch, 'whole.jsonl')]) {
      const events = lines(path);
      const numbers = (type: string): number[] => events.filter((line) => line.type === type).map(({ game }) => game);
      expect(numbers('gameStart').sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      expect(numbers('gameEnd')).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      const pairs = events.filter(({ type }) => type === 'pairEnd');
      expect(pairs.map(({ games }) => games)).toEqual([
        [1, 2],
        [3, 4],
        [5, 6],
        [7, 8],
      ]);
      expect(pairs.map(({ figures }) => figures.games)).toEqual([2, 4, 6, 8]);
      const { wins, draws, llr, elo } = result;
      expect(events.at(-1)).toMatchObject({ type: 'runEnd', finished: true, figures: { wins, draws, llr, elo } });
      const moves = events.filter(({ type }) => type === 'move');
      expect(moves.length > 0).toBe(path.endsWith('whole.jsonl'));
    }
  });

  test.each([true, false])('the FEN after an opening does not depend on an earlier game (Chess960: %s)', (isOn) => {
    setChess960(isOn);
    const start = 'brknrbqn/pppppppp/8/8/8/8/PPPPPPPP/BRKNRBQN w KQkq - 0 1';
    expect(openingFen({ start, moves: [], bookPlies: 0 } as unknown as PlayedGame)).toBe(start.replace('KQkq', 'EBeb'));
  });

  test('PGN, gzipped PGN, events and records contain the same games', () => {
    const text = readFileSync(file('whole', 'games.pgn'), 'utf8');
    expect(gunzipSync(readFileSync(join(scratch, 'whole.pgn.gz'))).toString()).toBe(text);
    const games = parsePgn(text);
    const ends = lines(file('whole', 'events.jsonl')).filter(({ type }) => type === 'gameEnd');
    expect(games.map(({ headers }) => headers.get('Result'))).toEqual(ends.map((line) => line.result));
    for (const { headers, moves } of games) {
      const position = startingPosition(headers).unwrap();
      for (const { san } of moves.mainline()) {
        const move = parseSan(position, san);
        expect(move, san).toBeDefined();
        position.play(move!);
      }
      expect([...moves.mainline()]).toHaveLength(Number(headers.get('PlyCount')));
      expect(headers.get('Termination')).toBe('adjudication');
      expect(headers.get('WhiteEngine')).toBe('Fake 1');
      expect(headers.get('BlackOptions')).toBe('Hash=4');
    }
    const records = [...readShard(join(scratch, 'whole.vf'))];
    expect(records.map(({ moves }) => moves.length)).toEqual(ends.map(({ moves }) => moves.split(' ').length - 4));
    for (const record of records) replay(record, () => {});
  });

  test('records and events contain the result and scores from the documented point of view', async () => {
    const [{ spec, limits }, other] = settings('').engines;
    const weak = { spec: { ...spec, args: [...spec.args, 'score=-400'] }, limits };
    const silent = { ...other, spec: { ...other.spec, args: [...other.spec.args, 'score=none'] } };
    const resign = { moveCount: 2, score: 300, twoSided: false };
    await runMatch(settings('decided', { engines: [weak, silent], games: 2, workers: 1, resign }));
    const records = [...readShard(join(scratch, 'decided.vf'))];
    expect(records.map(({ result: points, scores }) => [points, [...scores]])).toEqual([
      [0, [-400, UNSCORED, -400]],
      [2, [UNSCORED, 400, UNSCORED, 400]],
    ]);
    const events = lines(file('decided', 'events.jsonl'));
    expect(events.filter(({ type }) => type === 'gameEnd').map((line) => line.result)).toEqual(['0-1', '1-0']);
    expect(events.filter(({ type }) => type === 'pairEnd')).toMatchObject([
      { engine: 'seed=1', opponent: 'greedy=1', points: 0 },
    ]);
  });

  slowTest('games lost through an engine failure are not written to the records', async () => {
    const [{ spec, limits }, other] = settings('').engines;
    const broken = { spec: { ...spec, args: [...spec.args, 'crash=2', 'game=2'] }, limits };
    await runMatch(settings('lost', { engines: [broken, other], games: 2, workers: 1 }));
    const events = lines(file('lost', 'events.jsonl'));
    expect(events.filter(({ type }) => type === 'failure')).toMatchObject([{ game: 2, engine: 'seed=1' }]);
    expect(parsePgn(readFileSync(file('lost', 'games.pgn'), 'utf8'))).toHaveLength(2);
    expect([...readShard(join(scratch, 'lost.vf'))]).toHaveLength(1);
  });
});

test('a damaged journal line stops a restarted match before its files are overwritten', async () => {
  await runMatch(settings('damaged', { games: 4 }));
  const files = ['damaged/games.pgn', 'damaged/events.jsonl', 'damaged.pgn.gz', 'damaged.jsonl', 'damaged.vf'];
  const contents = (): string[] => files.map((name) => readFileSync(join(scratch, name), 'latin1'));
  const before = contents();
  const journal = readFileSync(file('damaged', JOURNAL), 'utf8').split('\n');
  journal[4] = journal[4]!.replace('"seconds"', '"sEconds"');
  writeFileSync(file('damaged', JOURNAL), journal.join('\n'));
  await expect(runMatch(settings('damaged', { games: 4 }))).rejects.toThrow(/games\.jsonl:5: damaged line; remove it/);
  expect(contents()).toEqual(before);
});

test('writing to an output file that another program has changed throws and adds no zero bytes', () => {
  const path = join(scratch, 'shared.pgn');
  const [first, second] = [new OutputFile(path), new OutputFile(path)];
  first.write('first');
  second.write('other');
  second.write('more');
  expect(() => first.write('lost')).toThrow(
    /^\S+shared\.pgn: another program has written to it, .*; repeat the command/,
  );
  expect(readFileSync(path, 'utf8')).toBe('othermore');
  for (const file of [first, second]) file.close();
});
