import { expect, test } from 'vitest';
import { enableTracing } from '../../../engine/eval/trace.js';
import { countsOf } from './positions.js';

enableTracing();

test('two bishops are a pair if they stand on squares of both colours', () => {
  expect(countsOf('4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1', 'bishopPair')).toEqual({ bishopPair: 1 });
  expect(countsOf('4k3/8/8/8/3B4/8/8/2B1K3 w - - 0 1', 'bishopPair')).toEqual({});
  expect(countsOf('2b1k3/8/4b3/8/8/8/8/2B1KB2 w - - 0 1', 'bishopPair')).toEqual({ bishopPair: 1 });
  expect(countsOf('2bbk3/8/8/8/8/8/8/2B1KB2 w - - 0 1', 'bishopPair')).toEqual({});
});

test('knights and rooks count by the pawns of their side', () => {
  expect(countsOf('1n1rk1n1/p7/8/8/8/8/PPP5/R3KN1R w - - 0 1', 'knightPawns', 'rookPawns')).toEqual({
    'knightPawns 3': 1,
    'knightPawns 1': -2,
    'rookPawns 3': 2,
    'rookPawns 1': -1,
  });
});
