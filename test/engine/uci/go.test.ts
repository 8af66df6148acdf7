import { beforeEach, describe, expect, test } from 'vitest';
import { parseFen, STARTPOS } from '../../../engine/board/fen.js';
import { moveToUci } from '../../../engine/board/move.js';
import { parseGo } from '../../../engine/uci/go.js';

/** Returns the limits of a go line, with the moves as text. */
function limitsOf(line: string): Record<string, unknown> {
  const asked = parseGo(line.split(' ').slice(1));
  if (asked.kind !== 'search') throw new Error(`${line} is no search`);
  const { searchMoves, ...limits } = asked.limits;
  return searchMoves === undefined
    ? limits
    : { ...limits, searchMoves: searchMoves.map((move) => moveToUci(move)).join(' ') };
}

beforeEach(() => parseFen(STARTPOS));

describe('go', () => {
  test.each([
    ['go depth 5', { depth: 5 }],
    ['go nodes 1000', { nodes: 1000 }],
    ['go movetime 250', { movetime: 250 }],
    ['go mate 3', { mate: 3 }],
    ['go infinite', { infinite: true }],
    ['go infinite wtime 200 btime 200 winc 1 movestogo 3', { infinite: true }],
    ['go', { infinite: true }],
    ['go wtime 1000 btime 2000', { wtime: 1000, btime: 2000 }],
    ['go binc 3 winc 2 movestogo 40 btime 9 wtime 8', { wtime: 8, btime: 9, winc: 2, binc: 3, movestogo: 40 }],
    ['go depth 6 nodes 500 movetime 100', { depth: 6, nodes: 500, movetime: 100 }],
    ['go ponder wtime 1000 btime 1000', { ponder: true, wtime: 1000, btime: 1000 }],
    ['go ponder', { ponder: true }],
    ['go DEPTH 4', { depth: 4 }],
    ['go nodes 5e3 movetime 1.5e2', { nodes: 5000, movetime: 150 }],
    ['go depth 6plies', { depth: 6 }],
  ])('%s sets its limits', (line, limits) => {
    expect(limitsOf(line)).toEqual(limits);
  });

  test.each([
    ['go wtime -500 btime 0', { wtime: 0, btime: 0 }],
    ['go depth 0', { depth: 1 }],
    ['go depth -3', { depth: 1 }],
    ['go nodes 0', { nodes: 1 }],
    ['go movetime 0', { movetime: 0 }],
    ['go movestogo 0 wtime 100', { wtime: 100 }],
    ['go wtime 100 movestogo -1', { wtime: 100 }],
  ])('go raises limits below their minimum and ignores movestogo below 1: %s', (line, limits) => {
    expect(limitsOf(line)).toEqual(limits);
  });

  test.each([
    ['go depth', { infinite: true }],
    ['go depth five', { infinite: true }],
    ['go quickly please depth 3', { depth: 3 }],
    ['go depth 3 quickly', { depth: 3 }],
    ['go wtime x btime 50', { btime: 50 }],
  ])('go skips unknown words and malformed numbers: %s', (line, limits) => {
    expect(limitsOf(line)).toEqual(limits);
  });

  test.each(['go winc 100 binc 100', 'go movestogo 10', 'go winc 5 movestogo 3'])(
    'go without a clock ignores increments and movestogo: %s',
    (line) => {
      expect(limitsOf(line)).toMatchObject({ infinite: true });
    },
  );

  test.each([
    ['go searchmoves e2e4 d2d4', { searchMoves: 'e2e4 d2d4', infinite: true }],
    ['go searchmoves e2e4 d2d4 depth 5', { searchMoves: 'e2e4 d2d4', depth: 5 }],
    ['go depth 5 searchmoves g1f3', { searchMoves: 'g1f3', depth: 5 }],
    ['go searchmoves e2e4 infinite', { searchMoves: 'e2e4', infinite: true }],
    ['go searchmoves E2E4 movetime 10', { searchMoves: 'e2e4', movetime: 10 }],
    ['go searchmoves e2e5 depth 5', { depth: 5 }],
    ['go searchmoves depth 5', { depth: 5 }],
    ['go searchmoves e2e5 e2e4 a7a8q depth 5', { searchMoves: 'e2e4', depth: 5 }],
  ])('%s sets its search moves and limits', (line, limits) => {
    expect(limitsOf(line)).toEqual(limits);
  });

  test('go accepts castling in either notation among searchmoves', () => {
    parseFen('4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1');
    expect(limitsOf('go searchmoves e1g1 e1a1 depth 2')).toEqual({ searchMoves: 'e1g1 e1c1', depth: 2 });
  });

  test.each([
    ['go perft 4', 4],
    ['go perft', 1],
    ['go perft 0', 1],
    ['go perft x', 1],
    ['go perft 300', 20],
  ])('%s sets the perft depth', (line, depth) => {
    expect(parseGo(line.split(' ').slice(1))).toEqual({ kind: 'perft', depth });
  });
});
