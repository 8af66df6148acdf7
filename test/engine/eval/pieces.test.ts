import { describe, expect, test } from 'vitest';
import { countsOf } from './positions.js';

describe('mobility', () => {
  const mobility = (fen: string): Record<string, number> =>
    countsOf(fen, 'knightMobility', 'bishopMobility', 'rookMobility', 'queenMobility');

  test('mobility counts the squares a piece attacks', () => {
    expect(mobility('7k/8/8/8/3N4/8/8/K7 w - - 0 1')).toEqual({ 'knightMobility 8': 1 });
    expect(mobility('7k/8/8/8/8/8/8/NK6 w - - 0 1')).toEqual({ 'knightMobility 2': 1 });
    // a1 does not count: the bishop's own king stands there
    expect(mobility('k7/8/8/8/3B4/8/8/K7 w - - 0 1')).toEqual({ 'bishopMobility 12': 1 });
    expect(mobility('1k6/8/8/3r4/8/8/8/K7 w - - 0 1')).toEqual({ 'rookMobility 14': -1 });
    expect(mobility('1k6/8/8/3q4/8/8/8/2K5 w - - 0 1')).toEqual({ 'queenMobility 27': -1 });
  });

  test('mobility excludes squares attacked by enemy pawns or holding friendly pawns on the second or third rank', () => {
    // b5 and f5 are attacked by pawns; e6, which holds an enemy pawn, counts
    expect(mobility('7k/8/p2pp1p1/4P3/3N4/8/8/K7 w - - 0 1')).toEqual({ 'knightMobility 6': 1 });
    // e2 and f3 hold pawns on the second and third ranks; the pawn on b5 can advance, so its square counts
    expect(mobility('7k/8/8/1P6/3N4/5P2/4P3/K7 w - - 0 1')).toEqual({ 'knightMobility 6': 1 });
  });

  test('rook and queen freedom counts squares that no lesser piece attacks', () => {
    const freedom = (fen: string): Record<string, number> => countsOf(fen, 'rookFreedom', 'queenFreedom');
    expect(freedom('1k6/8/8/3r4/8/8/8/K7 w - - 0 1')).toEqual({ 'rookFreedom 14': -1 });
    // The knight attacks f3, the rook h5; nothing lesser than the rook attacks its squares
    expect(freedom('7k/8/8/3Q4/8/8/8/1K4nr w - - 0 1')).toEqual({ 'queenFreedom 25': 1, 'rookFreedom 7': -1 });
    // Two rooks together
    expect(freedom('7k/8/8/8/8/8/8/RR5K b - - 0 1')).toEqual({ 'rookFreedom 21': 1 });
  });

  test('slider mobility includes x-rays through queens and friendly rooks', () => {
    expect(mobility('6k1/8/8/8/8/8/8/RR1K4 w - - 0 1')).toEqual({ 'rookMobility 9': 2 });
    expect(mobility('3k4/8/8/8/4b3/5q2/8/4K3 w - - 0 1')).toMatchObject({ 'bishopMobility 13': -1 });
  });
});
