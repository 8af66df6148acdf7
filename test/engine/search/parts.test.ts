import { expect, test } from 'vitest';
import { FAMILIES, TERMS } from '../../../engine/eval/terms.js';
import { PARAMS, SEARCH_PARTS } from '../../../engine/search/params.js';

test('each part of the search can be disabled by parameter values within their ranges', () => {
  for (const [part, values] of Object.entries(SEARCH_PARTS)) {
    for (const [name, value] of Object.entries(values)) {
      const { value: whole, min, max } = PARAMS[name];
      expect(value, part).not.toBe(whole);
      expect(value >= min && value <= max, `${part}: ${name} ${value}`).toBe(true);
    }
  }
  const names = Object.values(SEARCH_PARTS).flatMap((values) => Object.keys(values));
  expect(new Set(names).size, 'no parameter belongs to two parts').toBe(names.length);
});

test('all terms except material and psqt belong to a family, and no family is empty', () => {
  const alone = TERMS.filter(({ family }) => family === null).map(({ name }) => name);
  expect(alone).toEqual(['material', 'psqt']);
  for (const family of Object.keys(FAMILIES)) expect(TERMS.filter((term) => term.family === family)).not.toEqual([]);
});
