import { expect, test } from 'vitest';
import { createRandom, randomBelow } from '../../../engine/kernel/random.js';
import { Ordered } from '../../../selfplay/series/journal.js';

test('results are delivered in numerical order, as soon as all previous ones are available', () => {
  const seen: string[] = [];
  const ordered = new Ordered<string>((value, index) => seen.push(`${index}${value}`));
  const added = new Set<number>();
  const random = createRandom(3);
  const numbers = Array.from({ length: 100 }, (_, i) => i);
  while (numbers.length > 0) {
    const [number] = numbers.splice(randomBelow(random, numbers.length), 1);
    ordered.add(number, 'x');
    added.add(number);
    let prefix = 0;
    while (added.has(prefix)) prefix++;
    expect(seen).toHaveLength(prefix);
  }
  expect(seen).toEqual(Array.from({ length: 100 }, (_, i) => `${i}x`));
});
