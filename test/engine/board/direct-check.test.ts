import { expect, test } from 'vitest';
import { isAttacked } from '../../../engine/board/attacked.js';
import { squareBoard } from '../../../engine/board/bitboards/bitboard.js';
import { isInCheck, makeMove, unmakeMove } from '../../../engine/board/kernel.js';
import { CASTLING, EN_PASSANT, moveKind, moveTo, moveToUci, PROMOTION } from '../../../engine/board/move.js';
import { generate, generateChecks, QUIET } from '../../../engine/board/movegen.js';
import { ALL_BLACK, ALL_WHITE, bb, kingSquare, state } from '../../../engine/board/position.js';
import { legalMoves } from '../../../engine/board/rules.js';
import { moves, SPARE_LIST } from '../../../engine/board/workspace.js';
import { checksAt, forgetSquares, givesDirectCheck } from '../../../engine/search/squares.js';
import { randomWalks, seedOf } from './walks.js';

test('givesDirectCheck is true for checks by the moved piece; all other checks are discovered', () => {
  let direct = 0;
  let discovered = 0;
  randomWalks(seedOf('direct check'), 60, 80, ({ path }) => {
    forgetSquares(0);
    for (const move of legalMoves()) {
      if ([CASTLING, EN_PASSANT, PROMOTION].includes(moveKind(move))) continue;
      const isDirect = givesDirectCheck(0, move);
      const to = moveTo(move);
      makeMove(move);
      const us = state.stm ^ 1;
      const others = (bb[ALL_WHITE] | bb[ALL_BLACK]) & ~squareBoard(to);
      const isDiscovered = isAttacked(kingSquare[us ^ 1], us, others);
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

test('generateChecks lists the quiet direct checks in the order of the quiet moves', () => {
  const listed = (end: number): string[] => [...moves.subarray(SPARE_LIST, end)].map((move) => moveToUci(move, true));
  let checks = 0;
  randomWalks(seedOf('quiet checks'), 60, 80, ({ path }) => {
    if (isInCheck()) return;
    forgetSquares(0);
    const quiets = moves.subarray(SPARE_LIST, generate(SPARE_LIST, QUIET));
    const wanted = [...quiets].filter((move) => givesDirectCheck(0, move)).map((move) => moveToUci(move, true));
    expect(listed(generateChecks(SPARE_LIST, checksAt(0))), path()).toEqual(wanted);
    checks += wanted.length;
  });
  expect(checks).toBeGreaterThan(300);
});
