import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseFen } from '../../../engine/board/fen.js';
import { parseUciMove } from '../../../engine/board/rules.js';
import { newGame, type SearchInfo, search } from '../../../engine/engine.js';
import {
  clearRecord,
  deepestFinished,
  isOvertaken,
  publish,
  RECORD_BYTES,
  shareRecord,
} from '../../../engine/search/root/deepest-line.js';
import { KIWIPETE } from './harness.js';

beforeEach(() => {
  parseFen(KIWIPETE);
  newGame();
  shareRecord(new SharedArrayBuffer(RECORD_BYTES));
});
afterEach(() => shareRecord(null));

test('the record keeps the deepest line', () => {
  publish({ depth: 7, seldepth: 12, score: -35, pv: [3, 1, 4] });
  publish({ depth: 6, seldepth: 9, score: 12, pv: [1, 5] });
  expect(deepestFinished()).toEqual({ depth: 7, seldepth: 12, score: -35, pv: [3, 1, 4] });
  expect([6, 7, 8].map(isOvertaken)).toEqual([true, true, false]);
  clearRecord();
  expect(isOvertaken(1)).toBe(false);
});

test('a single thread is never overtaken', () => {
  shareRecord(null);
  publish({ depth: 7, seldepth: 12, score: -35, pv: [3, 1, 4] });
  expect([isOvertaken(1), deepestFinished()]).toEqual([false, null]);
});

test('a search adopts the deeper line of another thread and continues from its depth', () => {
  const move = parseUciMove('e2a6');
  publish({ depth: 6, seldepth: 11, score: 77, pv: [move] });
  const infos: SearchInfo[] = [];
  const result = search({ depth: 6 }, (info) => infos.push(info));
  expect(result).toMatchObject({ depth: 6, score: 77, bestMove: move });
  // The second depth may finish before the first look at the record
  expect(infos.map(({ depth }) => depth).filter((depth) => depth > 2)).toEqual([6]);
  const deeper = search({ depth: 7 });
  expect([deeper.depth, deepestFinished()?.depth]).toEqual([7, 7]);
});

test('a MultiPV search ignores the lines of other threads', () => {
  publish({ depth: 9, seldepth: 11, score: 77, pv: [parseUciMove('e2a6')] });
  const depths: number[] = [];
  search({ depth: 3 }, ({ depth }) => depths.push(depth), { multiPv: 2 });
  expect(depths).toEqual([1, 1, 2, 2, 3, 3]);
  expect(deepestFinished()?.depth).toBe(9);
});
