import { describe, expect, test } from 'vitest';
import { countsOf } from './positions.js';

describe('threats', () => {
  test('threats are indexed by attacker, target and whether the target is defended', () => {
    expect(countsOf('7k/8/8/2n5/3P4/8/8/K7 w - - 0 1', 'threat')).toEqual({ 'threat 0 0 1': 1 });
    expect(countsOf('7k/8/1p6/2n5/3P4/8/8/K7 w - - 0 1', 'threat')).toEqual({ 'threat 0 1 1': 1 });
    expect(countsOf('7k/8/8/8/1r6/8/3N4/K3B3 b - - 0 1', 'threat')).toEqual({});
    expect(countsOf('7k/8/8/8/1r6/8/8/K3B3 b - - 0 1', 'threat')).toEqual({ 'threat 2 0 3': 1 });
    expect(countsOf('8/6pk/8/8/5K2/4q3/8/8 w - - 0 1', 'threat')).toEqual({ 'threat 5 0 4': 1 });
  });

  test('threats count each kind of attacker once', () => {
    expect(countsOf('7k/8/8/8/1q6/8/1RR5/K7 w - - 0 1', 'threat')).toEqual({ 'threat 3 0 4': 1, 'threat 4 1 3': -1 });
  });

  test('threats count hanging pieces', () => {
    expect(countsOf('7k/8/8/8/4r3/8/8/KB6 w - - 0 1', 'hanging')).toEqual({ 'hanging 3': 1 });
    // Defended once, attacked twice; then defended by a pawn that is itself hanging
    expect(countsOf('7k/8/6b1/8/4n3/2N5/1P6/KB6 w - - 0 1', 'hanging')).toEqual({ 'hanging 1': 1 });
    expect(countsOf('7k/8/8/3p4/4n3/2N5/1P6/KB6 w - - 0 1', 'hanging')).toEqual({ 'hanging 0': 1 });
  });

  test('threats count pieces that a pawn push would attack', () => {
    expect(countsOf('7k/8/2n1b3/8/8/8/3P4/K7 w - - 0 1', 'pushThreat')).toEqual({});
    expect(countsOf('7k/8/2n5/8/3P4/8/8/K7 w - - 0 1', 'pushThreat')).toEqual({ 'pushThreat 0': 1 });
    expect(countsOf('7k/8/8/2b1b3/8/8/3P4/K7 w - - 0 1', 'pushThreat')).toEqual({});
    expect(countsOf('7k/8/8/2q5/8/P7/1P6/K7 w - - 0 1', 'pushThreat')).toEqual({ 'pushThreat 3': 1 });
    expect(countsOf('7k/6p1/8/5R2/8/8/8/K7 w - - 0 1', 'pushThreat')).toEqual({ 'pushThreat 2': -1 });
  });

  test('threats are counted again for the side to move', () => {
    const names = ['threatToMove', 'hangingToMove', 'pushThreatToMove'];
    expect(countsOf('7k/8/8/2n5/3P4/8/8/K7 w - - 0 1', ...names)).toEqual({
      'threatToMove 0 0 1': 1,
      'hangingToMove 1': 1,
    });
    expect(countsOf('7k/8/8/2n5/3P4/8/8/K7 b - - 0 1', ...names)).toEqual({});
    expect(countsOf('7k/8/8/2r5/8/8/2P5/K7 b - - 0 1', ...names)).toEqual({
      'threatToMove 3 0 0': -1,
      'hangingToMove 0': -1,
    });
    expect(countsOf('7k/8/2n5/8/3P4/8/8/K7 w - - 0 1', ...names)).toEqual({ 'pushThreatToMove 0': 1 });
    expect(countsOf('7k/8/2n5/8/3P4/8/8/K7 b - - 0 1', ...names)).toEqual({
      'threatToMove 1 0 0': -1,
      'hangingToMove 0': -1,
    });
  });

  test('threats count the safe squares from which a lone queen can be attacked', () => {
    // The knight reaches b5 and e4, and a pawn defends b5
    expect(countsOf('7k/8/p2q4/1p6/8/2N5/8/K7 b - - 0 1', 'queenReach')).toEqual({ 'queenReach 0': 1 });
    expect(countsOf('7k/8/p2q2q1/1p6/8/2N5/8/K7 b - - 0 1', 'queenReach')).toEqual({});
    // Defended by king and pawn: b2 and f4
    expect(countsOf('7k/8/8/4q3/8/6P1/K7/2B5 w - - 0 1', 'queenReach')).toEqual({ 'queenReach 1': 2 });
  });

  test('threats count simultaneously attacked pieces, separately for the side to move and its opponent', () => {
    // The pawn forks knight and bishop, and the rook attacks the queen
    const fen = '7k/3q4/8/2n1b3/3P4/8/8/3RK3 b - - 0 1';
    expect(countsOf(fen, 'threatCount')).toEqual({ 'threatCount 0 2': 1 });
    expect(countsOf(fen.replace('3P4', '1P1P4'), 'threatCount')).toEqual({ 'threatCount 0 2': 1 });
    expect(countsOf(fen.replace('3P4', '8'), 'threatCount')).toEqual({ 'threatCount 0 1': 1 });
    expect(countsOf(fen.replace('3P4', '8').replace(' b ', ' w '), 'threatCount')).toEqual({ 'threatCount 1 1': 1 });
  });

  test('threats count contested squares', () => {
    // d2 and a4 are contested by both sides; d1 is defended by White
    expect(countsOf('7k/8/8/8/3r4/8/8/R3K3 w - - 0 1', 'restriction')).toEqual({ restriction: 1 });
  });
});
