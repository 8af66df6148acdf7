import { expect, test } from 'vitest';
import { formatFen, parseFen } from '../../../engine/board/fen.js';
import { moveToUci } from '../../../engine/board/move.js';
import { legalMoves } from '../../../engine/board/rules.js';
import { safestMove } from '../../../engine/search/root/safest-move.js';
import { searchFrom } from './harness.js';

test.each([
  ['the only attacked piece is the queen, and one move saves it', 'k7/8/8/8/8/6p1/7Q/K7 w - - 0 1', /^h2/],
  ['a free rook can be captured', '4k3/8/8/3r4/4P3/8/8/4K3 w - - 0 1', /^e4d5$/],
  ['a defended pawn costs the queen', '4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1', /^(?!d1d5)/],
  ['a rook mates although it could take a pawn', '6k1/5ppp/8/8/8/8/p7/R3R1K1 w - - 0 1', /^e1e8$/],
])('safestMove makes the best exchange if %s', (_, fen, wanted) => {
  parseFen(fen);
  expect(moveToUci(safestMove(legalMoves()))).toMatch(wanted);
  expect(formatFen()).toBe(fen);
});

test('a search that ends within its first move returns the safest one', () => {
  const run = searchFrom('4rrk1/pp1n3p/3qb1pQ/2p1p3/2PPN3/2P5/P2B2PP/4RRK1 b - - 9 20', { nodes: 10 });
  expect(run.depth).toBe(0);
  expect(run.best).toMatch(/^(d6|f8f1)/);
});
