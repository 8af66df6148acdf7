import { describe, expect, test } from 'vitest';
import { HANGING, PASSED_PAWN, PAWN_ISOLATED, TEMPO, TERMS, WEIGHT_COUNT } from '../../../engine/eval/terms.js';
import { HEFT } from '../../../tuner/model/heft.js';
import { columnNames, rowName, weightLabel } from '../../../tuner/model/names.js';
import { readHeader } from '../../../tuner/rows/header.js';

/** Names of the values of another engine's material. */
function materialNames(shape: number[]): string[] {
  const size = shape.reduce((product, length) => product * length, 1);
  const terms = [{ name: 'material', shape, weights: Array(size).fill(0) }];
  const { model } = readHeader(JSON.stringify({ format: 'heft-rows', version: 1, engine: 'Other', terms }), 'header');
  return Array.from({ length: size }, (_, index) => weightLabel(model, index));
}

describe('names of weights', () => {
  test('weights have names in chess terms', () => {
    expect(weightLabel(HEFT, 0)).toBe('material pawn');
    expect(weightLabel(HEFT, 5 + 64 + 27)).toBe('knight d4');
    expect(weightLabel(HEFT, PAWN_ISOLATED + 3)).toBe('isolated pawn, opposed, d file');
    expect(weightLabel(HEFT, PASSED_PAWN + 8 + 5)).toBe('passed pawn, next square free, attacked ahead, rank 6');
    expect(weightLabel(HEFT, HANGING + 4)).toBe('hanging, queen');
    expect(weightLabel(HEFT, TEMPO)).toBe('side to move');
    const storm = TERMS.find(({ name }) => name === 'kingStorm')!;
    expect(weightLabel(HEFT, storm.offset + 8 + 1)).toBe('pawn storm, free, 1 file from the edge, 1 rank away');
  });

  test('material of another engine is named after pieces only if it has five or six values', () => {
    expect(materialNames([5])[0]).toBe('material pawn');
    expect(materialNames([6])[5]).toBe('material king');
    // The first of seven values belongs to the empty square
    expect(materialNames([7])[0]).toBe('material 0');
    expect(materialNames([2, 5])[6]).toBe('material 1, knight');
  });

  test('every weight has a unique name without code identifiers', () => {
    const names = Array.from({ length: WEIGHT_COUNT }, (_, i) => weightLabel(HEFT, i));
    expect(new Set(names).size).toBe(WEIGHT_COUNT);
    for (const name of names) expect(name).not.toMatch(/[a-z][A-Z]|\[|undefined/);
  });

  test('rows and their cells have names', () => {
    const isolated = TERMS.find(({ name }) => name === 'pawnIsolated')!;
    expect(rowName(isolated, 1)).toBe('isolated pawn, unopposed');
    expect(columnNames(isolated)).toEqual([...'abcdefgh']);
    for (const term of TERMS) expect(columnNames(term)).toHaveLength(term.shape.at(-1)!);
  });
});
