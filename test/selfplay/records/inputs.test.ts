// Files written by people and programs, each with one deviation from the standards, and their expected contents.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { noProblems } from '../../../selfplay/common/errors.js';
import { openBook } from '../../../selfplay/games/book.js';
import { moveToUci } from '../../../selfplay/notation/board.js';
import { readTextGame } from '../../../selfplay/notation/text-game.js';
import { readLabelled } from '../../../selfplay/positions/reader.js';
import { kindOfFile } from '../../../selfplay/records/file-kind.js';
import { newReadReport } from '../../../selfplay/records/game-kind.js';
import { readRecords } from '../../../selfplay/records/game-reader.js';
import { exclusionOf, PgnFacts, readPgn } from '../../../selfplay/records/pgn-reader.js';

const input = (name: string): string => fileURLToPath(new URL(`../../inputs/${name}`, import.meta.url));

/** Returns plies, result and reason of exclusion of each game, and the faults. */
async function gamesOf(name: string): Promise<{ games: string[]; faults: string[]; repairs: object }> {
  const file = input(name);
  const problems = noProblems();
  const facts = new PgnFacts();
  const games: string[] = [];
  for await (const game of readPgn(file, problems, facts)) {
    games.push([game.moves.length, game.result, exclusionOf(game) ?? ''].join(' ').trim());
  }
  expect(await kindOfFile(file)).toBe('pgn');
  return { games, faults: problems.messages.map((message) => message.replace(`${file}:`, '')), repairs: facts.repairs };
}

describe('games', () => {
  test.each<[string, string[], object?]>([
    ['movetext/c01_var_close.pgn', ['8 1-0']],
    ['movetext/c09_move_semicolon.pgn', ['8 1-0']],
    ['movetext/c12_nested_close.pgn', ['8 1-0']],
    ['movetext/d01_silent_swallow.pgn', ['12 1-0']],
    ['movetext/d04_comment_opens_variation.pgn', ['4 1-0']],
    ['movetext/d05_num_space_dots.pgn', ['4 1-0']],
    ['movetext/n02_z0_main.pgn', ['1 1-0', '8 1-0'], { 'null move': 1 }],
    ['movetext/q5000.pgn', ['4 1-0']],
    ['movetext/s09_double_check.pgn', ['7 1-0', '7 1-0', '7 1-0', '7 1-0', '6 1-0']],
    ['movetext/s16_tail_check_punct.pgn', ['8 1-0', '8 1-0', '8 1-0']],
    ['files/d07_fen_mixed_silent.pgn', ['4 1-0']],
    ['files/d11_chesscom.pgn', ['4 0-1 time']],
    ['files/d12_chesscom_brace.pgn', ['4 0-1']],
    ['files/d13_chesscom_daily_abandon.pgn', ['2 1-0 abandoned']],
    ['files/e02_cr.pgn', ['8 1-0', '4 0-1']],
    ['files/e04_utf16le.pgn', ['8 1-0', '4 0-1']],
    ['files/e12_ctrlz.pgn', ['8 1-0', '4 0-1']],
    ['files/g02_second_fen_silent.pgn', ['4 1-0', '2 1-0']],
    ['files/g15_percent.pgn', ['4 1-0']],
    ['files/t02_moves_on_tag_line.pgn', ['4 1-0', '8 1-0']],
    ['files/t07_tag_hyphen.pgn', ['2 1-0', '8 1-0']],
    ['files/t20_no_result_token.pgn', ['4 1-0', '8 1-0'], { 'result from the tag': 1 }],
    ['files/t24_headless.pgn', ['4 1-0', '2 0-1', '2 1/2-1/2']],
    ['files/v01_koth.pgn', ['0 1-0 variant King of the Hill', '8 1-0']],
    ['files/v02_threecheck.pgn', ['0 1-0 variant Three-check', '8 1-0']],
    ['files/v07_zh.pgn', ['0 1-0 variant Crazyhouse', '0 1-0 variant Crazyhouse', '8 1-0']],
  ])('the games of %s are read', async (name, games, repairs: object = {}) => {
    expect(await gamesOf(name)).toEqual({ games, faults: [], repairs });
  });

  test('every form of promotion in s05_promo_forms.pgn is read, except one without a piece', async () => {
    expect(await gamesOf('movetext/s05_promo_forms.pgn')).toEqual({
      games: ['12 1-0', '12 1-0', '12 1-0', '12 1-0'],
      faults: ["49: 'a8' is not a legal move here"],
      repairs: {},
    });
  });

  test.each([
    ['files/v01_koth.pgn', 1, { 'variant King of the Hill': 1 }],
    ['files/v07_zh.pgn', 1, { 'variant Crazyhouse': 2 }],
    ['movetext/n02_z0_main.pgn', 2, {}],
  ])('the tuner uses only the standard chess games in %s', async (name, used, excluded) => {
    const report = newReadReport();
    let games = 0;
    for await (const _ of readRecords([input(name)], report)) games++;
    expect([games, report.excluded, report.problems.count]).toEqual([used, excluded, 0]);
  });

  test.each([
    ['files/d11_chesscom.pgn', /none of its 1 games is usable \(1 time\)/],
    ['files/d13_chesscom_daily_abandon.pgn', /none of its 1 games is usable \(1 abandoned\)/],
  ])('a file without usable games is rejected: %s', async (name, message) => {
    await expect(async () => {
      for await (const _ of readRecords([input(name)], newReadReport()));
    }).rejects.toThrow(message);
  });
});

describe('labels', () => {
  test.each([
    ['a02_c9_noquotes.epd', [1, 0, 0.5]],
    ['a14_semicolon_hdr.csv', [1, 0, 0.5]],
    ['a19_csv_decimalcomma.csv', [1, 0, 0.5]],
    ['a26_cr.epd', [1, 0, 0.5]],
    ['a43_only_wins.txt', new Array(60).fill(1)],
    ['one.txt', [1]],
  ])('the labels of %s are read', async (name, expected) => {
    const problems = noProblems();
    const results: number[] = [];
    for await (const { result } of readLabelled(input(`labels/${name}`), problems)) results.push(result);
    expect([results, problems.messages]).toEqual([expected, []]);
  });
});

describe('books', () => {
  test.each([
    ['labels/a26_cr.epd', 3, 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1'],
    ['labels/b18_fen_moves.txt', 1, 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'],
    ['labels/b28_semi_nospace.epd', 1, 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1'],
    ['files/t24_headless.pgn', 3, 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3'],
  ])('the book %s contains the expected openings', async (name, size, fen) => {
    const book = await openBook({ file: input(name), order: 'sequential', plies: 8 }, 1);
    expect([book.size, book.opening(0).fen]).toEqual([size, fen]);
  });

  test('a book with a game of another variant is rejected with its line number', async () => {
    const book = openBook({ file: input('files/v02_threecheck.pgn'), order: 'sequential', plies: 8 }, 1);
    await expect(book).rejects.toThrow(/v02_threecheck\.pgn:1: variant Three-check is not supported$/);
  });
});

describe('pasted text', () => {
  test.each([
    ['movetext/d04_comment_opens_variation.pgn', 'd2d4 g8f6 c2c4 e7e6'],
    ['files/g02_second_fen_silent.pgn', 'e2e4 e7e5 g1f3 b8c6'],
    ['files/g15_percent.pgn', 'e2e4 e7e5 g1f3 b8c6'],
    ['labels/b18_fen_moves.txt', 'e2e4 e7e5'],
  ])('the moves of the pasted text %s are read', (name, moves) => {
    const { start, moves: read, problem } = readTextGame(readFileSync(input(name), 'utf8'));
    expect(start).toMatch(/^rnbqkbnr\/pppppppp\/8\/8\/8\/8\/PPPPPPPP\/RNBQKBNR w/);
    expect([read.map((move) => moveToUci(move)).join(' '), problem]).toEqual([moves, '']);
  });
});
