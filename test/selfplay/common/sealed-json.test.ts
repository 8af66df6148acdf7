import { expect, test } from 'vitest';
import { sealedJson, unsealedJson } from '../../../selfplay/common/run-files.js';

const VALUE = { games: 12, results: { wins: 5, text: 'a "}" ü\n' }, list: [0.5, null, []] };

test.each([undefined, 2])('a sealed object with an indent of %s is read back unchanged', (space) => {
  const text = sealedJson(VALUE, space);
  const { checksum, ...rest } = JSON.parse(text);
  expect([rest, checksum]).toEqual([VALUE, expect.stringMatching(/^[0-9a-f]{16}$/)]);
  expect(unsealedJson(`${text}\n`)).toEqual(VALUE);
  if (space !== undefined) expect(text).toBe(JSON.stringify(JSON.parse(text), null, space));
});

test('an object from an earlier version, without a checksum, is accepted', () => {
  expect(unsealedJson(JSON.stringify(VALUE))).toEqual(VALUE);
});

test.each([undefined, 2])('every bit flip that changes a value is detected, with an indent of %s', (space) => {
  const bytes = Buffer.from(sealedJson(VALUE, space));
  for (let at = 0; at < bytes.length; at++) {
    for (let bit = 0; bit < 8; bit++) {
      bytes[at] ^= 1 << bit;
      let value: unknown = VALUE;
      try {
        value = unsealedJson(bytes.toString('utf8'));
      } catch {
        // Rejected
      }
      bytes[at] ^= 1 << bit;
      expect(value).toEqual(VALUE);
    }
  }
});
