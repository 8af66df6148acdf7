import { describe, expect, test } from 'vitest';
import { parseFen } from '../../../engine/board/fen.js';
import { makeMove } from '../../../engine/board/kernel.js';
import { parseUciMove } from '../../../engine/board/rules.js';
import { endOfLine, searchFrom, searchHere } from './harness.js';

describe('the score is a draw', () => {
  test.each([
    ['by stalemate', '7k/5Q2/6K1/8/8/8/8/8 b - - 0 1'],
    ['with bare minor pieces', '8/8/4k3/8/8/3BK3/8/8 w - - 0 1'],
    ['when the last pawn is lost', '8/8/8/8/8/8/kp6/1NK5 w - - 0 1'],
    ['by the fifty-move rule in one ply', '7k/8/8/8/8/8/R7/K7 w - - 99 80'],
    ['by the fifty-move rule in three plies', '7k/8/8/8/8/8/R7/K7 w - - 97 80'],
    ['by perpetual check', '6k1/6p1/8/8/8/8/rq6/4Q2K w - - 0 1'],
  ])('the score is a draw %s', (_, fen) => {
    const run = searchFrom(fen, { depth: 10 });
    expect(run.score === 0, `score ${run.score}`).toBe(true);
  });

  test('the score is a draw when a move repeats the position for the third time', () => {
    parseFen('6k1/8/8/8/8/1q6/8/R6K w - - 0 1');
    const cycle = ['a1a2', 'g8h8', 'a2a1', 'h8g8'];
    for (const text of [...cycle, ...cycle, 'a1a2', 'g8h8']) makeMove(parseUciMove(text));
    const run = searchHere({ depth: 6 });
    expect([run.best, run.score === 0]).toEqual(['a2a1', true]);
  });

  test('the score is not a draw after a single repetition of a position before the root', () => {
    parseFen('6k1/8/8/8/8/1q6/8/R6K w - - 0 1');
    for (const text of ['a1a2', 'g8h8']) makeMove(parseUciMove(text));
    expect(searchHere({ depth: 4 }).score).toBeLessThan(-200);
  });
});

describe('at the fifty-move limit', () => {
  test('at the fifty-move limit, a mate still counts', () => {
    const run = searchFrom('7k/R7/6K1/8/8/8/8/8 w - - 99 80', { depth: 5 });
    expect([run.best, run.score]).toEqual(['a7a8', 31999]);
  });

  test('at the fifty-move limit, a capture saves the win', () => {
    const run = searchFrom('r6k/8/8/8/8/8/R7/K7 w - - 99 80', { depth: 5 });
    expect(run.best).toBe('a2a8');
    expect(run.score).toBeGreaterThan(300);
  });

  test('at the fifty-move limit, the line ends with the game', () => {
    for (const clock of [94, 96, 98]) {
      const { infos } = searchFrom(`5k2/8/8/8/8/3b4/8/K6R w - - ${clock} 80`, { depth: 9 });
      expect(infos.length).toBeGreaterThan(5);
      for (const { pv } of infos) for (let n = 1; n < pv.length; n++) expect(endOfLine(pv.slice(0, n)).end).toBeNull();
    }
  });
});

test('without a legal move, the search returns a score and no best move', () => {
  const mated = searchFrom('7k/6Q1/6K1/8/8/8/8/8 b - - 0 1', { depth: 5 });
  expect(mated).toMatchObject({ bestMove: 0, ponderMove: 0, score: -32_000, depth: 0, nodes: 0 });
  expect(mated.infos).toHaveLength(1);
  const stalemated = searchFrom('7k/5Q2/6K1/8/8/8/8/8 b - - 0 1', { nodes: 100 });
  expect(stalemated).toMatchObject({ bestMove: 0, score: 0, depth: 0 });
  expect(stalemated.infos).toMatchObject([{ depth: 0, score: 0, pv: [] }]);
});
