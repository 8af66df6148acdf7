import { expect, test } from 'vitest';
import { MATERIAL, PSQT, TEMPO, TERM_COUNT, TERMS } from '../../../engine/eval/terms.js';
import { frozenTerms } from '../../../tuner/fit/frozen-terms.js';

const nothing = { freeze: [], only: [] };

test('frozenTerms marks nothing, the terms and rows named, or all but those', () => {
  expect(frozenTerms(nothing)).toEqual(new Uint8Array(TERM_COUNT));
  const frozen = frozenTerms({ ...nothing, freeze: ['material', 'psqt[2]'] });
  expect(frozen.reduce((sum, flag) => sum + flag, 0)).toBe(5 + 64);
  expect([frozen[MATERIAL + 4], frozen[PSQT + 127], frozen[PSQT + 128], frozen[PSQT + 192]]).toEqual([1, 0, 1, 0]);
  const others = frozenTerms({ only: ['tempo', 'psqt'], freeze: ['psqt[0]'] });
  expect(others.reduce((sum, flag) => sum + flag, 0)).toBe(TERM_COUNT - 1 - 5 * 64);
  expect(others[TEMPO]).toBe(0);
});

test.each([
  [{ ...nothing, freeze: ['pqst'] }, /--freeze pqst: no such term; there are material, psqt, tempo/],
  [{ ...nothing, only: ['psqt[6]'] }, /no such row/],
  [{ ...nothing, freeze: TERMS.map(({ name }) => name) }, /no term to fit/],
])('frozenTerms refuses %o', (names, message) => {
  expect(() => frozenTerms(names)).toThrow(message);
});
