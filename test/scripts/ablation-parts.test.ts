import { expect, test } from 'vitest';
import { TERMS } from '../../engine/eval/terms.js';
import { PARAMS } from '../../engine/search/params.js';
import { FAMILIES, SEARCH_PARTS } from '../../scripts/ablation-parts.js';

test('a part of the search is switched off by declared parameters within their ranges', () => {
  for (const [part, values] of Object.entries(SEARCH_PARTS)) {
    for (const [name, value] of Object.entries(values)) {
      const { value: whole, min, max } = PARAMS[name];
      expect(value, part).not.toBe(whole);
      expect(value >= min && value <= max, `${part}: ${name} ${value}`).toBe(true);
    }
  }
});

test('every term but material and tables belongs to one family', () => {
  const terms = TERMS.map(({ name }) => name).filter((name) => name !== 'material' && name !== 'psqt');
  expect(Object.values(FAMILIES).flat().sort()).toEqual(terms.sort());
});
