import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { STARTPOS } from '../../../engine/board/fen.js';
import { type Outcome, runHere } from '../../support/program.js';
import { slowTest } from '../../support/slow.js';
import { PLAYERS, seasonPgn } from './season.js';

const MAIN = fileURLToPath(new URL('../../../dist/selfplay/ratings/main.js', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'heft-ratings-'));
afterAll(() => rmSync(scratch, { recursive: true }));
const write = (name: string, text: string): void => writeFileSync(join(scratch, name), text);
const run = (...args: string[]): Promise<Outcome> => runHere(MAIN, args, scratch);

const game = (white: string, black: string, result: string, moves = ''): string =>
  `[Event "x"]\n[White "${white}"]\n[Black "${black}"]\n[Result "${result}"]\n\n${moves} ${result}\n\n`;

interface Ranked {
  name: string;
  elo: number;
  error: number;
  games: number;
  points: number;
  score: number;
  draws: number;
  opponents: number;
}

async function ranking(
  ...args: string[]
): Promise<{ ratings: Ranked[]; pairs: number; whiteAdvantage: number; said: string }> {
  const { code, stdout, stderr } = await run(...args, '--json', 'out.json', '--force');
  expect([code, stderr]).toEqual([0, '']);
  return { ...JSON.parse(readFileSync(join(scratch, 'out.json'), 'utf8')), said: stdout };
}

describe('ratings of PGN files', () => {
  write('season.pgn', seasonPgn());

  test('equal players have the rating 0.0 without a sign', async () => {
    const openings = ['1. e4 e5', '1. d4 d5', '1. c4 c5'];
    write('white.pgn', openings.map((moves) => game('A', 'B', '1-0', moves) + game('B', 'A', '1-0', moves)).join(''));
    const { said } = await ranking('white.pgn');
    expect(said).toMatch(/ 0\.0 .* 0\n.* 0\.0 .* 0\n/);
    expect(said).not.toContain('-0');
  });

  test('ratings match Ordo within 0.05 Elo, and errors within 15 %', async () => {
    const { ratings, whiteAdvantage, said } = await ranking('season.pgn');
    for (const { name, ordo } of PLAYERS) {
      const mine = ratings.find((one) => one.name === name);
      expect(mine?.elo).toBeCloseTo(ordo[0], 1);
      expect(mine?.error).toBeGreaterThan(0.85 * ordo[1]);
      expect(mine?.error).toBeLessThan(1.15 * ordo[1]);
    }
    expect(whiteAdvantage).toBeCloseTo(37.59, 0);
    expect(ratings.map(({ elo }) => elo)).toEqual(ratings.map(({ elo }) => elo).toSorted((a, b) => b - a));
    expect(said).toMatch(/^Rank {2}Name {6} +Elo +\+\/- +Games/);
    expect(said).toMatch(
      /840 games of 8 players, 0 pairs .* White's advantage: 37\.5 Elo\. .* relative to the average\.\n$/,
    );
    // Each player meets each of the others equally often, and the average is 0
    for (const { elo, games, points, score, draws, opponents } of ratings) {
      expect(opponents).toBeCloseTo(-elo / 7, 6);
      expect(score * games).toBeCloseTo(points, 9);
      expect(draws > 0 && draws < 1 && points >= (draws * games) / 2).toBe(true);
    }
    expect(ratings.reduce((sum, { points }) => sum + points, 0)).toBe(840);
  });

  test('the summary does not overwrite the games', async () => {
    const { code, stderr } = await run('season.pgn', '--json', 'season.pgn', '--force');
    expect([code, stderr]).toEqual([
      2,
      'error: --json: season.pgn is also an input; choose a file outside the input folders\n',
    ]);
  });

  test('anchored ratings match Ordo', async () => {
    const { ratings, said } = await ranking('season.pgn', '--anchor', 'Elm=2500');
    for (const { name, anchored } of PLAYERS) {
      const mine = ratings.find((one) => one.name === name);
      expect(mine?.elo).toBeCloseTo(anchored[0], 1);
      expect(Math.abs((mine?.error ?? 0) - anchored[1])).toBeLessThanOrEqual(0.15 * anchored[1]);
    }
    expect(said).toMatch(/Elm +2500\.0 +anchor /);
    const shifted = await ranking('season.pgn', '--average', '1000', '--white-advantage', '0');
    expect(shifted.ratings.reduce((sum, { elo }) => sum + elo, 0)).toBeCloseTo(8000, 6);
    expect(shifted.whiteAdvantage).toBe(0);
  });

  test('two games of one opening with reversed colours count as one observation', async () => {
    // White wins every game
    const won = ['A', 'B'].map((white) =>
      game(white, white === 'A' ? 'B' : 'A', '1-0', '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6'),
    );
    write('won.pgn', won.join('').repeat(20) + game('A', 'B', '1/2-1/2', '1. d4').repeat(2));
    const { ratings, pairs } = await ranking('won.pgn', '--white-advantage', '0');
    expect(pairs).toBe(20);
    expect(ratings[0].error).toBeLessThan(15);
    write(
      'loose.pgn',
      readFileSync(join(scratch, 'won.pgn'), 'utf8').replaceAll('1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6', ''),
    );
    expect((await ranking('loose.pgn', '--white-advantage', '0')).ratings[0].error).toBeGreaterThan(40);
  });

  test('games with the same opening are recognised by start position and book moves', async () => {
    const pairsOf = async (one: string, other: string, fen = ''): Promise<number> => {
      const games = game('A', 'B', '1-0', one) + game('B', 'A', '1-0', other);
      write('book.pgn', games.replaceAll('\n\n1.', fen === '' ? '\n\n1.' : `\n[FEN "${fen}"]\n\n1.`));
      return (await ranking('book.pgn')).pairs;
    };
    const short = '1. e4 {book} c5 {book}';
    expect(await pairsOf(`${short} 2. Nc3 {+0.31/12 0.045s}`, `${short} 2. d4 {+0.31/12 0.045s}`)).toBe(1);
    const long = '1. e4 {book} e5 {book} 2. Nf3 {book} Nc6 {book} 3. Bc4 {book} Bc5 {book} 4. c3 {book} Nf6 {book}';
    expect(await pairsOf(`${long} 5. O-O {book} d6`, `${long} 5. a3 {book} d6`)).toBe(0);
    const fen = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1';
    expect(await pairsOf('1. e4 {book} c5', '1. e4 {book} e5', fen)).toBe(1);
    expect(await pairsOf('1. e4 {book} c5', '1. d4 {book} c5', fen)).toBe(0);
    expect(await pairsOf('1. e4 c5', '1. d4 d5', STARTPOS)).toBe(0);
  });

  slowTest('ratings are computed from several PGN files and match folders', async () => {
    mkdirSync(join(scratch, 'run'));
    write('run/games.pgn', game('A', 'B', '1-0', '1. e4'));
    write('more.pgn', game('B', 'C', '0-1', '1. e4') + game('C', 'A', '1/2-1/2', '1. e4'));
    const { ratings } = await ranking('run', 'more.pgn');
    expect(ratings.map(({ name, games }) => [name, games]).sort()).toEqual([
      ['A', 2],
      ['B', 2],
      ['C', 2],
    ]);
  });

  test('unfinished games, games of a player against itself and unreadable games are skipped and counted', async () => {
    write(
      'odd.pgn',
      game('A', 'B', '*', '1. e4') +
        game('A', 'A', '1-0', '1. e4') +
        game('A', 'B', '1-0', '1. e4') +
        game('A', 'B', '0-1', '1. e5') +
        game('?', 'B', '1-0', '1. e4'),
    );
    const { code, stdout, stderr } = await run('odd.pgn');
    expect(code).toBe(0);
    expect(stdout).toContain('1 game of 2 players, 0 pairs with reversed colours; 1 unfinished game left out;');
    expect(stderr).toBe("warning: odd.pgn:27: 'e5' is not a legal move here\n");
    expect(stdout).toMatch(/^ *1 +A /m);
    expect((await run('odd.pgn', '--min-games', '2')).stdout).not.toMatch(/^ *1 +A /m);
  });

  slowTest('unconnected groups of players cause a warning', async () => {
    write('islands.pgn', game('A', 'B', '1-0', '1. e4') + game('C', 'D', '1/2-1/2', '1. e4'));
    expect((await run('islands.pgn')).stderr).toBe(
      'warning: 2 groups of players have no games between them (those of A; C); compare ratings only within a group\n',
    );
    expect((await run('islands.pgn', '--anchor', 'A=0', '--anchor', 'C=100')).stderr).toBe('');
  });

  slowTest('ratings are finite for players who won or lost every game', async () => {
    const names = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];
    write(
      'sure.pgn',
      names.flatMap((white, i) => names.slice(i + 1).map((black) => game(white, black, '1-0', '1. e4'))).join(''),
    );
    const { ratings } = await ranking('sure.pgn');
    expect(ratings.map(({ name }) => name)).toEqual(names);
    expect(Math.abs(ratings[0].elo)).toBeLessThan(2000);
  });

  slowTest('ratings of hundreds of players take only seconds', async () => {
    const names = Array.from({ length: 400 }, (_, i) => `P${i}`);
    const games = names.flatMap((white, i) =>
      [1, 7, 50].map((step) => game(white, names[(i + step) % 400], ['1-0', '0-1', '1/2-1/2'][(i * step) % 3])),
    );
    write('many.pgn', games.join(''));
    const began = performance.now();
    expect((await ranking('many.pgn')).ratings).toHaveLength(400);
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  const mistakes: [args: string[], message: string, exitCode: number][] = [
    [['none.pgn'], 'none.pgn: no such file or folder', 1],
    [['season.pgn/x'], 'cannot read season.pgn/x: not a directory', 1],
    [['season.pgn', '--anchor', 'elm=2500'], `--anchor: no player 'elm'; the players are Elm, …`, 2],
    [['season.pgn', '--anchor', 'Elm'], "--anchor takes NAME=ELO, not 'Elm'", 2],
    [['season.pgn', '--anchor', 'Elm=1', '--anchor', 'Elm=2'], '--anchor: Elm has two ratings; keep one', 2],
    [['season.pgn', './season.pgn'], './season.pgn is given twice', 1],
    [['season.pgn', 'copy.pgn'], 'copy.pgn is a copy of season.pgn; leave one of them out', 1],
    [
      ['season.pgn', '--white-advantage', 'big'],
      "--white-advantage takes a number from -1000 to 1000, or fitted, not 'big' (see npm run ratings -- --help)",
      2,
    ],
    [[], 'Not enough non-option arguments: got 0, need at least 1 (see npm run ratings -- --help)', 2],
    [['empty.pgn'], 'empty.pgn: no games with player names', 1],
  ];

  test.each(mistakes)('%j is rejected', async (args, message, exitCode) => {
    write('empty.pgn', '');
    write('copy.pgn', seasonPgn());
    const { code, stderr } = await run(...args);
    expect([code, stderr]).toEqual([exitCode, `error: ${message}\n`]);
  });
});
