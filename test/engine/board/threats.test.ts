import { attacks } from 'chessops/attacks';
import { SquareSet } from 'chessops/squareSet';
import type { Role } from 'chessops/types';
import { expect, test } from 'vitest';
import { findThreats } from '../../../engine/board/attacked.js';
import { highBits, lowBits } from '../../../engine/board/bitboards/bitboard.js';
import { BLACK, WHITE } from '../../../engine/board/types.js';
import { threats } from '../../../engine/board/workspace.js';
import { randomWalks, seedOf } from './walks.js';

/** The lesser attackers of each piece type, from pawn to king. Every piece counts against a king. */
const LESSER: readonly (readonly Role[])[] = [
  [],
  ['pawn'],
  ['pawn'],
  ['pawn', 'knight', 'bishop'],
  ['pawn', 'knight', 'bishop', 'rook'],
  ['pawn', 'knight', 'bishop', 'rook', 'queen', 'king'],
];

test('threats are the squares that lesser pieces attack, for each piece type', () => {
  randomWalks(seedOf('threats'), 40, 80, ({ oracle: { board }, path }) => {
    for (const by of [WHITE, BLACK]) {
      findThreats(by, 0);
      const side = by === WHITE ? 'white' : 'black';
      for (const [type, lesser] of LESSER.entries()) {
        let expected = SquareSet.empty();
        for (const square of board[side]) {
          const piece = board.get(square);
          if (piece !== undefined && lesser.includes(piece.role)) {
            expected = expected.union(attacks(piece, square, board.occupied));
          }
        }
        const found = new SquareSet(lowBits(threats[type]), highBits(threats[type]));
        expect([...found], `${path()}, ${side}, type ${type}`).toEqual([...expected]);
      }
    }
  });
});
