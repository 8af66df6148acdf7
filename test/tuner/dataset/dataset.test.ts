import { describe, expect, test } from 'vitest';
import {
  countOccurrences,
  datasetHash,
  entryCoefficient,
  entryIndex,
  entryPart,
  joinParts,
  PartBuilder,
  packEntry,
} from '../../../tuner/dataset/dataset.js';
import { slowTest } from '../../support/slow.js';

describe('packEntry', () => {
  test.each([
    [0, 1, 0],
    [0, -1, 2],
    [389, 255, 1],
    [389, -256, 0],
    [1_000_000, -8, 2],
    [1_000_000, 1, 4],
  ])('packEntry stores term %i, coefficient %i and part %i', (term, coefficient, part) => {
    const entry = packEntry(term, coefficient, part);
    expect([entryIndex(entry), entryCoefficient(entry), entryPart(entry)]).toEqual([term, coefficient, part]);
  });

  test.each([
    [1, 256],
    [1, -257],
    [2 ** 20, 1],
    [-1, 1],
  ])('packEntry rejects term %i with coefficient %i', (term, coefficient) => {
    expect(() => packEntry(term, coefficient)).toThrow(RangeError);
  });
});

slowTest('datasetHash hashes arrays of 2 GiB', () => {
  const dataset = joinParts([]);
  const packed = new Int32Array(new SharedArrayBuffer(2 ** 31));
  packed[packed.length - 1] = 1;
  const large = datasetHash({ ...dataset, packed });
  packed[packed.length - 1] = 2;
  expect(datasetHash({ ...dataset, packed })).not.toBe(large);
});

describe('joinParts', () => {
  const part = (games: number, rowsPerGame: number, first: number) => {
    const builder = new PartBuilder();
    for (let game = 0; game < games; game++) {
      builder.startGame(1000 * first + game);
      for (let row = 0; row < rowsPerGame; row++) {
        builder.add(Int32Array.of(0, row - 1, 0, 7), row % 25, row % 3, -row);
      }
    }
    return builder.finish();
  };

  test('joinParts gives the same dataset as a single builder', () => {
    const whole = new PartBuilder();
    for (let game = 0; game < 60; game++) {
      whole.startGame(1000 * (game < 40 ? 1 : 2) + (game < 40 ? game : game - 40));
      for (let row = 0; row < 50; row++) whole.add(Int32Array.of(0, row - 1, 0, 7), row % 25, row % 3, -row);
    }
    const joined = joinParts([part(40, 50, 1), part(20, 50, 2)]);
    expect(datasetHash(joined)).toBe(datasetHash(joinParts([whole.finish()])));
    expect(joined.packed.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(joined.opening[joined.game[joined.game.length - 1]]).toBe(2019);
  });

  test('the hash of joined parts depends on their order and on every value', () => {
    const hash = datasetHash(joinParts([part(3, 4, 1), part(3, 4, 2)]));
    expect(datasetHash(joinParts([part(3, 4, 2), part(3, 4, 1)]))).not.toBe(hash);
    const changed = joinParts([part(3, 4, 1), part(3, 4, 2)]);
    changed.result[5] ^= 1;
    expect(datasetHash(changed)).not.toBe(hash);
  });

  test('countOccurrences counts positions per term and ignores excluded rows', () => {
    const dataset = joinParts([part(1, 3, 1)]);
    expect([...countOccurrences(dataset, 4)]).toEqual([0, 2, 0, 3]);
    expect([...countOccurrences(dataset, 4, Uint8Array.of(0, 0, 1))]).toEqual([0, 1, 0, 2]);
  });

  test('joinParts returns an empty dataset for no parts', () => {
    expect(joinParts([]).offsets).toHaveLength(1);
  });
});
