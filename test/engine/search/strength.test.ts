// Play at a chosen Elo: interpolation between levels, the limits of a weakened search, and its reproducibility.

import { describe, expect, test } from 'vitest';
import { parseFen } from '../../../engine/board/fen.js';
import { moveToUci } from '../../../engine/board/move.js';
import { legalMoves } from '../../../engine/board/rules.js';
import { type Level, levelOf, weakened } from '../../../engine/strength/strength.js';
import { MAX_ELO, MIN_ELO } from '../../../engine/uci/options.js';
import { KIWIPETE, MIDDLEGAME, searchHere } from './harness.js';

/** The captures of Kiwipete; its queen stands on f3. */
const CAPTURES = new Set(['e2a6', 'd5e6', 'g2h3', 'e5f7', 'e5d7', 'e5g6']);

const LEVELS: Level[] = [
  { elo: 1000, nodes: 64, missed: 0.5 },
  { elo: 1200, nodes: 64, missed: 0 },
  { elo: 1500, nodes: 256, missed: 0 },
  { elo: 1700, nodes: 1024, missed: 0 },
];

describe('a level', () => {
  test.each([
    [1000, 64, 0.5],
    [1100, 64, 0.25],
    [1200, 64, 0],
    [1350, 128, 0],
    [1500, 256, 0],
    [1600, 512, 0],
    [1700, 1024, 0],
    [500, 64, 0.5],
    [3000, 1024, 0],
  ])('the level for Elo %i has %i nodes and omits a share of %d of the quiet moves', (elo, nodes, missed) => {
    expect(levelOf(elo, LEVELS)).toEqual({ elo, nodes, missed });
  });

  test('a higher Elo never lowers the nodes or raises the share of omitted moves, over the declared range', () => {
    const levels = Array.from({ length: MAX_ELO - MIN_ELO + 1 }, (_, i) => levelOf(MIN_ELO + i));
    const isWorse = (level: Level, below: Level): boolean => level.nodes < below.nodes || level.missed > below.missed;
    expect(levels.filter((level, i) => i > 0 && isWorse(level, levels[i - 1]!))).toEqual([]);
  });
});

describe('weakened limits', () => {
  test('weakened limits keep the clock and all other limits', () => {
    const asked = { wtime: 1000, btime: 2000, winc: 10, depth: 9, ponder: true };
    expect(weakened(asked, MAX_ELO)).toMatchObject(asked);
  });

  test('weakened limits never exceed the requested nodes', () => {
    expect(weakened({ nodes: 10 }, MAX_ELO).nodes).toBe(10);
    expect(weakened({ nodes: 1e9 }, MAX_ELO).nodes).toBe(levelOf(MAX_ELO).nodes);
  });

  test("weakened limits omit quiet moves at the level's rate, but no capture or queen move", () => {
    const { missed } = levelOf(MIN_ELO);
    let [seen, all] = [0, 0];
    for (let move = 1; move <= 200; move++) {
      parseFen(KIWIPETE.replace(/\d+$/, String(move)));
      const sought = weakened({}, MIN_ELO).searchMoves ?? [];
      for (const legal of legalMoves()) {
        const from = moveToUci(legal).slice(0, 2);
        const isPlain = from === 'f3' || CAPTURES.has(moveToUci(legal));
        if (isPlain) expect(sought).toContain(legal);
        else all++;
        if (!isPlain && sought.includes(legal)) seen++;
      }
    }
    expect(seen / all).toBeCloseTo(1 - missed, 1);
  });

  test('weakened limits leave at least one of the requested moves', () => {
    parseFen(KIWIPETE);
    for (const move of legalMoves()) expect(weakened({ searchMoves: [move] }, MIN_ELO).searchMoves).toEqual([move]);
    parseFen('k7/8/1K6/8/8/8/8/7R b - - 0 1');
    expect(weakened({}, MIN_ELO).searchMoves).toEqual(legalMoves());
  });

  test('a search with weakened limits returns no move in a finished game', () => {
    parseFen('k7/1Q6/1K6/8/8/8/8/8 b - - 0 1');
    expect(searchHere(weakened({}, MIN_ELO)).bestMove).toBe(0);
  });
});

test.each([MIN_ELO, Math.round((MIN_ELO + MAX_ELO) / 2)])(
  'a search at Elo %i has its own node limit and is reproducible',
  (elo) => {
    for (const fen of [KIWIPETE, MIDDLEGAME]) {
      const play = (): object => {
        parseFen(fen);
        const { best, score, nodes } = searchHere(weakened({ infinite: true }, elo));
        return { best, score, nodes };
      };
      const first = play();
      expect(first).toMatchObject({ nodes: levelOf(elo).nodes });
      expect(play()).toEqual(first);
    }
  },
);
