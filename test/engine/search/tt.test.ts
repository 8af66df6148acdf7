import { beforeEach, describe, expect, test } from 'vitest';
import { parseFen, STARTPOS } from '../../../engine/board/fen.js';
import { makeMove } from '../../../engine/board/kernel.js';
import { keys } from '../../../engine/board/position.js';
import { legalMoves } from '../../../engine/board/rules.js';
import { createRandom, randomBelow } from '../../../engine/kernel/random.js';
import { DRAW, MATE_BOUND, matedIn, mateIn, NO_SCORE } from '../../../engine/search/score.js';
import {
  ageTable,
  BOUND_EXACT,
  BOUND_LOWER,
  BOUND_UPPER,
  clearTable,
  hashfull,
  hit,
  setHashSize,
  table,
  useTable,
} from '../../../engine/search/tt/memory.js';
import { probe, store } from '../../../engine/search/tt/tt.js';
import { ENDGAME, KIWIPETE } from './harness.js';

setHashSize(1);
const memory = table.memory;
const { ints } = table;

/** The entry that the last probe found. */
const found = () => ({
  move: hit.move,
  depth: hit.depth,
  bound: hit.bound,
  score: hit.score,
  staticEval: hit.staticEval,
});

beforeEach(() => {
  useTable(memory);
  clearTable();
  parseFen(KIWIPETE);
});

describe('an entry', () => {
  test('an entry is returned unchanged', () => {
    const random = createRandom(21);
    for (let i = 0; i < 2000; i++) {
      clearTable();
      const move = 1 + randomBelow(random, 0xffff);
      const depth = randomBelow(random, 128);
      const bound = 1 + randomBelow(random, 3);
      const score = randomBelow(random, 2 * MATE_BOUND - 1) - (MATE_BOUND - 1);
      const staticEval = i % 7 === 0 ? NO_SCORE : randomBelow(random, 60_001) - 30_000;
      store(move, depth, bound, score, staticEval, randomBelow(random, 100), false);
      expect(probe(randomBelow(random, 100))).toBe(true);
      expect(found()).toEqual({ move, depth, bound, score, staticEval });
    }
  });

  test('an entry stores mate distances from the position, not from the root', () => {
    // A mate in three plies, found at ply 5 of one search, …
    store(77, 9, BOUND_EXACT, mateIn(5 + 3), 0, 5, false);
    // … is three plies away when another search reaches the position at ply 2
    expect([probe(2), found().score]).toEqual([true, mateIn(2 + 3)]);
    expect([probe(0), found().score]).toEqual([true, mateIn(3)]);
    store(77, 9, BOUND_EXACT, matedIn(10 + 4), 0, 10, false);
    expect([probe(1), found().score]).toEqual([true, matedIn(1 + 4)]);
  });

  test('an entry is not found for another position', () => {
    store(77, 9, BOUND_EXACT, 12, 0, 0, false);
    for (const move of legalMoves()) {
      makeMove(move);
      expect([probe(0), found().move]).toEqual([false, 0]);
      parseFen(KIWIPETE);
    }
    parseFen(KIWIPETE.replace(' w ', ' b '));
    expect(probe(0)).toBe(false);
    parseFen(KIWIPETE.replace('KQkq', 'KQk'));
    expect(probe(0)).toBe(false);
    parseFen(KIWIPETE);
    expect(probe(0)).toBe(true);
  });

  test('a draw score against a lost bare king is not stored, because it comes from a repetition', () => {
    for (const [fen, staticEval, isStored] of [
      ['8/8/1k6/3K4/2P5/8/8/8 w - - 3 3', 532, false],
      ['8/8/1k6/3K4/2P5/8/8/8 b - - 3 3', 0, true],
      [KIWIPETE, 532, true],
    ] as const) {
      parseFen(fen);
      store(1, 3, BOUND_EXACT, DRAW, staticEval, 4, false);
      expect(probe(4), fen).toBe(isStored);
    }
  });

  test('an entry torn by another thread does not match', () => {
    store(4711, 9, BOUND_EXACT, 12, -34, 0, false);
    const words = Array.from(ints.keys()).filter((i) => ints[i] !== 0);
    expect(words.length).toBe(3);
    for (const word of words) {
      for (let bit = 0; bit < 32; bit++) {
        ints[word] ^= 1 << bit;
        expect(probe(0), `word ${word} bit ${bit}`).toBe(false);
        ints[word] ^= 1 << bit;
      }
    }
    // Data of one entry under the key of another
    const first = words.map((word) => ints[word]);
    store(1234, 3, BOUND_EXACT, 900, 800, 0, false);
    for (const mix of [[0], [1], [2], [0, 1], [0, 2], [1, 2]]) {
      const second = words.map((word) => ints[word]);
      for (const i of mix) ints[words[i]] = first[i];
      expect(probe(0), `words ${mix} of another entry`).toBe(false);
      words.forEach((word, i) => {
        ints[word] = second[i];
      });
    }
    expect(probe(0)).toBe(true);
  });

  test('an entry is not found after the table is cleared', () => {
    store(77, 9, BOUND_EXACT, 12, 0, 0, false);
    clearTable();
    expect(probe(0)).toBe(false);
  });
});

describe('storing over an entry', () => {
  test('storing without a move keeps the old move', () => {
    store(77, 5, BOUND_LOWER, 100, 20, 0, false);
    store(0, 6, BOUND_UPPER, 50, 20, 0, false);
    expect(probe(0)).toBe(true);
    expect(found()).toMatchObject({ move: 77, depth: 6, bound: BOUND_UPPER, score: 50 });
  });

  test('a shallow bound does not replace a deep entry of the same search, but an exact score does', () => {
    store(77, 20, BOUND_LOWER, 100, 20, 0, false);
    store(88, 3, BOUND_UPPER, 50, 20, 0, false);
    expect([probe(0), found().move, found().depth]).toEqual([true, 77, 20]);
    store(88, 3, BOUND_EXACT, 50, 20, 0, false);
    expect([probe(0), found().move, found().depth]).toEqual([true, 88, 3]);
  });

  test('a shallow bound replaces a deep entry of an earlier search', () => {
    store(77, 20, BOUND_LOWER, 100, 20, 0, false);
    ageTable();
    store(88, 3, BOUND_UPPER, 50, 20, 0, false);
    expect([probe(0), found().move, found().depth]).toEqual([true, 88, 3]);
  });
});

describe('a full bucket', () => {
  /** Sets a key that maps to the same bucket. */
  const bucketMate = (i: number): void => {
    parseFen(i % 2 === 0 ? KIWIPETE : ENDGAME);
    keys.position = (BigInt(1000 + i) << 32n) | 5n;
  };
  const isFound = (i: number): boolean => {
    bucketMate(i);
    return probe(0);
  };

  test('a full bucket replaces its shallowest entry', () => {
    for (const [i, depth] of [9, 7, 3, 8, 6].entries()) {
      bucketMate(i);
      store(100 + i, depth, BOUND_EXACT, i, 0, 0, false);
    }
    expect([0, 1, 2, 3, 4].map(isFound)).toEqual([true, true, true, true, true]);
    bucketMate(5);
    store(105, 1, BOUND_EXACT, 5, 0, 0, false);
    expect([0, 1, 2, 3, 4, 5].map(isFound)).toEqual([true, true, false, true, true, true]);
  });

  test('a full bucket replaces entries of old searches first', () => {
    bucketMate(0);
    store(100, 12, BOUND_EXACT, 0, 0, 0, false);
    for (let age = 0; age < 4; age++) ageTable();
    for (const i of [1, 2, 3, 4]) {
      bucketMate(i);
      store(100 + i, 2, BOUND_EXACT, i, 0, 0, false);
    }
    bucketMate(5);
    store(105, 1, BOUND_EXACT, 5, 0, 0, false);
    expect([0, 1, 2, 3, 4, 5].map(isFound)).toEqual([false, true, true, true, true, true]);
  });
});

describe('the table', () => {
  test('the number of cache lines in the table is the largest power of two that fits its size', () => {
    for (const megabytes of [1, 2, 3, 7, 16, 33]) {
      setHashSize(megabytes);
      const { byteLength } = table.ints;
      expect(byteLength).toBeLessThanOrEqual(megabytes * 2 ** 20);
      expect(byteLength).toBeGreaterThan((megabytes * 2 ** 20) / 2 - 1);
      expect(Math.log2(byteLength / 64) % 1).toBe(0);
    }
  });

  test('hashfull counts entries of the current search', () => {
    expect(hashfull()).toBe(0);
    const random = createRandom(22);
    const fill = (count: number): void => {
      for (let i = 0; i < count; i++) {
        keys.position = (BigInt(random()) << 32n) | BigInt(random());
        store(1, 1, BOUND_EXACT, 0, 0, 0, false);
      }
    };
    // 16,384 buckets of five entries
    fill(16_384);
    expect(hashfull()).toBeGreaterThan(120);
    expect(hashfull()).toBeLessThan(280);
    fill(400_000);
    expect(hashfull()).toBeGreaterThan(950);
    ageTable();
    expect(hashfull()).toBe(0);
    parseFen(STARTPOS);
  });
});
