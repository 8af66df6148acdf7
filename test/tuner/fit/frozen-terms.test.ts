import { expect, test } from 'vitest';
import { MATERIAL, PSQT, SCALE_PAWNS, TEMPO, TERMS, WEIGHT_COUNT } from '../../../engine/eval/terms.js';
import { freeCoordinates } from '../../../tuner/fit/fit.js';
import { frozenTerms } from '../../../tuner/fit/tune-settings.js';
import { HEFT } from '../../../tuner/model/heft.js';

const nothing = { freeze: [], only: [] };

test('frozenTerms marks the named terms and rows, or all others with --only', () => {
  expect(frozenTerms(HEFT, nothing)).toEqual(new Uint8Array(WEIGHT_COUNT));
  const frozen = frozenTerms(HEFT, { ...nothing, freeze: ['material', 'psqt[2]'] });
  expect(frozen.reduce((sum, flag) => sum + flag, 0)).toBe(5 + 64);
  expect([frozen[MATERIAL + 4], frozen[PSQT + 127], frozen[PSQT + 128], frozen[PSQT + 192]]).toEqual([1, 0, 1, 0]);
  const others = frozenTerms(HEFT, { only: ['tempo', 'psqt'], freeze: ['psqt[0]'] });
  expect(others.reduce((sum, flag) => sum + flag, 0)).toBe(WEIGHT_COUNT - 1 - 5 * 64);
  expect(others[TEMPO]).toBe(0);
});

test.each([
  [{ ...nothing, freeze: ['pqst'] }, /--freeze pqst: no such term; the terms are material, psqt, tempo/],
  [{ ...nothing, only: ['psqt[6]'] }, /no such row/],
  [{ ...nothing, freeze: TERMS.map(({ name }) => name) }, /no term to fit/],
])('frozenTerms rejects %o', (names, message) => {
  expect(() => frozenTerms(HEFT, names)).toThrow(message);
});

test('freeCoordinates fixes terms that never occur, frozen terms, and middlegame values of scale terms', () => {
  const occurrences = new Uint32Array(WEIGHT_COUNT).fill(9).fill(0, MATERIAL, MATERIAL + 1);
  const free = freeCoordinates({
    model: HEFT,
    occurrences,
    frozen: frozenTerms(HEFT, { ...nothing, freeze: ['tempo'] }),
  });
  const held = Array.from(free.keys()).filter((i) => free[i] === 0);
  const scales = Array.from({ length: 9 + 8 + 4 + 3 }, (_, i) => SCALE_PAWNS + i);
  expect(held).toEqual([MATERIAL, TEMPO, ...scales, WEIGHT_COUNT + MATERIAL, WEIGHT_COUNT + TEMPO]);
});
