import { describe, expect, test } from 'vitest';
import { joinParts, PartBuilder } from '../../../tuner/dataset/dataset.js';
import { checkSize, layOutRows, wordsAtMost } from '../../../tuner/objective/signed-rows.js';

const TERMS = 9;
const ROWS = [
  [1, 0, -1, 0, 5, 0, 0, -256, 1],
  [0, 0, 0, 0, 0, 0, 0, 0, 0],
  [1, 1, 1, 1, -1, -1, -1, -1, 1],
  [2, -2, 3, -3, 255, 4, -4, 6, 7],
];
/** Rows with five parts. */
const PARTED = ROWS.map((_, i) => [0, 1, 2, 3, 0].flatMap((part) => ROWS[(i + part) % 4]));

function dataset() {
  const builder = new PartBuilder(TERMS);
  builder.startGame(1);
  for (const row of PARTED) builder.add(Int32Array.from(row), 12, 1, 0);
  return joinParts([builder.finish()]);
}

/** Returns the coefficients by part and term from the stream. */
function read(stream: Uint16Array, start: number, parts = 5): number[] {
  if (parts === 0) return [];
  const row = Array<number>(TERMS + 1).fill(0);
  const units = stream.subarray(start + 2, start + 2 + 4 * stream[start]);
  for (const reference of units)
    row[reference > TERMS ? reference - TERMS - 1 : reference] += reference > TERMS ? -1 : 1;
  const others = stream.subarray(start + 2 + units.length, start + 2 + units.length + 2 * stream[start + 1]);
  for (let i = 0; i < others.length; i += 2) row[others[i]] += (others[i + 1] << 16) >> 16;
  const next = start + 2 + units.length + others.length;
  return [...row.slice(0, TERMS), ...read(stream, next, parts - 1)];
}

describe('layOutRows', () => {
  test('layOutRows reproduces the packed rows for any division of the work', () => {
    const rows = dataset();
    const room = wordsAtMost(ROWS.length, rows.packed.length);
    for (const parts of [
      [0, 4],
      [0, 1, 4],
      [0, 1, 2, 3, 4],
    ]) {
      const starts = new Uint32Array(ROWS.length);
      const stream = new Uint16Array(2 * room).fill(0xffff);
      // In any order: a part does not write to the space of another
      for (let i = parts.length - 2; i >= 0; i--) layOutRows(rows, TERMS, [starts, stream], parts[i], parts[i + 1]);
      expect([...starts].map((start) => read(stream, 2 * start))).toEqual(PARTED);
    }
  });

  test('rows are rejected if a reference exceeds 16 bits', () => {
    expect(() => checkSize(dataset(), 32_766)).not.toThrow();
    expect(() => checkSize(dataset(), 32_767)).toThrow(RangeError);
  });
});
