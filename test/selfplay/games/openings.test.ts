import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { formatFen, parseFen, STARTPOS } from '../../../engine/board/fen.js';
import { isInCheck, makeMove } from '../../../engine/board/kernel.js';
import { moveToUci } from '../../../engine/board/move.js';
import { gameEnd, legalMoves } from '../../../engine/board/rules.js';
import { randomOpening } from '../../../engine/commands/random-opening.js';
import { createRandom } from '../../../engine/kernel/random.js';
import { UserError } from '../../../selfplay/common/errors.js';
import { openBook, parseBookLine } from '../../../selfplay/games/book.js';
import { chess960Start, type OpeningSource, randomOpenings } from '../../../selfplay/games/openings.js';
import { slowTest } from '../../support/slow.js';

const scratch = mkdtempSync(join(tmpdir(), 'heft-openings-'));
afterAll(() => rmSync(scratch, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(scratch, name);
  writeFileSync(path, content);
  return path;
}

const fens = (source: OpeningSource, count: number): string[] =>
  Array.from({ length: count }, (_, pair) => source(pair).fen);
const RANDOM = { seed: 1, plies: 8, chess960: false, dfrc: false };
const sequential = { order: 'sequential', plies: 1000 } as const;

describe('random openings', () => {
  test('random openings are legal, have the requested length, and set the position', () => {
    for (let seed = 0; seed < 50; seed++) {
      const { start, moves, fen } = randomOpening(createRandom(seed), 9);
      expect(formatFen()).toBe(fen);
      expect(gameEnd()).toBeNull();
      parseFen(start);
      for (const move of moves) {
        expect(legalMoves()).toContain(move);
        makeMove(move);
      }
      expect([moves.length, formatFen()]).toEqual([9, fen]);
    }
  });

  test('random openings depend only on seed and number', () => {
    const forwards = fens(randomOpenings({ ...RANDOM, seed: 5 }), 20);
    const source = randomOpenings({ ...RANDOM, seed: 5 });
    const backwards = Array.from({ length: 20 }, (_, i) => source(19 - i).fen).reverse();
    expect(backwards).toEqual(forwards);
    expect(fens(randomOpenings({ ...RANDOM, seed: 6 }), 20)).not.toEqual(forwards);
    expect(new Set(forwards).size).toBe(20);
  });

  test('random openings satisfy the given condition, and fail if no position does', () => {
    for (let seed = 0; seed < 3; seed++) {
      randomOpening(createRandom(seed), 9, isInCheck);
      expect(isInCheck()).toBe(true);
    }
    expect(() => randomOpening(createRandom(1), 3, undefined, 'k7/8/1QK5/8/8/8/8/8 b - - 0 1')).toThrow(
      /no acceptable/,
    );
  });

  test('a rejected opening is not tested again', () => {
    const tested: string[] = [];
    const reject = (): boolean => {
      tested.push(formatFen());
      return false;
    };
    expect(() => randomOpening(createRandom(1), 1, reject)).toThrow(/no acceptable/);
    expect(tested).toHaveLength(20);
    expect(() => randomOpening(createRandom(1), 0, reject)).toThrow(/no acceptable/);
    expect(tested).toHaveLength(21);
  });

  test('random openings of Chess960 start from one of the 960 positions', () => {
    expect(chess960Start(518)).toBe(STARTPOS);
    expect(chess960Start(0)).toBe('bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1');
    const all = Array.from({ length: 960 }, (_, number) => chess960Start(number));
    expect(new Set(all).size).toBe(960);
    for (const fen of all) {
      const rank = fen.slice(0, 8);
      expect([...rank].sort().join('')).toBe('bbknnqrr');
      expect(rank).toMatch(/r.*k.*r/);
      expect((rank.indexOf('b') + rank.lastIndexOf('b')) % 2).toBe(1);
    }
    const source = randomOpenings({ ...RANDOM, chess960: true });
    const starts = Array.from({ length: 10 }, (_, pair) => source(pair).start);
    expect(starts.every((start) => all.includes(start))).toBe(true);
  });

  test('random openings of double Chess960 have different back ranks', () => {
    expect(chess960Start(0, 518)).toBe('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1');
    const { start } = randomOpenings({ ...RANDOM, chess960: true, dfrc: true })(0);
    const ranks = start.split(' ')[0].split('/');
    expect(ranks[7].toLowerCase()).not.toBe(ranks[0]);
    const single = randomOpenings({ ...RANDOM, chess960: true })(0);
    expect(ranks[7].toLowerCase()).toBe(single.start.slice(0, 8));
  });
});

const MIXED = [
  'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - hmvc 3; fmvn 7;',
  '',
  '# a note',
  'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6  ',
  '4k3/8/8/8/8/8/8/4K2R b K - 5 40',
  '4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id "x";',
];
const READ = [
  'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 3 7',
  'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 1',
  '4k3/8/8/8/8/8/8/4K2R b K - 5 40',
  '4k3/8/8/8/8/8/8/4K2R w K - 0 1',
];

slowTest('an unreachable number of random plies is reported', () => {
  expect(() => randomOpenings({ ...RANDOM, plies: 1000 })(0)).toThrow(UserError);
});

describe('a book', () => {
  test.each([
    ['with line feeds', MIXED.join('\n')],
    ['with carriage returns and a byte-order mark', `\uFEFF${MIXED.join('\r\n')}\r\n`],
    ['gzipped', gzipSync(`${MIXED.join('\n')}\n`)],
  ])('a book of EPD and FEN lines (%s) is read in order and wraps around', async (name, content) => {
    const book = await openBook({ ...sequential, file: file(`${name}.epd`, content) }, 1);
    expect(fens(book.opening, 6)).toEqual([...READ, READ[0], READ[1]]);
  });

  test('the order of a shuffled book depends only on the seed', async () => {
    const lines = Array.from({ length: 64 }, (_, i) => `4k3/8/8/8/8/8/8/4K2R w K - ${i} 40`);
    const path = file('many.epd', lines.join('\n'));
    const shuffled = async (seed: number): Promise<string[]> =>
      fens((await openBook({ file: path, order: 'random', plies: 8 }, seed)).opening, 64);
    const one = await shuffled(1);
    expect(one).not.toEqual(lines);
    expect(one.toSorted()).toEqual(lines.toSorted());
    expect(await shuffled(1)).toEqual(one);
    expect(await shuffled(2)).not.toEqual(one);
  });

  test('a book of PGN games yields their first moves', async () => {
    const pgn =
      '[Event "x"]\n\n1. e4 {good} e5 (1... c5) 2. Nf3 Nc6 *\n\n[Event "y"]\n[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]\n\n1. O-O 1-0\n';
    const book = await openBook({ order: 'sequential', plies: 3, file: file('games.pgn', pgn) }, 1);
    const [first, second] = [book.opening(0), book.opening(1)];
    expect(first.moves.map((move) => moveToUci(move))).toEqual(['e2e4', 'e7e5', 'g1f3']);
    expect(first.fen).toBe('rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2');
    expect(second).toMatchObject({ start: '4k3/8/8/8/8/8/8/4K2R w K - 0 1', fen: '4k3/8/8/8/8/8/8/5RK1 b - - 1 1' });
  });

  test('start positions of PGN games are completed and use KQkq castling rights', async () => {
    const start = 'r3k2r/8/8/8/8/8/8/R3K2R w';
    const tags = ['KQkq -', 'HAha - 0 1', 'KQkq  - 3 9'];
    const pgn = tags.map((rest) => `[Event "x"]\n[FEN "${start} ${rest}"]\n\n*\n`).join('\n');
    const book = await openBook({ order: 'sequential', plies: 3, file: file('short-fen.pgn', pgn) }, 1);
    expect(tags.map((_, pair) => book.opening(pair).start)).toEqual([
      `${start} KQkq - 0 1`,
      `${start} KQkq - 0 1`,
      `${start} KQkq - 3 9`,
    ]);
  });

  test('impossible castling rights and en-passant squares are removed from book lines', () => {
    const starts = [
      ['4k3/pppppppp/8/8/8/8/PPPPPPPP/4K2R w KQkq - 0 1', '4k3/pppppppp/8/8/8/8/PPPPPPPP/4K2R w K - 0 1'],
      ['1k4r1/8/8/8/8/8/8/1K4R1 w KQk - 3 9', '1k4r1/8/8/8/8/8/8/1K4R1 w Gg - 3 9'],
      ['4k3/8/8/8/4p3/8/8/4K2R w K e3 0 1', '4k3/8/8/8/4p3/8/8/4K2R w K - 0 1'],
      ['4k3/8/8/8/4P3/8/8/4K2R b K e3 0 1', '4k3/8/8/8/4P3/8/8/4K2R b K e3 0 1'],
      ['4k3/8/8/8/4P3/8/4R3/4K3 b - e3 0 1', '4k3/8/8/8/4P3/8/4R3/4K3 b - - 0 1'],
      ['1k4r1/8/8/8/8/8/8/1K4R1 w Kk - 3 9', '1k4r1/8/8/8/8/8/8/1K4R1 w Kk - 3 9'],
    ];
    for (const [line, start] of starts) expect(parseBookLine(line).start).toBe(start);
  });

  test('an opening from a finished game stops before its end', async () => {
    const pgn = '[Event "x"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n';
    const book = await openBook({ ...sequential, file: file('mate.pgn', pgn) }, 1);
    expect(book.opening(0).moves).toHaveLength(3);
    expect(book.opening(0).fen).toBe('rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2');
  });

  test.each([
    ['4k3/8/8/8/8/8/8/4K2R w', /:3: a position has four fields: board, side to move, castling, en passant$/],
    ['4k3/8/8/8/8/8/4K2R w K - 0 1', /:3: the board is not 8 ranks of 8 squares$/],
    ['k7/8/1QK5/8/8/8/8/8 b - - 0 1', /:3: the game is over in this position$/],
    ['eco\tepd', /:3: 'eco\tepd' is not a position$/],
  ])('a book with the line "%s" is rejected with its line number', async (line, message) => {
    const path = file('wrong.epd', `${READ[0]}\n\n${line}\n`);
    await expect(openBook({ ...sequential, file: path }, 1)).rejects.toThrow(message);
  });

  test('a book without openings, a missing book and an illegal move are rejected', async () => {
    await expect(openBook({ ...sequential, file: file('empty.epd', '\n') }, 1)).rejects.toThrow(
      /empty\.epd: no openings/,
    );
    await expect(openBook({ ...sequential, file: '/no/such' }, 1)).rejects.toThrow(/^cannot read/);
    const mated = '[Event "x"]\n[FEN "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"]\n\n*\n';
    await expect(openBook({ ...sequential, file: file('mated.pgn', mated) }, 1)).rejects.toThrow(
      /mated\.pgn:\d: the game is over in this position/,
    );
    await expect(openBook({ ...sequential, file: file('x.pgn', '[Event "x"]\n\n1. e5 *\n') }, 1)).rejects.toThrow(
      /x\.pgn:3/,
    );
  });

  test('a book with an endless line is rejected at once, plain or compressed', async () => {
    const piece = gzipSync(Buffer.alloc(1 << 24, 'x'));
    const bomb = Buffer.concat([gzipSync(`${READ[0]}\n`), ...new Array(64).fill(piece)]);
    for (const path of [file('bomb.epd', bomb), '/dev/zero']) {
      const [began, before] = [process.cpuUsage(), process.memoryUsage().rss];
      await expect(openBook({ ...sequential, file: path }, 1)).rejects.toThrow(/:[12]: a line of more than 1048576/);
      expect(process.cpuUsage(began).user / 1000).toBeLessThan(5000);
      expect(process.memoryUsage().rss - before).toBeLessThan(200 << 20);
    }
  });

  test('a truncated gzipped book is rejected', async () => {
    const path = file('cut.epd.gz', gzipSync(READ.join('\n')).subarray(0, -3));
    await expect(openBook({ ...sequential, file: path }, 1)).rejects.toThrow(/truncated or damaged/);
  });

  test.each([
    ['4k3/8/8/8/8/8/8/4K2R w K - hmvc 2;fmvn 3;', '4k3/8/8/8/8/8/8/4K2R w K - 2 3'],
    ['4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id "a; hmvc 9"; hmvc 2;', '4k3/8/8/8/8/8/8/4K2R w K - 2 1'],
    ['"4k3/8/8/8/8/8/8/4K2R w K - 2 3"', '4k3/8/8/8/8/8/8/4K2R w K - 2 3'],
    ['position fen 4k3/8/8/8/8/8/8/4K2R w K - 2 3', '4k3/8/8/8/8/8/8/4K2R w K - 2 3'],
    ['position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 3 moves e1g1', '4k3/8/8/8/8/8/8/5RK1 b - - 1 3'],
    ['position startpos moves e2e4', 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'],
    ['fen 4k3/8/8/8/8/8/8/4K2R w K - 2 3;', '4k3/8/8/8/8/8/8/4K2R w K - 2 3'],
    ['4k3/8/8/8/8/8/8/4K2R w K -;cp 30;draw;', '4k3/8/8/8/8/8/8/4K2R w K - 0 1'],
    ['r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1', 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1'],
    ['1k6/8/8/8/8/8/8/R1K4R w HA - 0 1', '1k6/8/8/8/8/8/8/R1K4R w HA - 0 1'],
  ])('a book line %s is an opening', (line, fen) => {
    expect(parseBookLine(line).fen).toBe(fen);
  });

  test('a book line with illegal moves is rejected', () => {
    expect(() => parseBookLine('4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1e3')).toThrow("'e1e3' is not a legal move here");
  });

  test('moves after a position without the word moves are rejected, and EPD comments are not moves', () => {
    const start = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -';
    for (const moves of [';e2e4 e7e5', ' e4 e5', ',Nf3,12'])
      expect(() => parseBookLine(`${start} 0 1${moves}`)).toThrow(/^the moves after the position need the word moves/);
    expect(parseBookLine(`${start} c4 "a comment"; id "e4";`).moves).toEqual([]);
  });

  test('a book line that is not a position is rejected', () => {
    expect(() => parseBookLine('nonsense of four fields')).toThrow();
  });
});
