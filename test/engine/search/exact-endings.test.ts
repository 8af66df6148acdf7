import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parseFen } from '../../../engine/board/fen.js';
import { state } from '../../../engine/board/position.js';
import { WHITE } from '../../../engine/board/types.js';
import { newGame, search, setHashSize } from '../../../engine/engine.js';
import { KIWIPETE, MIDDLEGAME } from './harness.js';

const linesOf = (file: string): string[][] =>
  readFileSync(fileURLToPath(new URL(`../../data/${file}`, import.meta.url)), 'utf8')
    .split('\n')
    .filter((line) => / [wb] - /.test(line))
    .map((line) => line.split('\t'));

/** Positions in which White has the pawn, with their result: 2 won, 0 drawn. */
const KPK = linesOf('kpk.tsv');
/** Material, position and the result for White, from 2 (won) to -2 (lost). */
const ENDINGS = linesOf('endings.tsv');

/** Returns White's score after a search that starts with the tables of the previous searches. */
function whiteScore(fen: string): number {
  parseFen(fen);
  const { score } = search({ nodes: 2000 });
  return state.stm === WHITE ? score : 0 - score;
}

// Fills the histories: corrections from other positions must not change known endgames
function fillHistories(): void {
  setHashSize(16);
  newGame();
  for (const fen of [KIWIPETE, MIDDLEGAME]) {
    parseFen(fen);
    search({ nodes: 20_000 });
  }
}

test('consecutive searches score KPK exactly: above 150 if won, 0 if drawn', () => {
  fillHistories();
  expect(KPK.length).toBeGreaterThan(400);
  const wrong = KPK.map(([fen, wdl]) => ({ fen, wdl, score: whiteScore(fen) })).filter(({ wdl, score }) =>
    wdl === '2' ? score <= 150 : score !== 0,
  );
  expect(wrong).toEqual([]);
});

describe('four-man endings', () => {
  // Searches of 2,000 nodes do not resolve these draws and one win of the rook, and no exact rule covers them
  test.each([
    { material: 'KBNvK', unseen: 0, unseenWins: 0 },
    { material: 'KNNvK', unseen: 0, unseenWins: 0 },
    { material: 'KBPvK', unseen: 1, unseenWins: 0 },
    { material: 'KRvKP', unseen: 12, unseenWins: 1 },
  ])(
    '$material is scored above 150 if won and 0 if drawn, except for $unseen draws and $unseenWins wins',
    ({ material, unseen, unseenWins }) => {
      fillHistories();
      const scored = ENDINGS.filter(([name]) => name === material).map(([, fen, result]) => {
        return { fen, result: Number(result), score: whiteScore(fen) };
      });
      expect(scored.length).toBeGreaterThan(80);
      const missed = scored.filter(({ result, score }) => result !== 0 && !(Math.sign(result) * score > 150));
      expect(missed.length, JSON.stringify(missed)).toBeLessThanOrEqual(unseenWins);
      expect(scored.filter(({ result, score }) => result === 0 && score !== 0).length).toBeLessThanOrEqual(unseen);
    },
  );
});

describe('a bare king', () => {
  test.each([
    ['bishop and knight win', '8/8/8/3k4/8/8/4BN2/4K3 w - - 0 1', 150, 40_000],
    ['two knights draw', '8/8/8/3k4/8/8/4NN2/4K3 w - - 0 1', 0, 0],
    ['the wrong bishop draws', '1k6/8/8/P7/8/4B3/8/K7 w - - 0 1', 0, 0],
    ['the right bishop wins', '1k6/8/8/P7/8/3B4/8/K7 w - - 0 1', 150, 40_000],
    ['stalemate draws', '7k/5K2/6P1/8/8/8/8/8 b - - 0 1', 0, 0],
  ])('%s', (_, fen, lowest, highest) => {
    fillHistories();
    const score = whiteScore(fen);
    expect(score).toBeGreaterThanOrEqual(lowest);
    expect(score).toBeLessThanOrEqual(highest);
  });
});
