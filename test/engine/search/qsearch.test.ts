import { beforeAll, describe, expect, test } from 'vitest';
import { formatFen, parseFen } from '../../../engine/board/fen.js';
import { makeMove, unmakeMove } from '../../../engine/board/kernel.js';
import { moveToUci } from '../../../engine/board/move.js';
import { board, wholePosition } from '../../../engine/board/position.js';
import { legalMoves } from '../../../engine/board/rules.js';
import { NO_PIECE } from '../../../engine/board/types.js';
import { evaluate, newGame, resolveQuiet, search, setHashSize } from '../../../engine/engine.js';
import { randomBelow } from '../../../engine/kernel/random.js';
import { qsearch } from '../../../engine/search/qsearch.js';
import { INFINITE, MATE_BOUND, mateIn } from '../../../engine/search/score.js';
import { startAtRoot } from '../../../engine/search/step.js';
import { isSlow } from '../../support/slow.js';
import { randomWalks, seedOf } from '../board/walks.js';
import { KIWIPETE } from './harness.js';

const resolved = (fen: string): string[] => {
  newGame();
  parseFen(fen);
  return resolveQuiet().map((move) => moveToUci(move));
};

// The position as after a capture, so that its evaluation is not scaled down
const withoutClock = (): string => formatFen().replace(/ \d+ (\d+)$/, ' 0 $1');

// A small table is cleared quickly
beforeAll(() => setHashSize(1));

describe('resolveQuiet', () => {
  test.each([
    ['nothing hangs', 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', []],
    ['a queen hangs', '4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1', ['e4d5']],
    ['a piece is recaptured', '4k3/7p/2p5/3q4/8/2N5/7P/4K3 w - - 0 1', ['c3d5', 'c6d5']],
    ['the capture loses', '4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1', []],
    ['a pawn promotes', '8/P6k/8/8/8/8/8/4K3 w - - 0 1', ['a7a8q']],
    ['the side to move is mated', '7k/6Q1/6K1/8/8/8/8/8 b - - 0 1', []],
  ])('resolveQuiet returns the moves to a quiet position when %s', (_, fen, wanted) => {
    expect(resolved(fen)).toEqual(wanted);
  });

  test('resolveQuiet returns legal moves to a quiet position and leaves the position unchanged', () => {
    let lines = 0;
    randomWalks(seedOf('resolve'), isSlow ? 48 : 6, 80, ({ random, path }) => {
      if (randomBelow(random, 4) !== 0) return;
      newGame();
      // No history: a repetition would end the line
      const fen = withoutClock();
      parseFen(fen);
      const before = wholePosition.slice();
      startAtRoot();
      const value = qsearch(-INFINITE, INFINITE, 0, 0);
      newGame();
      const line = resolveQuiet();
      expect(wholePosition, path()).toEqual(before);
      if (line.length > 0) lines++;
      for (const move of line) {
        expect(legalMoves().includes(move), path()).toBe(true);
        makeMove(move);
      }
      if (Math.abs(value) < 31_000) {
        const sign = line.length % 2 === 0 ? 1 : -1;
        // Adding zero turns -0 into 0
        expect(sign * evaluate() + 0, `${path()} ${formatFen()}`).toBe(value + 0);
        newGame();
        startAtRoot();
        expect(qsearch(-INFINITE, INFINITE, 0, 0) + 0, `${path()} ${formatFen()}`).toBe(evaluate() + 0);
      }
      for (const move of line.toReversed()) unmakeMove(move);
      expect(formatFen()).toBe(fen);
    });
    expect(lines).toBeGreaterThan(isSlow ? 50 : 7);
  });

  test('resolveQuiet does not depend on searches before newGame', () => {
    const fens = [KIWIPETE, 'r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10'];
    for (const fen of fens) {
      const fresh = resolved(fen);
      search({ nodes: 10_000 });
      // Entries of the transposition table and correction histories may change the line
      newGame();
      expect(
        resolveQuiet().map((move) => moveToUci(move)),
        fen,
      ).toEqual(fresh);
    }
  });
});

describe('quiescence', () => {
  test('quiescence searches captures, promotions and evasions', () => {
    newGame();
    parseFen(KIWIPETE);
    const quiet = (move: Move): boolean =>
      board[(move >>> 6) & 63] === NO_PIECE && move >>> 14 !== 3 && move >>> 14 !== 1;
    const [first] = resolveQuiet();
    expect(first).toBeGreaterThan(0);
    expect(quiet(first)).toBe(false);
    // The only evasion is a quiet move, after which the queen can be captured
    expect(resolved('7k/8/8/8/8/7r/6PP/q3NK2 w - - 0 1').length).toBeGreaterThan(0);
  });

  test('quiescence finds a mate by a quiet check only at plies that search quiet checks', () => {
    newGame();
    parseFen('6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1');
    startAtRoot();
    expect(qsearch(-INFINITE, INFINITE, 0, 1)).toBe(mateIn(1));
    newGame();
    startAtRoot();
    expect(qsearch(-INFINITE, INFINITE, 0, 0)).toBeLessThan(MATE_BOUND);
  });

  test('the quiescence score is never below the static evaluation unless the side to move is in check', () => {
    randomWalks(seedOf('stand pat'), 10, 60, ({ oracle, path }) => {
      newGame();
      parseFen(withoutClock());
      if (oracle.isCheck()) return;
      expect(qsearch(-INFINITE, INFINITE, 0, 0), path()).toBeGreaterThanOrEqual(evaluate());
    });
  });
});
