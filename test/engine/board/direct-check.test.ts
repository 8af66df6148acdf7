import { expect, test } from 'vitest';
import { isAttacked, isInCheck } from '../../../engine/board/attacked.js';
import { bitHi, bitLo } from '../../../engine/board/bitboards/bitboard.js';
import { givesDirectCheck } from '../../../engine/board/checks.js';
import { makeMove, unmakeMove } from '../../../engine/board/makemove.js';
import { CASTLING, EN_PASSANT, moveKind, moveTo, moveToUci } from '../../../engine/board/move.js';
import { ALL_BLACK, ALL_WHITE, bb, KING_SQUARE, sideToMove, state } from '../../../engine/board/position.js';
import { legalMoves } from '../../../engine/board/rules.js';
import { randomWalks, seedOf } from './walks.js';

test('a direct check is a check by the piece that moved, and every other check is a discovered one', () => {
  let direct = 0;
  let discovered = 0;
  randomWalks(seedOf('direct check'), 60, 80, ({ path }) => {
    for (const move of legalMoves()) {
      if (moveKind(move) === CASTLING || moveKind(move) === EN_PASSANT) continue;
      const isDirect = givesDirectCheck(move);
      const to = moveTo(move);
      makeMove(move);
      const us = sideToMove() ^ 1;
      const othersLo = (bb[ALL_WHITE] | bb[ALL_BLACK]) & ~bitLo(to);
      const othersHi = (bb[ALL_WHITE + 1] | bb[ALL_BLACK + 1]) & ~bitHi(to);
      const isDiscovered = isAttacked(state[KING_SQUARE + (us ^ 1)], us, othersLo, othersHi);
      if (isDirect || isInCheck())
        expect(isDirect ? isInCheck() : isDiscovered, `${path()} ${moveToUci(move, true)}`).toBe(true);
      if (isDirect) direct++;
      else if (isInCheck()) discovered++;
      unmakeMove(move);
    }
  });
  expect(direct).toBeGreaterThan(500);
  expect(discovered).toBeGreaterThan(10);
});
