import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { parseFen, STARTPOS } from '../../../engine/board/fen.js';
import { perft } from '../../../engine/board/kernel.js';
import { setChess960 } from '../../../engine/board/position.js';
import { createRandom, randomBelow } from '../../../engine/kernel/random.js';
import { divide } from '../../../engine/uci/inspect.js';
import { seedOf } from './walks.js';

interface Known {
  fen: string;
  depth: number;
  leaves: number;
}

const SLOW = process.env['HEFT_SLOW'] !== undefined;

const DATA = fileURLToPath(new URL('../../data/perft.epd', import.meta.url));
const SUITE = fileURLToPath(new URL('../../../../shared/suites/perft.tsv', import.meta.url));
/** Number of standard positions, which come first in the data. */
const STANDARD = 6;

const known: Known[] = readFileSync(DATA, 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [fen, ...counts] = line.split(' ;D');
    const [depth, leaves] = counts[SLOW ? counts.length - 1 : 0].split(' ').map(Number);
    return { fen, depth, leaves };
  });

function expectLeaves({ fen, depth, leaves }: Known): void {
  parseFen(fen);
  expect(perft(depth, true), `perft ${depth} of ${fen}`).toBe(leaves);
}

afterEach(() => setChess960(false));

describe('perft', () => {
  test.each(known.slice(0, STANDARD))('perft counts $leaves leaves at depth $depth of $fen', expectLeaves);

  test('perft is correct in tricky positions, with either castling notation', () => {
    expect(known.length).toBeGreaterThan(60);
    for (const position of known.slice(STANDARD)) {
      setChess960(false);
      expectLeaves(position);
      setChess960(true);
      if (position.fen.split(' ')[2] !== '-') expectLeaves(position);
    }
  });

  test('perft returns the same count with and without bulk counting', () => {
    for (const { fen, depth } of known.slice(0, STANDARD)) {
      parseFen(fen);
      const plies = Math.min(3, depth);
      expect(perft(plies, false), fen).toBe(perft(plies, true));
    }
  });

  test('divide lists the perft count of each root move', () => {
    parseFen(STARTPOS);
    const counts = divide(3);
    expect(counts).toHaveLength(20);
    expect(counts).toContainEqual(['e2e4', 600]);
    expect(counts).toContainEqual(['b1a3', 400]);
    expect(counts.reduce((sum, [, count]) => sum + count, 0)).toBe(8902);
    expect(divide(1).map(([, count]) => count)).toEqual(Array(20).fill(1));
  });

  test('divide distinguishes castling from a king move to the same square', () => {
    parseFen('4k3/8/8/8/8/8/8/5K1R w K - 0 1');
    const moves = divide(1).map(([move]) => move);
    expect(moves).toEqual(expect.arrayContaining(['f1g1', 'f1h1']));
    expect(new Set(moves).size).toBe(perft(1, true));
  });
});

describe.skipIf(!existsSync(SUITE))('perft on a sample of the large suite', () => {
  const POSITIONS = 150;
  const MAX_LEAVES = 60_000;

  function leavesWithin(counts: string): { depth: number; leaves: number } | undefined {
    return counts
      .split(' ')
      .map((count) => ({ depth: Number(count.split(':')[0]), leaves: Number(count.split(':')[1]) }))
      .findLast(({ leaves }) => leaves <= MAX_LEAVES);
  }

  test.each(['std', 'frc'])('perft matches a sample of the large suite: %s', (kind) => {
    const random = createRandom(seedOf('perft sample'));
    const rows = readFileSync(SUITE, 'utf8')
      .split('\n')
      .map((line) => line.split('\t'))
      .filter((row) => row[1] === kind);
    expect(rows.length).toBeGreaterThan(0);
    setChess960(kind === 'frc');
    for (let i = 0; i < POSITIONS; i++) {
      const [, , fen, counts] = rows[randomBelow(random, rows.length)];
      const count = leavesWithin(counts);
      if (count !== undefined) expectLeaves({ fen, ...count });
    }
  });
});
