import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { TERMS, WEIGHT_COUNT } from '../../../engine/eval/terms.js';
import { checkWeightSet, type Pair, WEIGHT_LIMIT, weightVectors } from '../../../engine/eval/weight-set.js';
import { WEIGHTS } from '../../../engine/eval/weights.js';
import { currentWeights } from '../../../engine/eval/weights-in-use.js';

const material = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../../engine/eval/material.json', import.meta.url)), 'utf8'),
);

/** A valid set in which the entry of one term is replaced. */
const withPair = (pair: unknown): unknown => ({ terms: { ...material.terms, tempo: [pair] } });

describe('a weight set', () => {
  test('a weight set is read with or without provenance', () => {
    expect(checkWeightSet(material).provenance).toMatchObject(material.provenance);
    expect(checkWeightSet({ terms: material.terms }).terms).toMatchObject(material.terms);
  });

  test('a term missing from a weights file becomes zero and is listed as missing', () => {
    const { provenance, terms } = checkWeightSet(material);
    const missing = TERMS.map(({ name }) => name).filter((name) => !(name in material.terms));
    expect(missing).toContain('knightMobility');
    expect(provenance['missing']).toEqual(missing);
    expect(terms['knightMobility']).toEqual(Array(9).fill([0, 0]));
    expect(checkWeightSet({ terms }).provenance).toEqual({});
  });

  test('a weight set converts to vectors in term order', () => {
    let next = 0;
    const terms = Object.fromEntries(
      TERMS.map(({ name, size }) => [name, Array.from({ length: size }, (): Pair => [next++, -next])]),
    );
    // The order in the file does not matter
    const reversed = Object.fromEntries(Object.entries(terms).toReversed());
    const { mg, eg } = weightVectors(checkWeightSet({ terms: reversed }));
    expect(Array.from(mg)).toEqual(Array.from({ length: WEIGHT_COUNT }, (_, i) => i));
    expect(Array.from(eg)).toEqual(Array.from({ length: WEIGHT_COUNT }, (_, i) => -i - 1));
  });

  test.each([
    ['nothing', undefined, 'no "terms" object'],
    ['null', null, 'no "terms" object'],
    ['a list', [], 'no "terms" object'],
    ['text', 'weights', 'no "terms" object'],
    ['no terms', {}, 'no "terms" object'],
    ['terms as a list', { terms: [] }, 'no "terms" object'],
    ['an invalid provenance', { ...material, provenance: 'me' }, '"provenance" is not an object'],
    ['an unknown term', { terms: { ...material.terms, mobility: [] } }, 'unknown term "mobility"'],
    ['a missing term', { terms: { material: material.terms.material } }, 'term "psqt" is missing'],
    ['a short term', { terms: { ...material.terms, material: [[1, 1]] } }, 'term "material" is not a list of 5 pairs'],
    ['a term that is not a list', { terms: { ...material.terms, tempo: 3 } }, 'term "tempo" is not a list of 1 pairs'],
    ['a fraction', withPair([1.5, 0]), 'term "tempo", entry 0: [1.5,0]'],
    ['text instead of a number', withPair(['1', 0]), 'term "tempo", entry 0: ["1",0]'],
    ['not a number', withPair([Number.NaN, 0]), 'term "tempo", entry 0'],
    ['a single value', withPair([1]), 'term "tempo", entry 0: [1]'],
    ['three values', withPair([1, 2, 3]), 'term "tempo", entry 0: [1,2,3]'],
    ['a number instead of a pair', withPair(7), 'term "tempo", entry 0: 7'],
    ['a value out of range', withPair([0, WEIGHT_LIMIT + 1]), `within ±${WEIGHT_LIMIT}`],
  ])('a weight set is rejected: %s', (_, value, message) => {
    expect(() => checkWeightSet(value)).toThrow(message);
  });

  test('a weight may be as large as the limit', () => {
    expect(() => checkWeightSet(withPair([WEIGHT_LIMIT, -WEIGHT_LIMIT]))).not.toThrow();
  });
});

describe('the compiled weights', () => {
  test('the compiled weights match the terms and are in use at startup', () => {
    const { mg, eg } = weightVectors(checkWeightSet(WEIGHTS));
    expect(currentWeights()).toEqual({ mg: Array.from(mg), eg: Array.from(eg) });
    expect(mg[4], 'a queen is worth more than a pawn').toBeGreaterThan(mg[0]);
  });

  test('the material-only set contains the classic piece values and no other weights', () => {
    const { mg, eg } = weightVectors(checkWeightSet(material));
    expect(mg).toEqual(eg);
    expect(Array.from(mg.slice(0, 5))).toEqual([100, 300, 300, 500, 900]);
    expect(mg.slice(5).some((value) => value !== 0)).toBe(false);
  });
});
