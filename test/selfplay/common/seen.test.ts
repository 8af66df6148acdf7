// SeenItems: a set of games or positions of any size.

import { expect, test } from 'vitest';
import { SeenItems } from '../../../selfplay/common/seen.js';
import { slowTest } from '../../support/slow.js';

test('an item is identified by its text and numbers', () => {
  const seen = new SeenItems();
  const items = Array.from({ length: 10_000 }, (_, i) => [`start ${i % 100}`, [i >> 6, i]] as const);
  for (const known of [false, true]) {
    for (const [text, numbers] of items) expect(seen.add(text, numbers)).toBe(known);
    expect(seen.size).toBe(items.length);
  }
});

slowTest('a set of more than 2^24 items still finds its items', () => {
  const seen = new SeenItems();
  const count = 2 ** 24 + 1000;
  for (let i = 0; i < count; i++) seen.add('', [i]);
  expect(seen.size).toBe(count);
  expect([seen.add('', [0]), seen.add('', [count - 1]), seen.add('', [count])]).toEqual([true, true, false]);
});
