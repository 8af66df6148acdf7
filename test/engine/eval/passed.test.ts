import { describe, expect, test } from 'vitest';
import { countsOf } from './positions.js';

describe('passed pawns', () => {
  test('passed pawns are indexed by rank and by whether the stop square is occupied or attacked', () => {
    expect(countsOf('7k/8/8/8/P7/8/8/7K w - - 0 1', 'passedPawn')).toEqual({ 'passedPawn 0 0 3': 1 });
    expect(countsOf('7k/8/8/8/P6r/8/8/6K1 w - - 0 1', 'passedPawn')).toEqual({ 'passedPawn 0 0 3': 1 });
    expect(countsOf('7k/8/8/7r/P7/8/8/6K1 w - - 0 1', 'passedPawn')).toEqual({ 'passedPawn 0 1 3': 1 });
    expect(countsOf('7k/p7/B7/8/8/8/8/7K w - - 0 1', 'passedPawn')).toEqual({ 'passedPawn 1 0 1': -1 });
    expect(countsOf('7k/p7/B7/8/8/8/8/R6K w - - 0 1', 'passedPawn')).toEqual({ 'passedPawn 1 1 1': -1 });
  });

  test('passed pawn terms count blockers, supporters and free paths', () => {
    const parts = ['passedBlocker', 'passedSupport', 'passedPath'];
    expect(countsOf('8/8/k7/P7/8/8/8/7K w - - 0 1', ...parts)).toEqual({ 'passedBlocker 4': 1 });
    expect(countsOf('7k/8/n7/P7/8/8/4B3/7K w - - 0 1', ...parts)).toEqual({
      'passedBlocker 0': 1,
      'passedSupport 4': 1,
    });
    expect(countsOf('7k/8/8/P7/8/8/8/7K w - - 0 1', ...parts)).toEqual({ 'passedPath 4': 1 });
    expect(countsOf('1k6/8/8/P7/8/8/8/7K w - - 0 1', ...parts)).toEqual({});
  });

  test('passed pawn terms count the file, connected pawns and the side to move', () => {
    const parts = ['passedFile', 'passedConnected', 'passedToMove'];
    expect(countsOf('7k/8/8/8/P7/8/8/7K w - - 0 1', ...parts)).toEqual({ 'passedFile 0': 1, 'passedToMove 3': 1 });
    expect(countsOf('7k/8/8/8/P7/8/8/7K b - - 0 1', ...parts)).toEqual({ 'passedFile 0': 1 });
    expect(countsOf('7k/8/8/p7/1p6/8/8/7K w - - 0 1', ...parts)).toEqual({
      'passedFile 0': -1,
      'passedFile 1': -1,
      'passedConnected 4': -1,
    });
    expect(countsOf('7k/8/8/6PP/8/8/8/7K b - - 0 1', 'passedConnected')).toEqual({ 'passedConnected 4': 2 });
  });

  test('passed pawn terms count a rook of either side behind the pawn', () => {
    expect(countsOf('r6k/8/8/P7/8/8/8/R6K w - - 0 1', 'passedRook')).toEqual({ 'passedRook 0': 1 });
    expect(countsOf('7k/8/8/p7/8/R7/8/7K w - - 0 1', 'passedRook')).toEqual({});
    expect(countsOf('R7/7k/8/p7/8/8/8/7K w - - 0 1', 'passedRook')).toEqual({ 'passedRook 1': -1 });
  });

  test('passed pawns are indexed by their distance from both kings', () => {
    expect(countsOf('8/8/8/P6k/8/8/8/K7 w - - 0 1', 'passedOwnKing', 'passedTheirKing')).toEqual({
      'passedOwnKing 1 5': 1,
      'passedTheirKing 1 7': 1,
    });
    expect(countsOf('k7/8/8/8/8/7p/8/7K w - - 0 1', 'passedOwnKing', 'passedTheirKing')).toEqual({
      'passedOwnKing 2 7': -1,
      'passedTheirKing 2 1': -1,
    });
  });

  test.each([
    ['8/8/8/P3k3/8/8/8/7K w - - 0 1', 1],
    ['8/8/8/P3k3/8/8/8/7K b - - 0 1', 0],
    ['8/8/8/P2k4/8/8/8/7K w - - 0 1', 0],
    // From the second rank it reaches the eighth in five moves
    ['8/8/8/6k1/8/8/P7/7K w - - 0 1', 1],
    ['8/8/8/5k2/8/8/P7/7K w - - 0 1', 0],
    // Its own king is in the way; a knight might stop it
    ['8/K7/8/P4k2/8/8/8/8 w - - 0 1', 0],
    ['7n/8/8/P5k1/8/8/8/7K w - - 0 1', 0],
  ])('a passed pawn in %s counts as unstoppable %i times', (fen, times) => {
    expect(countsOf(fen, 'passedUnstoppable')['passedUnstoppable'] ?? 0).toBe(times);
  });
});
