import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { formatFen } from '../../../engine/board/fen.js';
import { noProblems, UserError } from '../../../selfplay/common/errors.js';
import type { PgnGame } from '../../../selfplay/notation/game.js';
import { readTextGame } from '../../../selfplay/notation/text-game.js';
import { newReadReport, type ReadReport, type SourcedGame } from '../../../selfplay/records/game-kind.js';
import { readRecords } from '../../../selfplay/records/game-reader.js';
import { type Manifest, writeManifest } from '../../../selfplay/records/manifest.js';
import { formatPgn, pgnOfRecord } from '../../../selfplay/records/pgn.js';
import { readPgn } from '../../../selfplay/records/pgn-reader.js';
import { type GameRecord, replay, UNSCORED } from '../../../selfplay/records/record.js';
import { sha256OfFile } from '../../../selfplay/records/shard.js';
import { encodeGame } from '../../../selfplay/records/viriformat.js';
import { concat, randomGame } from '../../support/random-games.js';

const folder = mkdtempSync(join(tmpdir(), 'heft-records-'));
afterAll(() => rmSync(folder, { recursive: true }));

const CUTECHESS = `[Event "My Tournament"]
[Site "?"]
[Date "2026.07.14"]
[Round "1"]
[White "a"]
[Black "b"]
[Result "1-0"]
[FEN "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"]
[SetUp "1"]
[TimeControl "10+0.1"]

1. Bc4 {book} Nc6 {book} 2. Qh5 {+0.31/12 0.045s} Nf6 {-0.08/9 0.31s}
3. Qxf7# {+M1/4 0s, White mates} 1-0

[Event "My Tournament"]
[Result "1/2-1/2"]
[Termination "adjudication"]

1. e4 {+0.10/1 0s} e5 {/7 0s} 2. Nf3 1/2-1/2

`;
const FASTCHESS = `[Event "Fastchess Tournament"]
[Round "1"]
[Result "0-1"]
[SetUp "1"]
[FEN "rnbqkbnr/pppppppp/8/8/8/5P2/PPPPP1PP/RNBQKBNR b KQkq - 0 7"]
[Variant "Chess960"]
[Termination "normal"]

7... e5 {+0.55/5 0.001s, tl=1.0s, n=501, line="} or {"} 8. g4 {-32.10/5 0.001s}
Qh4# {+M1/5 0.000s, Black mates} 0-1

[Event "Fastchess Tournament"]
[Result "1-0"]
[Termination "time forfeit"]

1. e4 {+0.55/5 0.001s, Black loses on time (102ms overrun)} 1-0

[Event "Fastchess Tournament"]
[Result "*"]
[Termination "unterminated"]

{No moves} *

[Event "Fastchess Tournament"]
[Result "*"]

*
`;
const LICHESS = `[Event "Rated Blitz game"]
[Site "https://lichess.org/abcdefgh"]
[Result "1-0"]
[WhiteElo "1500"]
[Termination "Normal"]

1. e4 { [%eval 0.17] [%clk 0:03:00] } 1... e5 { [%eval 0.19] } 2. Qh5?! { [%eval -0.3] } 2... Ke7?? { [%eval #1] } 3. Qxe5# { [%clk 0:02:00] } 1-0


[Event "Rated Blitz game"]
[Result "0-1"]
[Termination "Time forfeit"]

1. e4 { [%clk 0:03:00] } 0-1
`;

async function read(paths: string[]): Promise<{ games: SourcedGame[]; report: ReadReport }> {
  const report = newReadReport();
  const games: SourcedGame[] = [];
  for await (const game of readRecords(paths, report)) games.push(game);
  expect(report.games).toBe(games.length);
  return { games, report };
}

function write(name: string, content: string | Uint8Array): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

const scoresOf = (game: GameRecord): (number | null)[] => Array.from(game.scores, (s) => (s === UNSCORED ? null : s));

describe('PGN', () => {
  test('cutechess PGN is read with scores for White, book moves and missing scores', async () => {
    const { games, report } = await read([write('cutechess.pgn', CUTECHESS)]);
    expect(games.map(({ result, bookPlies, index }) => [result, bookPlies, index])).toEqual([
      [2, 2, 0],
      [1, 0, 1],
    ]);
    expect(scoresOf(games[0])).toEqual([null, null, 31, 8, 31999]);
    expect(scoresOf(games[1])).toEqual([10, null, null]);
    expect(games[0].start).toMatchObject({ sideToMove: 0, fullmove: 2, castlingRooks: [0, 7, 56, 63] });
    replay(games[0], () => {});
    expect(formatFen()).toBe('r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4');
    expect(report).toMatchObject({ excluded: {}, problems: { count: 0 } });
  });

  test('fastchess PGN is read with Black to move first, and forfeits and unfinished games are excluded', async () => {
    const { games, report } = await read([write('fastchess.pgn.gz', gzipSync(FASTCHESS))]);
    expect(games.length).toBe(1);
    expect(scoresOf(games[0])).toEqual([-55, -3210, -31999]);
    expect(games[0].result).toBe(0);
    expect(report).toMatchObject({ excluded: { time: 1, unfinished: 2 }, problems: { count: 0 } });
  });

  test('a game whose header is cut off in a gzip file is reported', async () => {
    const whole = '[Event "x"]\n[Result "1-0"]\n\n1. e4 1-0\n\n[Event "y"]\n[Result "0-1"]\n\n';
    const packed = gzipSync(`${whole}1. d4 d5 0-1\n`, { level: 0 });
    const file = write('cut.pgn.gz', packed.subarray(0, packed.indexOf('1. d4')));
    const { games, report } = await read([file]);
    expect([games.length, report.excluded]).toEqual([1, {}]);
    expect(report.problems.messages).toEqual([
      expect.stringContaining(`${file}:9: the gzip file is truncated or damaged`),
      `${file}:6: the game ends without a result and may be truncated`,
    ]);
  });

  test('an evaluation in lichess PGN belongs to the position after the move', async () => {
    const { games, report } = await read([write('lichess.pgn', `\uFEFF${LICHESS.replaceAll('\n', '\r\n')}`)]);
    expect(games.length).toBe(1);
    expect(scoresOf(games[0])).toEqual([null, 17, 19, -30, 31999]);
    expect(report.excluded).toEqual({ time: 1 });
  });

  test('PGN reading reports a bad game and continues with the next', async () => {
    const text = [
      '[Event "1"]\n[Result "1-0"]\n\n1. e4 e5\n2. Ke3 Ke6 1-0\n',
      '[Event "2"]\n[Result "0-1"]\n\n1. e4 {[Site "not a tag"]\n[Date "neither"]} e5 0-1\n',
      '[Event "3"]\n[Result "1-0"]\n\n1. e4 {an open comment 1-0\n',
      '[Event "4"]\n[Result "1-0"]\n\n1. e4 0-1\n',
      '[Event "5"]\n[Result "1-0"]\n[FEN "8/8/8/8/8/8/8/K7 w - - 0 1"]\n\n1. Ka2 1-0\n',
      '[Event "6"]\n[Event "7"]\n[Result "1/2-1/2"]\n\n% escaped\n1. d4 1/2-1/2\n',
      '[White "8, without Event"]\n[Result "1-0"]\n\n1. c4 1-0\n',
      '[Event "9"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf',
    ].join('\n');
    const { games, report } = await read([write('bad.pgn', text)]);
    expect(games.map((game) => game.moves.length)).toEqual([2, 1, 1, 1]);
    expect(report.problems.messages.map((message) => message.replace(`${folder}/`, ''))).toEqual([
      "bad.pgn:5: 'Ke3' is not a legal move here",
      'bad.pgn:18: the Result tag is 1-0, but the moves end in 0-1',
      expect.stringContaining('bad.pgn:23: invalid FEN tag: Black has 0 kings'),
      "bad.pgn:44: 'Nf' is not a legal move here",
    ]);
    expect(report.repairs).toEqual({ 'unterminated comment': 1, 'result from the tag': 1 });
  });

  test('a game whose result contradicts its last position is faulty', async () => {
    const mate = '1. f3 e5 2. g4 Qh4#';
    const stalemate = '[FEN "k7/8/1K6/8/8/8/2Q5/8 w - - 0 1"]\n\n1. Qc7';
    const games = [
      ...['1-0', '0-1', '1/2-1/2', '*'].map((result) => `\n${mate} ${result}\n`),
      ...['1-0', '1/2-1/2'].map((result) => `${stalemate} ${result}\n`),
    ];
    const file = write('mates.pgn', games.map((game, i) => `[Event "${i}"]\n${game}\n`).join(''));
    const { games: used, report } = await read([file]);
    expect(used.map(({ result }) => result)).toEqual([0, 1]);
    expect(report.excluded).toEqual({ unfinished: 1 });
    expect(report.problems.messages).toEqual([
      `${file}:1: the game ends in checkmate, but the result is 1-0`,
      `${file}:9: the game ends in checkmate, but the result is 1/2-1/2`,
      `${file}:17: the game ends in stalemate, but the result is 1-0`,
    ]);
  });

  test('PGN moves without tags are read as a game, and other text is reported', async () => {
    const problems = noProblems();
    const games: PgnGame[] = [];
    for await (const game of readPgn(write('plain.pgn', '\n1. e4 e5\n2. Nf3 1-0\n'), problems)) games.push(game);
    expect(games).toMatchObject([{ line: 2, result: '1-0', moves: { length: 3 } }]);
    expect(problems.count).toBe(0);
    games.length = 0;
    const dots = write('dots.pgn', '[Event "x"]\n\n1. e5...e4 e5 1-0\n');
    for await (const game of readPgn(dots, problems)) games.push(game);
    expect([games, problems.messages.splice(0)]).toEqual([[], [`${dots}:3: 'e5' is not a legal move here`]]);
    for await (const game of readPgn(write('letter.pgn', 'Dear reader,\nthis is a letter.'), problems))
      games.push(game);
    expect(problems.messages[0]).toMatch(/letter\.pgn:1: 'Dear reader,' is not a game/);
  });

  test('a file without usable games is rejected with its own reasons, not those of earlier files', async () => {
    const game = (tags: string): string => `[Event "x"]\n${tags}\n1. e4 e5 1-0\n\n`;
    const lost = game('[Termination "time forfeit"]\n');
    const first = write('first.pgn', `${game('')}${lost}`);
    const second = write('second.pgn', lost);
    await expect(read([first, second])).rejects.toThrow(/second\.pgn: none of its 1 games is usable \(1 [^,)]*\)$/);
  });

  test('a fault in pasted text is reported with its line number', () => {
    expect(readTextGame('\n\nposition startpos moves e2e4 e9').problem).toMatch(/^line 3: /);
    expect(readTextGame('\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n1. e4\nKe7 2. Kh8').problem).toMatch(/^line 4: /);
  });

  test.each([
    ['KQkx - 0 1', "line 1: castling rights or en-passant square not read: 'KQkx - 0 1'"],
    ['KQkq e9 0 1', "line 1: castling rights or en-passant square not read: 'e9 0 1'"],
    ['kqKX - 0 1\n1. e4', "line 1: castling rights or en-passant square not read: 'kqKX - 0 1'"],
    ['KQkq - bm e4;', ''],
    ['KQkq bm e4;', ''],
    ['bm e4;', ''],
    ['c9 "1-0";', ''],
    ['White to play and win', ''],
    ['KQkq [1.0]', ''],
  ])('invalid fields of a pasted position are reported: %s', (fields, problem) => {
    expect(readTextGame(`rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w ${fields}`)).toMatchObject({ problem });
  });

  test('games written as PGN are read back unchanged', async () => {
    const records = Array.from({ length: 8 }, (_, seed) => randomGame(seed, 120));
    const { games } = await read([write('own.pgn', records.map((record) => formatPgn(pgnOfRecord(record))).join(''))]);
    expect(games.map(({ start, result, moves, scores }) => ({ start, result, moves, scores }))).toEqual(records);
  });
});

describe('shards', () => {
  const records = Array.from({ length: 5 }, (_, seed) => randomGame(seed, 40));
  const bytes = concat(records.map(encodeGame));

  test('a single shard is read, complete or truncated', async () => {
    const whole = await read([write('games.viri', bytes)]);
    expect(whole.games).toEqual(
      records.map((record, index) => ({ ...record, bookPlies: 0, file: join(folder, 'games.viri'), index })),
    );
    const cut = await read([write('cut.bin', bytes.subarray(0, -1))]);
    expect(cut.games.length).toBe(4);
    expect(cut.report.formats).toEqual({ 'viriformat, no checksum': 1 });
    expect(cut.report.problems.messages).toEqual([
      `${join(folder, 'cut.bin')}:5: game 5: the game is truncated; the rest of the file is skipped`,
    ]);
    await expect(read([write('letter.vf', 'Dear reader, these are no games at all.')])).rejects.toThrow(UserError);
  });

  test('a run is checked against its manifest, and rejected together with a copy of its shard', async () => {
    const run = join(folder, 'run');
    mkdirSync(run);
    await expect(read([run])).rejects.toThrow('no manifest.json');
    const file = join(run, 'a.vf');
    writeFileSync(file, bytes);
    const positions = records.reduce((sum, { moves }) => sum + moves.length, 0);
    const manifest: Manifest = {
      command: '',
      seed: 1,
      engineVersion: '',
      settings: {},
      gamesPerShard: 5,
      games: 5,
      positions,
      results: { wins: 1, losses: 2, draws: 2 },
      seconds: 1,
      complete: true,
      shards: [{ file: 'a.vf', games: 5, positions, sha256: sha256OfFile(file) }],
    };
    const empty = { games: 0, positions: 0, results: { wins: 0, losses: 0, draws: 0 } };
    writeManifest(run, { ...manifest, ...empty, complete: false, shards: [] });
    await expect(read([run])).rejects.toThrow(
      /run: no complete shard of 5 games yet; continue the run with its own command/,
    );
    writeManifest(run, manifest);
    expect((await read([run])).games.length).toBe(5);
    const copy = write('copy.vf', bytes);
    await expect(read([copy, run])).rejects.toThrow(`${file} is a copy of ${copy}; leave one of them out`);
    await expect(read([run, copy])).rejects.toThrow(`${copy} is a copy of ${file}; leave one of them out`);
    truncateSync(file, bytes.length - 1);
    await expect(read([run])).rejects.toThrow(/a\.vf is truncated/);
  });

  test('a compressed shard is rejected with the command to decompress it', async () => {
    const file = join(folder, 'games.vf.gz');
    writeFileSync(file, gzipSync(encodeGame(randomGame(1, 40))));
    await expect(read([file])).rejects.toThrow(
      `${file} holds a shard or other binary data; decompress it first, with gunzip or zstd -d`,
    );
  });

  test('a missing file and a file of positions are rejected', async () => {
    await expect(read([join(folder, 'nothing.vf')])).rejects.toThrow(/nothing\.vf: no such file/);
    await expect(read([write('a.txt', '')])).rejects.toThrow(/a\.txt holds positions: games are read from/);
  });
});
