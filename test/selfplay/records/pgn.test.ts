import type { Chess } from 'chessops/chess';
import { makeFen } from 'chessops/fen';
import { parsePgn, startingPosition } from 'chessops/pgn';
import { parseSan } from 'chessops/san';
import { describe, expect, test } from 'vitest';
import { formatFen, STARTPOS } from '../../../engine/board/fen.js';
import { MAX_HISTORY } from '../../../engine/board/workspace.js';
import { bench } from '../../../engine/commands/bench.js';
import { boardsOf } from '../../../selfplay/live/replay.js';
import { parseComment } from '../../../selfplay/records/comments.js';
import { formatPgn, pgnOfRecord, scoreInPawns } from '../../../selfplay/records/pgn.js';
import { replay, UNSCORED } from '../../../selfplay/records/record.js';
import { readMovetext } from '../../support/movetext.js';
import { randomGame } from '../../support/random-games.js';

describe('writing', () => {
  const { moves } = readMovetext('f3 e5 g4 Qh4#').game;

  test('a game longer than MAX_HISTORY does not corrupt the engine', () => {
    const round = readMovetext('Nf3 Nf6 Ng1 Ng8').game.moves;
    const long = Array.from({ length: 2 * MAX_HISTORY }, (_, ply) => round[ply % 4]);
    const { nodes } = bench(4);
    expect(formatPgn({ moves: long, result: '*' })).toMatch(/4096\.\s+Ng1\s+Ng8\s+\*\n\n$/);
    boardsOf(STARTPOS, long);
    expect(bench(4).nodes).toBe(nodes);
  });

  test('tags, comments and the termination reason are written', () => {
    const text = formatPgn({
      event: 'A "quoted" event',
      date: '2026.01.31',
      round: '3',
      white: 'heft',
      black: 'base',
      result: '0-1',
      moves,
      bookPlies: 1,
      scores: [-31, 0, -31999],
      depths: [12, 7, 3],
      milliseconds: [45, 1234, 40_500],
      reason: 'Black mates',
      termination: 'normal',
      timeControl: '10+0.1',
    });
    expect(text).toBe(`[Event "A \\"quoted\\" event"]
[Site "?"]
[Date "2026.01.31"]
[Round "3"]
[White "heft"]
[Black "base"]
[Result "0-1"]
[PlyCount "4"]
[Termination "normal"]
[TimeControl "10+0.1"]

1. f3 {book} e5 {+0.31/12 0.045s} 2. g4 {0.00/7 1.2s}
Qh4# {+M1/3 41s, Black mates} 0-1

`);
  });

  test('a custom start position, Black to move and Chess960 are written', () => {
    const start = 'bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR b HFhf - 3 7';
    const { moves } = readMovetext('g7g6 g2g3', start).game;
    const text = formatPgn({ start, chess960: true, moves, result: '*' });
    expect(text).toContain(`[SetUp "1"]\n[FEN "${start}"]\n[Variant "Chess960"]\n`);
    expect(text).toContain('\n\n7... g6 8. g3 *\n\n');
  });

  test('a game without moves is written', () => {
    expect(formatPgn({ moves: [], result: '1-0', reason: 'Black disconnects {x}' })).toContain(
      '\n{Black disconnects {x)} 1-0\n',
    );
    expect(formatPgn({ moves: [], result: '*' })).toMatch(/\n\n\*\n\n$/);
  });

  test.each([
    [31, '+0.31'],
    [-5, '-0.05'],
    [0, '0.00'],
    [30999, '+309.99'],
    [31995, '+M5'],
    [-31994, '-M6'],
    [32767, '+M0'],
  ])('the score %d is written in pawns', (score, text) => {
    expect(scoreInPawns(score)).toBe(text);
  });

  test('chessops reads written games; lines have at most 80 characters and do not start with a comment', () => {
    for (let seed = 0; seed < 12; seed++) {
      const record = randomGame(seed, 250);
      const text = formatPgn({ ...pgnOfRecord(record), reason: 'the end' });
      for (const line of text.split('\n')) {
        expect(line.length).toBeLessThanOrEqual(80);
        expect(line).not.toMatch(/^\{/);
      }
      const [game] = parsePgn(text);
      expect(game.headers.get('Result')).toBe(['0-1', '1/2-1/2', '1-0'][seed % 3]);
      const position = startingPosition(game.headers).unwrap() as Chess;
      let plies = 0;
      for (const { san } of game.moves.mainline()) {
        const move = parseSan(position, san);
        expect(move, `${seed}: ${san}`).toBeDefined();
        position.play(move!);
        plies++;
      }
      expect(plies).toBe(record.moves.length);
      replay(record, () => {});
      expect(makeFen(position.toSetup()).split(' ').slice(0, 4)).toEqual(formatFen().split(' ').slice(0, 4));
    }
  });

  test('a record is written without depths and times, and its scores can be read back', () => {
    const record = randomGame(7, 6);
    const text = formatPgn(pgnOfRecord(record));
    const scores = [...text.matchAll(/\{([^}]*)\}/g)].map(([, comment]) => comment);
    expect(scores.length).toBe(record.scores.filter((score) => score !== UNSCORED).length);
    for (const score of scores) {
      expect(score).toMatch(/^[+-]?(\d+\.\d\d|M\d+)$/);
      expect(parseComment(score).score).not.toBeNull();
    }
  });

  test('a record without scores is written without comments', () => {
    const record = randomGame(5, 4);
    record.scores.fill(UNSCORED);
    expect(formatPgn(pgnOfRecord(record))).not.toContain('{');
  });
});

describe('comments', () => {
  test.each([
    ['+0.31/12 0.045s', 31],
    ['-0.08/9 0.045s, White mates', -8],
    ['0.00/22 40s', 0],
    ['+M5/9 1.2s', 31995],
    ['-M6/20 0.5s, tl=1.2s, n=100, pv="e2e4 e7e5"', -31994],
    ['-M0/1 0s', -32000],
    ['31/12 45ms', 31],
    ['-1250/12 45ms', -1250],
    ['M5/14 3ms', 31995],
    ['(+0.50/7)', 50],
    ['+0.31', 31],
    ['-M6, Black mates', -31994],
    ['3.', null],
    ['a pawn up: +1.00', null],
    ['+400.00/9 1s', 31000],
    ['/7 0s', null],
    ['/0 0.000s', null],
    ['White mates', null],
    ['a pawn of 3/4 value', null],
    ['3/4 of players choose this', null],
    ['12/05 was the date', null],
    [' 0/1 8 40000', null],
    ['7.5/9 wins the tournament', null],
    ['2026.01.31', null],
    ['12.05.2024', null],
    ['+55.20% of 1200 games', null],
    ['1e400', null],
    ['+1e400/12', null],
    ['0:12:05', null],
    ['+0.31/12/05', null],
    ['0.31/12 5', 31],
    ['(Nf3 d5) +0.31/12 5', 31],
    ['(Nf3 d5 c4) -1.20/18 3', -120],
    ['+M3', 31997],
    ['-M0', -32000],
    ['#-3', -31995],
    ['#4', 31993],
    ['', null],
  ])('the comment %s is parsed', (text, score) => {
    expect(parseComment(text)).toEqual({ score, kind: 'mover', isBook: false });
  });

  test.each([
    [' [%eval 0.17] [%clk 0:00:30] ', 17],
    ['[%eval -2.35,18]', -235],
    ['[%eval -31,12]', -31],
    ['[%eval #3]', 31995],
    ['[%eval #-12]', -31977],
    ['[%clk 0:01:00] [%eval 5]', 500],
  ])('the lichess comment %s is parsed', (text, score) => {
    expect(parseComment(text)).toEqual({ score, kind: 'after', isBook: false });
  });

  test.each([
    ['d=30, sd=40, mt=12000, wv=0.31, R50=50', 31],
    ['wv=-1.25, mb=+0', -125],
    ['d=40, wv=-M12, n=1', -31977],
    ['wv=draw', null],
  ])('the TCEC score wv is for White: %s', (text, score) => {
    expect(parseComment(text)).toMatchObject({ score, kind: score === null ? 'mover' : 'white' });
  });

  test('book comments are recognised', () => {
    expect(parseComment('book').isBook).toBe(true);
    expect(parseComment('book, Draw by adjudication').isBook).toBe(true);
    expect(parseComment('a bookish move').isBook).toBe(false);
  });
});

describe('movetext', () => {
  const read = (text: string, fen?: string) => {
    const { game, fault } = readMovetext(text, fen);
    return { ...game, fault };
  };

  test('SAN, long algebraic notation and UCI give the same moves', () => {
    const expected = read('1. e4 c5 2. Nf3 d6 3. Bb5+ Bd7 4. O-O Nf6 *').moves;
    expect(expected.length).toBe(8);
    expect(read('e2e4 c7c5 g1f3 d7d6 f1b5 c8d7 e1g1 g8f6 *').moves).toEqual(expected);
    expect(read('1. e2-e4 c7-c5 2. Ng1-f3 d7-d6 3. Bf1-b5+ Bc8-d7 4. 0-0 Ng8-f6 *').moves).toEqual(expected);
    expect(read('1.e4 c5 2.Nf3! d6?! 3.Bb5+!! Bd7 4.O-O Nf6 *').moves).toEqual(expected);
  });

  test('numbers, glyphs and variations are skipped, and comments are kept', () => {
    const text = `{preface} 1. e4 $1 (1. d4 d5 {a (nested} (1... Nf6 2. c4) 2. c4) 1... e5 {one} {two} ; rest e6
      2. Nf3 N $10 +- Nc6 ! 3 Bb5 1/2-1/2`;
    const game = read(text);
    expect(game.moves).toEqual(read('e4 e5 Nf3 Nc6 Bb5').moves);
    expect(game.comments).toEqual(['', 'one two', '', '', '']);
    expect(game.result).toBe('1/2-1/2');
  });

  test("braces and quotes inside an engine's comment do not end it", () => {
    const text =
      '1. e4 {+0.20/5 0.010s, line="a } b \\" {c} d x"} e5 {0.00/3 0s, line="}"} 2. Nf3 {+0.10/1 0s, White wins} 1-0';
    const game = read(text);
    expect(game.moves.length).toBe(3);
    expect(game.comments[0]).toContain('d x');
    expect(game.result).toBe('1-0');
  });

  test('an unclosed comment extends to the end of the text', () => {
    const { moves, result, repairs } = read('1. e4 {+0.20/5 0.010s e5 2. Nf3');
    expect([moves.length, result, repairs]).toEqual([
      1,
      '*',
      ['unterminated comment', 'no result, read as unfinished'],
    ]);
  });

  test('Chess960 castling is read in SAN and UCI', () => {
    const fen = '1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1';
    expect(read('O-O-O O-O 1-0', fen).moves.length).toBe(2);
    expect(read('e1b1 e8h8 1-0', fen).moves).toEqual(read('O-O-O O-O 1-0', fen).moves);
  });

  test.each([
    ['1. e4 e5\n2. Ke3 *', "'Ke3' is not a legal move here", 2],
    ['1. e4 blunder e5 *', "'blunder' is not a legal move here", 1],
    ['1. e4 e5\n2. Nd2 Nf6 3. Nf3 *', "'Nd2' is not a legal move here", 2],
    ['1. d4 d5 2. Nf3 Nf6 3. Nd2 *', "'Nd2' fits several moves here", 1],
    ['1. e4 1-0 0-1', 'a second result, 0-1 after 1-0', 1],
  ])('the fault in %s is reported', (text, message, line) => {
    expect(read(text).fault).toMatchObject({ what: message, line });
  });
});
