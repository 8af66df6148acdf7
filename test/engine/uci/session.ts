// One engine for a file of protocol tests, and checks of its answers: one legal move, preceded by valid lines.

import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { STARTPOS } from '../../../engine/board/fen.js';
import { oracleAt, oracleEnd, oracleMoves, oraclePlay } from '../../support/oracle.js';
import { EngineProcess } from '../engine-process.js';

export const MATED = '7k/6Q1/6K1/8/8/8/8/8 b - - 0 1';
export const STALEMATED = '7k/5Q2/6K1/8/8/8/8/8 b - - 0 1';
export const MATE_IN_ONE = '6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1';
export const MATE_IN_TWO = 'kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1';

const LINE =
  /^info depth \d+ seldepth \d+ multipv \d+ score (cp -?\d+|mate -?\d+)( lowerbound| upperbound)? nodes \d+ nps \d+ hashfull \d+ time \d+ pv( [a-h][1-8][a-h][1-8][nbrq]?)+$/;
const PROGRESS = /^info depth \d+ currmove [a-h][1-8][a-h][1-8][nbrq]? currmovenumber \d+$/;

/** Waits a number of milliseconds, for rows that forbid output. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Starts an engine that all tests of the file share, with a new game before each of them. */
export function shareEngine(): { current: EngineProcess } {
  const shared = { current: undefined as unknown as EngineProcess };
  beforeAll(async () => {
    shared.current = new EngineProcess();
    shared.current.send('uci');
    await shared.current.until(/^uciok$/);
  });
  afterAll(() => shared.current.kill());
  beforeEach(async () => {
    shared.current.send('ucinewgame', 'position startpos', 'isready');
    await shared.current.until(/^readyok$/);
    expect(shared.current.lines, 'nothing is said unasked').toEqual([]);
  });
  afterEach(() => expect(shared.current.stderr).toBe(''));
  return shared;
}

/** Returns the lines with a score. */
export const scored = (lines: readonly string[]): string[] => lines.filter((line) => / score /.test(line));

/** Returns the moves of a line's principal variation. */
export const pvOf = (line = ''): string[] => / pv (.+)$/.exec(line)?.[1].split(' ') ?? [];

/** Returns a named number of a line. */
export const numberOf = (line: string, name: string): number => Number(new RegExp(` ${name} (-?\\d+)`).exec(line)?.[1]);

// chessops writes castling as king takes rook and reads either notation
const toOracle = (fen: string, move: string): string => {
  const oracle = oracleAt(fen);
  if (oracleMoves(oracle).includes(move)) return move;
  return move.replace(/^(e[18])g([18])$/, '$1h$2').replace(/^(e[18])c([18])$/, '$1a$2');
};

function checkPv(line: string, fen: string): void {
  const oracle = oracleAt(fen);
  const moves = pvOf(line);
  for (const [ply, move] of moves.entries()) {
    expect(oracleEnd(oracle), `the game goes on before ${move} in: ${line}`).toBeNull();
    const legal = oracleMoves(oracle);
    const named =
      ply === 0 ? toOracle(fen, move) : (legal.find((m) => m === move || toPlain(oracle, m) === move) ?? '');
    expect(legal, `${move} in: ${line}`).toContain(named);
    oraclePlay(oracle, named);
  }
  const mate = / score mate (-?\d+) nodes/.exec(line);
  if (mate === null) return;
  const count = Number(mate[1]);
  expect([moves.length, oracleEnd(oracle)], line).toEqual([count > 0 ? 2 * count - 1 : -2 * count, 'checkmate']);
}

function toPlain(oracle: ReturnType<typeof oracleAt>, move: string): string {
  const isKing = oracle.board.king.has(move.charCodeAt(0) - 97 + 8 * (Number(move[1]) - 1));
  return isKing ? move.replace(/^(e[18])h([18])$/, '$1g$2').replace(/^(e[18])a([18])$/, '$1c$2') : move;
}

/**
 * Returns the move of an answer after checks: one bestmove, complete lines with rising counts, legal variations, the first move of the last
 * line.
 */
export function moveOf(answer: readonly string[], fen = STARTPOS): string {
  const bestMoves = answer.filter((line) => line.startsWith('bestmove'));
  expect(bestMoves, answer.join('\n')).toHaveLength(1);
  const [, best, , ponder] = bestMoves[0].split(' ');
  const lines = scored(answer);
  expect(lines.length).toBeGreaterThan(0);
  for (const line of answer.slice(0, -1)) {
    if (!line.startsWith('info string')) expect(LINE.test(line) || PROGRESS.test(line), line).toBe(true);
  }
  for (const line of lines) checkPv(line, fen);
  for (const name of ['time', 'nodes']) {
    const values = lines.map((line) => numberOf(line, name));
    expect(values, name).toEqual(values.toSorted((a, b) => a - b));
  }
  const last = lines.findLast((line) => / multipv 1 /.test(line));
  expect(pvOf(last)[0], answer.join('\n')).toBe(best);
  const oracle = oracleAt(fen);
  expect(oracleMoves(oracle)).toContain(toOracle(fen, best));
  if (ponder !== undefined) {
    oraclePlay(oracle, toOracle(fen, best));
    expect(oracleMoves(oracle).flatMap((move) => [move, toPlain(oracle, move)])).toContain(ponder);
  }
  return best;
}
