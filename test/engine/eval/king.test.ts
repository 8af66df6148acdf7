import { describe, expect, test } from 'vitest';
import { TERMS } from '../../../engine/eval/terms.js';
import { currentWeights } from '../../../engine/eval/weights-in-use.js';
import { countsOf } from './positions.js';

describe('king safety', () => {
  test('king shelter counts pawns in front of each king by file and distance', () => {
    // White's king on g1 has pawns on f2 and g3; Black's king on g8 has none, and faces a pawn on h4
    const fen = '6k1/8/8/8/7P/6P1/5P2/6K1 w - - 0 1';
    expect(countsOf(fen, 'kingShelter')).toEqual({
      'kingShelter 0 5 1': 1,
      'kingShelter 1 6 2': 1,
      'kingShelter 0 7 3': 1,
      'kingShelter 0 5 7': -1,
      'kingShelter 1 6 7': -1,
      'kingShelter 0 7 7': -1,
    });
    // For White there is no storm; for Black f2, g3 and h4 are six, five and four ranks away
    expect(countsOf(fen, 'kingStorm')).toEqual({
      'kingStorm 0 0 7': 1,
      'kingStorm 0 1 7': 1,
      'kingStorm 0 2 7': 1,
      'kingStorm 0 0 4': -1,
      'kingStorm 0 1 5': -1,
      'kingStorm 0 2 6': -1,
    });
  });

  test('pawn storm distinguishes blocked pawns, and king shelter ignores pawns behind the king', () => {
    expect(countsOf('7k/8/8/8/7p/7P/8/7K w - - 0 1', 'kingStorm')).toMatchObject({ 'kingStorm 1 0 3': 1 });
    expect(countsOf('k7/8/8/6K1/5PPP/8/8/8 w - - 0 1', 'kingShelter')).toMatchObject({
      'kingShelter 0 5 7': 1,
      'kingShelter 1 6 7': 1,
      'kingShelter 0 7 7': 1,
    });
  });

  test('king safety counts attackers, attacks on the ring, weak ring squares, and whether the attacker has a queen', () => {
    const names = ['dangerQueen', 'dangerAttackers', 'dangerRing', 'dangerWeak', 'dangerChecks'];
    // The rook attacks f7, g7 and h7 and would check on b8; the ring is f6 to h8
    expect(countsOf('7k/1R6/8/8/8/8/8/K7 w - - 0 1', ...names)).toEqual({
      'dangerQueen 0': 1,
      'dangerAttackers 2 0': 1,
      'dangerRing 2 0': 3,
      dangerWeak: 3,
      'dangerChecks 2 0': 1,
    });
    const queen = countsOf('7k/1Q6/8/8/8/8/8/K7 w - - 0 1', ...names);
    expect(queen).toMatchObject({ 'dangerQueen 1': 1, 'dangerAttackers 3 0': 1, 'dangerRing 3 0': 3, dangerWeak: 3 });
  });

  test('king safety counts the side to move only if it is attacking', () => {
    const names = ['dangerToMove', 'dangerChecksToMove'];
    expect(countsOf('7k/1R6/8/8/8/8/8/K7 w - - 0 1', ...names)).toEqual({ dangerToMove: 1, 'dangerChecksToMove 2': 1 });
    expect(countsOf('7k/1R6/8/8/8/8/8/K7 b - - 0 1', ...names)).toEqual({});
  });

  test('king safety counts the distance to the nearest pawn and a pawnless flank', () => {
    const names = ['kingPawnDistance', 'pawnlessFlank'];
    expect(countsOf('7k/8/8/8/8/8/8/K7 w - - 0 1', ...names)).toEqual({});
    expect(countsOf('7k/8/8/P7/8/8/8/K7 w - - 0 1', ...names)).toEqual({
      'kingPawnDistance 4': 1,
      'kingPawnDistance 7': -1,
      pawnlessFlank: -1,
    });
    // For kings in the middle, the middle files count as their flank
    expect(countsOf('4k3/8/8/8/p6p/8/8/2K5 w - - 0 1', ...names)).toEqual({
      'kingPawnDistance 3': 1,
      'kingPawnDistance 4': -1,
      pawnlessFlank: -1,
    });
  });

  test('king danger counts safe checks, and unsafe checks only if the king ring is attacked', () => {
    const names = ['dangerChecks', 'dangerUnsafeChecks'];
    expect(countsOf('7k/8/8/8/8/8/8/K1R5 w - - 0 1', ...names)).toEqual({ 'dangerChecks 2 1': 1 });
    expect(countsOf('7k/3b4/8/8/8/8/8/K1R5 w - - 0 1', ...names)).toMatchObject({ 'dangerChecks 2 0': 1 });
    expect(countsOf('7k/8/8/8/3n4/8/8/K7 b - - 0 1', ...names)).toEqual({ 'dangerChecks 0 1': -1 });
    // On a8 the rook could be taken
    expect(countsOf('7k/1b6/8/8/8/8/8/R5K1 w - - 0 1', ...names)).toEqual({});
    expect(countsOf('7k/1b6/8/5N2/8/8/8/R5K1 w - - 0 1', ...names)).toEqual({ 'dangerUnsafeChecks 2 0': 1 });
  });

  test('king danger counts attacked and defended flank squares, pins, shelter and storm', () => {
    // The bishop pins g7, and the knight shields the king from the rook
    const fen = '7k/6p1/8/8/3B3N/8/8/K6R w - - 0 1';
    const names = ['dangerFlank', 'dangerFlankHeld', 'dangerPins', 'dangerShelter', 'dangerStorm'];
    expect(countsOf(fen, ...names)).toEqual({
      // The bishop attacks e5, f6 and g7, the knight f5 and g6; no square is attacked twice
      'dangerFlank 0 0': 5,
      // The king defends g8, h7 and g7, the pawn f6 and h6
      dangerFlankHeld: 5,
      'dangerPins 0 0': 1,
      'dangerPins 1 0': 1,
      'dangerShelter 0 1': 1,
      'dangerShelter 0 7': 1,
      'dangerShelter 1 7': 1,
      'dangerStorm 0 7': 3,
    });
  });

  test('king danger is zero without attackers', () => {
    expect(countsOf('7k/6pp/8/8/8/8/PP6/KR6 w - - 0 1', 'dangerShelter', 'dangerFlankHeld', 'dangerQueen')).toEqual({});
  });

  test('king danger weights never decrease as the count increases', () => {
    const terms = TERMS.filter(({ orders }) => orders.includes('danger'));
    const { mg, eg } = currentWeights();
    for (const values of [mg, eg]) {
      for (const { offset, size, shape } of terms) {
        const width = shape[shape.length - 1];
        for (let i = 0; i < size; i++) {
          expect(values[offset + i]).toBeGreaterThanOrEqual(i % width === 0 ? 0 : values[offset + i - 1]);
        }
      }
    }
    expect(terms.map(({ name }) => name)).toContain('dangerChecks');
  });

  test('king safety counts the open lines to a king', () => {
    expect(countsOf('k7/1p6/8/8/8/8/PP6/K7 w - - 0 1', 'kingLines')).toEqual({
      'kingLines 7': 1,
      'kingLines 12': -1,
    });
  });
});
