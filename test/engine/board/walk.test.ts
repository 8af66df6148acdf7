import { beforeAll, describe, expect, test } from 'vitest';
import { formatFen, parseFen } from '../../../engine/board/fen.js';
import { isLegal, makeMove, refreshSums, unmakeMove } from '../../../engine/board/kernel.js';
import { makeNullMove, unmakeNullMove } from '../../../engine/board/makemove.js';
import { moveToUci } from '../../../engine/board/move.js';
import { generate, NOISY, QUIET } from '../../../engine/board/movegen.js';
import { bb, board, keys, kingSquare, state, wholePosition } from '../../../engine/board/position.js';
import { formatSan, gameEnd, legalMoves, parseSan } from '../../../engine/board/rules.js';
import { KING, NO_PIECE } from '../../../engine/board/types.js';
import { moves } from '../../../engine/board/workspace.js';
import { WEIGHT_COUNT } from '../../../engine/eval/terms.js';
import { setWeights } from '../../../engine/eval/weights-in-use.js';
import { createRandom, randomBelow } from '../../../engine/kernel/random.js';
import { oracleEnd, oracleFen, oracleMoves, oracleSan } from '../../support/oracle.js';
import { randomWalks, seedOf } from './walks.js';

type Values = ArrayLike<number | bigint>;

function expectSame(found: Values, wanted: Values, path: string): void {
  for (let i = 0; i < wanted.length; i++) {
    if (found[i] !== wanted[i]) expect(Array.from(found), path).toEqual(Array.from(wanted));
  }
}

/** Returns the bitboards that follow from the mailbox. */
function boardsOf(mailbox: Int32Array): BigUint64Array {
  const boards = new BigUint64Array(16);
  mailbox.forEach((piece, square) => {
    if (piece === NO_PIECE) return;
    for (const entry of [piece, 6 | (piece & 8)]) boards[entry] |= 1n << BigInt(square);
  });
  return boards;
}

/** Checks bitboards, king squares, keys, phase and piece-square sum against a fresh count from the mailbox. */
function expectConsistent(path: string): void {
  const kept = wholePosition.slice();
  refreshSums();
  expectSame(kept, wholePosition, path);
  expectSame(bb, boardsOf(board), path);
  expect([...kingSquare], path).toEqual([board.indexOf(KING), board.indexOf(KING | 8)]);
}

const uciMoves = (): string[] =>
  legalMoves()
    .map((move) => moveToUci(move, true))
    .sort();

beforeAll(() => {
  const random = createRandom(1);
  const values = Array.from({ length: WEIGHT_COUNT }, () => randomBelow(random, 201) - 100);
  setWeights(values, values.toReversed());
});

describe('random walks', () => {
  test('on random walks, legal moves, FEN and game end match the oracle', () => {
    const met = { kinds: new Set<number>(), ends: new Set<string | null>(), positions: 0 };
    randomWalks(seedOf('walk'), 72, 110, ({ oracle, path }) => {
      const position = { fen: oracleFen(oracle), moves: oracleMoves(oracle), end: oracleEnd(oracle) };
      const end = gameEnd();
      expect(
        {
          fen: formatFen(),
          moves: uciMoves(),
          // The oracle has no game history
          end: end === 'fifty' || end === 'repetition' ? null : end,
        },
        path(),
      ).toEqual(position);
      met.positions++;
      met.ends.add(end);
      for (const move of legalMoves()) met.kinds.add(move >>> 14);
    });
    expect(met.kinds.size, 'castling, en passant and promotion were met').toBe(4);
    expect([...met.ends]).toEqual(expect.arrayContaining(['checkmate', 'stalemate', 'material', null]));
    expect(met.positions).toBeGreaterThan(3000);
  });

  test('on random walks, unmakeMove restores the position and all incremental values exactly', () => {
    randomWalks(seedOf('make and unmake'), 18, 50, ({ path }) => {
      const before = wholePosition.slice();
      expectConsistent(path());
      for (const move of legalMoves()) {
        makeMove(move);
        expectConsistent(`${path()} ${moveToUci(move, true)}`);
        unmakeMove(move);
        expectSame(wholePosition, before, `${path()} back from ${moveToUci(move, true)}`);
      }
      makeNullMove();
      expectConsistent(`${path()} null`);
      unmakeNullMove();
      expectSame(wholePosition, before, `${path()} back from the null move`);
    });
  });

  test('on random walks, captures and promotions are generated separately from quiet moves', () => {
    randomWalks(seedOf('kinds'), 40, 80, ({ path }) => {
      const half = generate(0, NOISY);
      const noisy = Array.from(moves.slice(0, half));
      const quiet = Array.from(moves.slice(half, generate(half, QUIET)));
      expect([...noisy, ...quiet].sort(), path()).toEqual(legalMoves().sort());
      const isNoisy = (move: Move): boolean => [1, 3].includes(move >>> 14) || board[(move >>> 6) & 63] !== NO_PIECE;
      expect(noisy.filter(isNoisy), path()).toEqual(noisy);
      expect(
        quiet.filter((move) => move >>> 14 !== 2 && isNoisy(move)),
        path(),
      ).toEqual([]);
    });
  });

  test('on random walks, isLegal accepts exactly the generated moves among all 65,536 codes', () => {
    randomWalks(seedOf('legality'), 18, 80, ({ random, path }) => {
      if (randomBelow(random, 20) !== 0) return;
      const wanted = new Set(legalMoves());
      const wrong: string[] = [];
      for (let code = 0; code < 0x10000; code++) {
        if (isLegal(code) !== wanted.has(code)) wrong.push(`${code} ${moveToUci(code, true)} kind ${code >>> 14}`);
      }
      expect(wrong, path()).toEqual([]);
    });
  });

  test('on random walks, SAN matches the oracle and parses back to the same move', () => {
    const suffixes = new Set<string>();
    randomWalks(seedOf('san'), 24, 80, ({ oracle, random, path }) => {
      if (randomBelow(random, 6) !== 0) return;
      for (const move of legalMoves()) {
        const san = formatSan(move);
        expect(san, path()).toBe(oracleSan(oracle, moveToUci(move, true)));
        expect(parseSan(san), `${path()}: ${san}`).toBe(move);
        suffixes.add(/[+#]$/.exec(san)?.[0] ?? '');
      }
    });
    expect([...suffixes].sort()).toEqual(['', '#', '+']);
  });

  test('on random walks, each position survives a FEN round trip', () => {
    const facts = () => ({ boards: [...bb], board: [...board], ...keys, ...state, undoTop: 0, kings: [...kingSquare] });
    randomWalks(seedOf('fen'), 24, 60, ({ path }) => {
      const fen = formatFen();
      const reached = { fen, moves: uciMoves(), facts: facts() };
      parseFen(fen);
      expect({ fen: formatFen(), moves: uciMoves(), facts: facts() }, path()).toEqual(reached);
    });
  });
});
