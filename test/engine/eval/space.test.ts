import { expect, test } from 'vitest';
import { countsOf } from './positions.js';

test('space counts safe central squares in each camp, and separately those behind friendly pawns', () => {
  expect(countsOf('4k3/8/8/8/8/8/8/4K3 w - - 0 1', 'space')).toEqual({});
  // d4 is taken and c5 and e5 are attacked; d2 and d3 lie behind it
  expect(countsOf('4k3/8/8/8/3P4/8/8/4K3 w - - 0 1', 'space')).toEqual({ 'space 0': 1, 'space 1': 2 });
  // c6 and e6 are attacked; d2 to d4 lie behind it
  expect(countsOf('4k3/8/8/3P4/8/8/8/4K3 w - - 0 1', 'space')).toEqual({ 'space 0': 2, 'space 1': 3 });
  expect(countsOf('4k3/8/8/1p6/8/8/8/4K3 w - - 0 1', 'space')).toEqual({ 'space 0': -1 });
  // A rook attacks d4, then d3
  expect(countsOf('3rk3/8/8/8/3P4/8/8/4K3 w - - 0 1', 'space')).toMatchObject({ 'space 1': 2 });
  expect(countsOf('4k3/8/8/8/3P4/r7/8/4K3 w - - 0 1', 'space')).toEqual({ 'space 0': 1, 'space 1': 1 });
});
