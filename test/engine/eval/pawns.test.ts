import { describe, expect, test } from 'vitest';
import { squareBoard } from '../../../engine/board/bitboards/bitboard.js';
import { parseFen } from '../../../engine/board/fen.js';
import { makeMove, unmakeMove } from '../../../engine/board/kernel.js';
import { legalMoves } from '../../../engine/board/rules.js';
import { parseSquare } from '../../../engine/board/types.js';
import { evaluate } from '../../../engine/eval/kernel.js';
import { clearPawnTable, PASSED, pawnTable } from '../../../engine/eval/pawn-cache.js';
import { findPawns } from '../../../engine/eval/pawns/pawns.js';
import { evaluationKeys, setWeights } from '../../../engine/eval/weights-in-use.js';
import { seedOf } from '../board/walks.js';
import { countsOf, randomPositions, randomWeights } from './positions.js';

test('a pawn cache hit returns the same score as a fresh evaluation', () => {
  const { mg, eg } = randomWeights(8);
  setWeights(mg, eg);
  const anew = (): number => {
    evaluationKeys.fill(0n);
    return evaluate();
  };
  for (const fen of randomPositions(seedOf('pawns'), 15)) {
    parseFen(fen);
    for (const move of legalMoves()) {
      makeMove(move);
      const first = anew();
      expect(anew(), fen).toEqual(first);
      clearPawnTable();
      expect(anew(), fen).toEqual(first);
      unmakeMove(move);
    }
  }
});

describe('pawn terms', () => {
  const pawns = (board: string, ...names: string[]): Record<string, number> =>
    countsOf(`4k3/${board}/4K3 w - - 0 1`, ...names);

  test('isolated pawns are indexed by file and by whether they are opposed', () => {
    expect(pawns('7p/8/8/8/8/P2P2PP', 'pawnIsolated')).toEqual({
      'pawnIsolated 1 0': 1,
      'pawnIsolated 1 3': 1,
      'pawnIsolated 0 7': -1,
    });
  });

  test('pawns behind a friendly pawn are stacked, and doubled if directly behind it', () => {
    expect(pawns('8/8/8/8/P7/P7', 'pawnStacked', 'pawnDoubled')).toEqual({ 'pawnStacked 0 0': 1, pawnDoubled: 1 });
    expect(pawns('8/8/1p6/P7/8/P7', 'pawnStacked', 'pawnDoubled')).toEqual({ 'pawnStacked 1 0': 1 });
    expect(pawns('2p5/8/2p5/8/8/8', 'pawnStacked', 'pawnDoubled')).toEqual({ 'pawnStacked 0 2': -1 });
  });

  test('a pawn behind its neighbours is backward if an enemy pawn attacks its stop square', () => {
    expect(pawns('8/4p3/8/3P4/2P5/8', 'pawnBackward')).toEqual({});
    expect(pawns('8/8/1p6/3P4/2P5/8', 'pawnBackward')).toEqual({ 'pawnBackward 1 2': 1 });
    expect(pawns('8/8/8/1p1P4/8/2P5', 'pawnBackward')).toEqual({ 'pawnBackward 1 1': 1 });
    expect(pawns('8/2p5/8/1p1P4/8/2P5', 'pawnBackward')).toEqual({ 'pawnBackward 0 1': 1, 'pawnBackward 0 2': -1 });
  });

  test('phalanx and supported pawns are indexed by rank', () => {
    expect(pawns('8/8/8/3P4/2P1P3/1P6', 'pawnPhalanx', 'pawnSupported')).toEqual({
      'pawnSupported 3': 2,
      'pawnSupported 2': 1,
    });
    expect(pawns('pp6/8/8/8/8/6PP', 'pawnPhalanx', 'pawnSupported')).toEqual({});
    expect(pawns('1p6/p7/8/8/6PP/8', 'pawnPhalanx', 'pawnSupported')).toEqual({
      'pawnPhalanx 2': 2,
      'pawnSupported 2': -1,
    });
  });

  test('pawns that can become passed are candidates', () => {
    // b4 with a4 beside it, against a pawn on a6, which guards b5
    expect(pawns('8/p7/8/PP6/8/8', 'pawnCandidate')).toEqual({ 'pawnCandidate 1 3': 1 });
    expect(pawns('8/p7/8/1P6/P7/8', 'pawnCandidate')).toEqual({});
    expect(pawns('8/p7/1P6/P7/8/8', 'pawnCandidate')).toEqual({ 'pawnCandidate 1 4': 1 });
    // Neither pawn is defended
    expect(pawns('8/p7/1P6/8/8/8', 'pawnCandidate')).toEqual({ 'pawnCandidate 0 4': 1, 'pawnCandidate 0 2': -1 });
  });

  test('a pawn is passed if no enemy pawn can block or capture it, unless it is a rear doubled pawn', () => {
    parseFen('4k3/5p2/p7/8/1PP4p/8/1P6/4K3 w - - 0 1');
    const entry = findPawns();
    const [white, black] = pawnTable.subarray(entry + PASSED);
    expect(white).toBe(squareBoard(parseSquare('c4')));
    expect(black).toBe(squareBoard(parseSquare('f7')) | squareBoard(parseSquare('h4')));
  });
});
