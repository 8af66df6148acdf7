import { expect, test } from 'vitest';
import { formatFen, parseFen } from '../../../engine/board/fen.js';
import { moveToUci } from '../../../engine/board/move.js';
import { legalMoves } from '../../../engine/board/rules.js';
import { safestFirst } from '../../../engine/strength/safest-move.js';
import { weakened } from '../../../engine/strength/strength.js';
import { searchHere } from '../search/harness.js';

test.each([
  ['the only attacked piece is the queen, and one move saves it', 'k7/8/8/8/8/6p1/7Q/K7 w - - 0 1', /^h2/],
  ['a free rook can be captured', '4k3/8/8/3r4/4P3/8/8/4K3 w - - 0 1', /^e4d5$/],
  ['a defended pawn costs the queen', '4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1', /^(?!d1d5)/],
  ['a pawn can be captured en passant', '4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1', /^e5d6$/],
  ['a pawn can promote', '7k/P7/8/8/8/8/8/K7 w - - 0 1', /^a7a8q$/],
  ['a rook mates although it could take a pawn', '6k1/5ppp/8/8/8/8/p7/R3R1K1 w - - 0 1', /^e1e8$/],
])('safestFirst begins with the best exchange if %s', (_, fen, wanted) => {
  parseFen(fen);
  expect(moveToUci(safestFirst(legalMoves())[0])).toMatch(wanted);
  expect(formatFen()).toBe(fen);
});

test('weakened limits include all four promotions of a pawn or none of them', () => {
  const counts: number[] = [];
  for (let move = 1; move <= 100; move++) {
    parseFen(`7k/P7/8/8/8/8/8/K7 w - - 0 ${move}`);
    const seen = weakened({}, 1320).searchMoves?.map((one) => moveToUci(one)) ?? [];
    counts.push(seen.filter((one) => one.startsWith('a7a8')).length);
  }
  expect(new Set(counts)).toEqual(new Set([0, 4]));
  // About as often as any other move is seen at this level
  expect(counts.filter((count) => count === 4).length).toBeGreaterThan(35);
});

test('a weakened search that ends within its first move does not leave the queen en prise', () => {
  parseFen('4rrk1/pp1n3p/3qb1pQ/2p1p3/2PPN3/2P5/P2B2PP/4RRK1 b - - 9 20');
  const { bestMove, depth } = searchHere({ ...weakened({}, 1500), nodes: 10 });
  expect(depth).toBe(0);
  expect(moveToUci(bestMove)).toMatch(/^(d6|f8f1)/);
});
