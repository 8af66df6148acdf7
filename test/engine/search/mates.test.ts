import { describe, expect, test } from 'vitest';
import { formatFen, parseFen } from '../../../engine/board/fen.js';
import { makeMove } from '../../../engine/board/kernel.js';
import { state } from '../../../engine/board/position.js';
import { gameEnd } from '../../../engine/board/rules.js';
import { MATE_BOUND, mateMoves, newGame, search } from '../../../engine/engine.js';
import { MATE, mateIn } from '../../../engine/search/score.js';
import { someOf } from '../../support/slow.js';
import { endOfLine, searchFrom } from './harness.js';

describe('a forced mate', () => {
  test.each([
    [1, '8/6P1/5K1k/6N1/5N2/8/8/8 w - - 0 1', 'g7g8n'],
    [1, 'rnbq3r/pppp2pp/1b6/8/1P2k3/8/PBPP1PPP/R2QK2R w KQ - 0 1', 'd1f3'],
    [1, 'r1b3r1/5k2/1nn1p1p1/3pPp1P/p4P2/Kp3BQN/P1PBN1P1/3R3R b - - 0 1', 'b6c4'],
    [2, '5rk1/4P3/p5p1/1b4Np/7P/8/2q2PP1/Q5K1 w - - 0 1', 'a1h8'],
    [2, '6k1/5p1p/1p2p1p1/8/5P1P/1KPR1RP1/r3r3/8 b - - 0 1', 'e2b2'],
    [2, '3k1b1q/1ppbR3/2p2N2/6P1/1Q6/7p/8/2K5 w - - 0 1', 'b4g4'],
    [2, '2Q5/bpP5/1k1P4/1P6/1K3n1r/1pNp4/r2P4/8 w - - 0 1', 'c8g4'],
    [2, '5rk1/R7/p3n1pP/4N3/4K3/8/8/8 w - - 0 1', undefined],
    [3, '1R6/p5kp/2q1b1p1/4R1Q1/2P5/3r3P/5PP1/6K1 w - - 0 1', 'g5e7'],
    [3, '4rr1k/p1p3pp/2pb1q2/8/6Q1/7P/PPPP1PP1/R1B2RK1 b - - 0 1', 'f6f2'],
    [4, '3r1r2/1pp2p1k/p5pp/4P3/2nP3R/2P3QP/P1B1q1P1/5RK1 w - - 0 1', 'f1f7'],
    [4, '8/pp3r2/5p2/kPR3p1/3Q4/4P3/q5PK/8 w - - 0 1', 'b5b6'],
  ] as [number, string, string | undefined][])(
    'a forced mate in %i is found in %s, with the complete line',
    (moves, fen, best) => {
      const run = searchFrom(fen, { mate: moves, nodes: 800_000 });
      expect(mateMoves(run.score)).toBe(moves);
      expect(run.score).toBe(mateIn(2 * moves - 1));
      if (best !== undefined) expect(run.best).toBe(best);
      for (const { score, pv, bound } of run.infos) {
        if (Math.abs(score) < MATE_BOUND || bound !== 'exact') continue;
        expect(pv).toHaveLength(MATE - Math.abs(score));
        expect(endOfLine(pv).end).toBe('checkmate');
      }
      expect(formatFen()).toBe(fen);
    },
  );

  test('a forced mate against the side to move is found', () => {
    // Whatever White plays, Black mates on the back rank
    const run = searchFrom('6k1/8/8/8/8/1r6/r7/7K w - - 0 1', { depth: 10 });
    expect(mateMoves(run.score)).toBe(-1);
    expect(run.infos.at(-1)?.pv).toHaveLength(2);
    expect(endOfLine(run.infos.at(-1)?.pv ?? []).end).toBe('checkmate');
  });

  test('a mate search stops on a mate of the requested length, but not on a longer one', () => {
    const fen = '5rk1/4P3/p5p1/1b4Np/7P/8/2q2PP1/Q5K1 w - - 0 1';
    expect(searchFrom(fen, { mate: 2, depth: 20 }).depth).toBeLessThan(10);
    expect(searchFrom(fen, { mate: 1, depth: 8 }).depth).toBe(8);
  });
});

describe('an announced mate', () => {
  const attacks = [
    '3r1rk1/ppqn3p/1npb1P2/5B2/2P5/2N3B1/PP2Q1PP/R5K1 w - - 0 1',
    '1qrr1nk1/5p1p/1p5Q/pP1bpPP1/4N3/4B3/3R3P/5BK1 w - - 0 1',
    '2r1qrk1/pb1pbp2/1pn3p1/4P3/4QB2/7R/P3BPPP/3R2K1 w - - 0 1',
    '5rk1/p3pp2/q2p2pQ/7n/2rNP1P1/2P2P2/PP6/1K5R w - - 0 1',
    '4k3/1p2prQ1/p1p2np1/2PrRB1p/8/2Bq2PP/PP3PK1/8 w - - 0 1',
  ];

  test.each(someOf(attacks))("an announced mate is delivered in time against the engine's own defence: %s", (fen) => {
    parseFen(fen);
    newGame();
    const attacker = state.stm;
    const { score } = search({ mate: 12, nodes: 4_000_000 });
    expect(score).toBeGreaterThanOrEqual(MATE_BOUND);
    let left = mateMoves(score);
    while (gameEnd() === null) {
      if (state.stm === attacker) left--;
      makeMove(search({ nodes: 200_000 }).bestMove);
    }
    expect(gameEnd()).toBe('checkmate');
    expect(left).toBeGreaterThanOrEqual(0);
  });
});

test('mate scores count full moves', () => {
  expect([1, 2, 3, 4, 5].map((ply) => mateMoves(MATE - ply))).toEqual([1, 1, 2, 2, 3]);
  expect([1, 2, 3, 4].map((ply) => mateMoves(ply - MATE))).toEqual([-0, -1, -1, -2]);
});
