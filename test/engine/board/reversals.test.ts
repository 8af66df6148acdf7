import { expect, test } from 'vitest';
import { canRepeat, isRepetition } from '../../../engine/board/draws.js';
import { parseFen } from '../../../engine/board/fen.js';
import { makeMove, unmakeMove } from '../../../engine/board/kernel.js';
import { legalMoves } from '../../../engine/board/rules.js';
import { createRandom } from '../../../engine/kernel/random.js';

// Reference for canRepeat: tries every legal move for a repetition of a position in the line
function canRepeatSlowly(ply: number): boolean {
  return legalMoves().some((move) => {
    makeMove(move);
    const returns = isRepetition(ply + 1);
    unmakeMove(move);
    return returns;
  });
}

test('canRepeat agrees with trying every legal move', () => {
  const random = createRandom(7);
  let seen = 0;
  for (let game = 0; game < 60; game++) {
    parseFen(game % 2 === 0 ? '4k3/8/2n5/8/8/5B2/8/R3K2R w KQ - 0 1' : '3qk3/8/8/3b4/8/2N5/8/3QK3 b - - 0 1');
    for (let ply = 0; ply < 30; ply++) {
      const expected = ply >= 3 && canRepeatSlowly(ply);
      if (expected) seen++;
      expect(canRepeat(ply)).toBe(expected);
      const moves = legalMoves();
      if (moves.length === 0) break;
      makeMove(moves[random() % moves.length]);
    }
  }
  expect(seen).toBeGreaterThan(20);
});
