import { describe, expect, test } from 'vitest';
import { enableTracing } from '../../../engine/eval/trace.js';
import { countsOf } from './positions.js';

enableTracing();

describe('king safety', () => {
  test('king safety knows the pawns before each king by file and distance', () => {
    // White's king g1 with f2, g3; Black's king g8 with nothing, and h4 against it
    const fen = '6k1/8/8/8/7P/6P1/5P2/6K1 w - - 0 1';
    expect(countsOf(fen, 'kingShelter')).toEqual({
      'kingShelter 0 5 1': 1,
      'kingShelter 1 6 2': 1,
      'kingShelter 0 7 3': 1,
      'kingShelter 0 5 7': -1,
      'kingShelter 1 6 7': -1,
      'kingShelter 0 7 7': -1,
    });
    // For White there is no storm; for Black f2, g3 and h4 are six, five and four ranks off
    expect(countsOf(fen, 'kingStorm')).toEqual({
      'kingStorm 0 0 7': 1,
      'kingStorm 0 1 7': 1,
      'kingStorm 0 2 7': 1,
      'kingStorm 0 0 4': -1,
      'kingStorm 0 1 5': -1,
      'kingStorm 0 2 6': -1,
    });
  });

  test('king safety knows when a storm is blocked, and looks only ahead', () => {
    expect(countsOf('7k/8/8/8/7p/7P/8/7K w - - 0 1', 'kingStorm')).toMatchObject({ 'kingStorm 1 0 3': 1 });
    expect(countsOf('k7/8/8/6K1/5PPP/8/8/8 w - - 0 1', 'kingShelter')).toMatchObject({
      'kingShelter 0 5 7': 1,
      'kingShelter 1 6 7': 1,
      'kingShelter 0 7 7': 1,
    });
  });

  test('king safety counts attackers, attacks and weak squares of the ring, with and without a queen', () => {
    const names = ['kingAttacks', 'kingAttackers', 'kingWeak', 'kingChecks', 'kingDanger'];
    // The rook attacks f7, g7 and h7 and would check on b8; the ring is f6 to h8
    expect(countsOf('7k/1R6/8/8/8/8/8/K7 w - - 0 1', ...names)).toEqual({
      'kingAttacks 2': 3,
      'kingAttackers 0 1': 1,
      'kingWeak 0 3': 1,
      'kingChecks 2 0': 1,
      'kingDanger 0 9': 1,
    });
    const queen = countsOf('7k/1Q6/8/8/8/8/8/K7 w - - 0 1', ...names);
    expect(queen).toMatchObject({ 'kingAttackers 1 1': 1, 'kingAttacks 3': 3, 'kingWeak 1 3': 1 });
  });

  test('king safety asks whether a check is safe', () => {
    expect(countsOf('7k/8/8/8/8/8/8/K1R5 w - - 0 1', 'kingChecks')).toEqual({ 'kingChecks 2 1': 1 });
    expect(countsOf('7k/3b4/8/8/8/8/8/K1R5 w - - 0 1', 'kingChecks')).toMatchObject({ 'kingChecks 2 0': 1 });
    expect(countsOf('7k/8/8/8/3n4/8/8/K7 b - - 0 1', 'kingChecks')).toEqual({ 'kingChecks 0 1': -1 });
  });

  test('king safety counts the lines that lie open to a king', () => {
    expect(countsOf('k7/1p6/8/8/8/8/PP6/K7 w - - 0 1', 'kingLines')).toEqual({
      'kingLines 7': 1,
      'kingLines 12': -1,
    });
  });
});
