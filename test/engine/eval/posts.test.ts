import { describe, expect, test } from 'vitest';
import { countsOf } from './positions.js';

describe('minor pieces', () => {
  test('a minor piece has an outpost where no enemy pawn can attack it', () => {
    const posts = ['outpost', 'knightReach'];
    expect(countsOf('7k/8/8/3N4/8/8/8/K7 w - - 0 1', ...posts)).toEqual({ 'outpost 0 0': 1 });
    expect(countsOf('7k/8/8/3N4/4P3/8/8/K7 w - - 0 1', ...posts)).toEqual({ 'outpost 0 1': 1 });
    expect(countsOf('7k/2p5/8/3N4/4P3/8/8/K7 w - - 0 1', ...posts)).toEqual({});
    // The pawn on c4 has already passed the outpost
    expect(countsOf('7k/8/8/3B4/2p5/8/8/K7 w - - 0 1', ...posts)).toEqual({ 'outpost 1 0': 1 });
    expect(countsOf('7k/8/8/8/4P3/2N5/8/K7 w - - 0 1', ...posts)).toEqual({ knightReach: 1 });
    expect(countsOf('7k/8/8/4p3/3n4/8/8/K7 w - - 0 1', ...posts)).toEqual({ 'outpost 0 1': -1 });
  });

  test('minor piece terms count a pawn in front and the distance from the king', () => {
    const names = ['minorBehindPawn', 'minorKingDistance'];
    expect(countsOf('7k/8/8/8/8/2p5/2B5/K7 w - - 0 1', ...names)).toEqual({
      'minorBehindPawn 1': 1,
      'minorKingDistance 1 2': 1,
    });
    expect(countsOf('n7/7k/8/8/8/8/8/K7 w - - 0 1', ...names)).toEqual({ 'minorKingDistance 0 7': -1 });
    expect(countsOf('7k/n7/p7/8/8/8/8/K7 w - - 0 1', ...names)).toMatchObject({ 'minorBehindPawn 0': -1 });
  });
});

test("bishop terms count pawns on the bishop's colour, the long diagonal and trapped bishops", () => {
  const names = ['bishopPawns', 'bishopDiagonal', 'bishopTrapped'];
  expect(countsOf('7k/8/8/8/8/PP6/2PB4/K7 w - - 0 1', ...names)).toEqual({ 'bishopPawns 1': 1 });
  expect(countsOf('1k6/8/8/8/8/8/6B1/K7 w - - 0 1', ...names)).toEqual({ 'bishopPawns 0': 1, bishopDiagonal: 1 });
  expect(countsOf('7k/8/8/8/8/6P1/7b/K7 w - - 0 1', ...names)).toEqual({ 'bishopPawns 0': -1, bishopTrapped: -1 });
});

describe('rooks', () => {
  const names = ['rookFile', 'rookSeventh', 'rookTrapped'];

  test('rook terms count open and half-open files', () => {
    expect(countsOf('7k/1p6/8/8/8/8/8/1RR3K1 w - - 0 1', ...names)).toEqual({ 'rookFile 0': 1, 'rookFile 1': 1 });
    expect(countsOf('7k/1p6/8/8/8/8/1P6/1R4K1 w - - 0 1', ...names)).toEqual({});
  });

  test('a rook on the seventh rank counts if it has something to attack', () => {
    expect(countsOf('7k/3R4/8/8/3P4/8/8/K7 w - - 0 1', ...names)).toEqual({ rookSeventh: 1 });
    expect(countsOf('8/8/7k/8/3p4/8/3r3P/K7 w - - 0 1', ...names)).toEqual({ rookSeventh: -1 });
    expect(countsOf('8/3R4/7k/8/3P4/8/8/K7 w - - 0 1', ...names)).toEqual({});
  });

  test('a rook between its king and the corner is trapped', () => {
    expect(countsOf('4k3/8/8/8/8/7P/6PP/5K1R w - - 0 1', ...names)).toEqual({ 'rookTrapped 0': 1 });
    expect(countsOf('r3k3/p7/8/8/8/8/8/4K3 b q - 0 1', ...names)).toEqual({});
    expect(countsOf('rk6/p7/8/8/8/8/8/4K3 b q - 0 1', ...names)).toEqual({ 'rookTrapped 1': -1 });
  });
});

test('two bishops are a pair if they stand on squares of both colours', () => {
  expect(countsOf('4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1', 'bishopPair')).toEqual({ bishopPair: 1 });
  expect(countsOf('4k3/8/8/8/3B4/8/8/2B1K3 w - - 0 1', 'bishopPair')).toEqual({});
  expect(countsOf('2b1k3/8/4b3/8/8/8/8/2B1KB2 w - - 0 1', 'bishopPair')).toEqual({ bishopPair: 1 });
  expect(countsOf('2bbk3/8/8/8/8/8/8/2B1KB2 w - - 0 1', 'bishopPair')).toEqual({});
});

test('knights and rooks are indexed by the number of friendly pawns', () => {
  expect(countsOf('1n1rk1n1/p7/8/8/8/8/PPP5/R3KN1R w - - 0 1', 'knightPawns', 'rookPawns')).toEqual({
    'knightPawns 3': 1,
    'knightPawns 1': -2,
    'rookPawns 3': 2,
    'rookPawns 1': -1,
  });
});
