// Compares random placements with an independent generator: valid FENs that games rarely reach, with several checkers, unusable
// castling rights, and en-passant squares without a possible last move.

import { expect, test } from 'vitest';
import { formatFen, parseFen } from '../../../engine/board/fen.js';
import { isLegal } from '../../../engine/board/kernel.js';
import { moveToUci } from '../../../engine/board/move.js';
import { legalMoves, parseUciMove } from '../../../engine/board/rules.js';
import { search } from '../../../engine/engine.js';
import { createRandom, type Random, randomBelow } from '../../../engine/kernel/random.js';
import { type Oracle, oracleAt, oracleMoves } from '../../support/oracle.js';
import { isSlow } from '../../support/slow.js';
import { seedOf } from './walks.js';

const PLACEMENTS = isSlow ? 150_000 : 12_000;

/** Returns a FEN of two kings and 2 to 15 other pieces on random squares, some with rights to castle or an en-passant square. */
function randomPlacement(random: Random): string {
  const squares: string[] = Array(64).fill('1');
  const freeSquare = (piece: string): number => {
    for (;;) {
      const square = randomBelow(random, 64);
      const isBackRank = square < 8 || square >= 56;
      if (squares[square] === '1' && !(isBackRank && piece.toLowerCase() === 'p')) return square;
    }
  };
  // Kings and rooks at home in a third of the positions, so that castling occurs
  const atHome = randomBelow(random, 3) === 0;
  if (atHome) {
    for (const [rank, letters] of [
      [0, 'RKR'],
      [56, 'rkr'],
    ] as const) {
      const files = [randomBelow(random, 3), 3 + randomBelow(random, 2), 5 + randomBelow(random, 3)];
      for (const [i, file] of files.entries()) squares[rank + file] = letters[i];
    }
  } else for (const king of 'Kk') squares[freeSquare(king)] = king;
  const pieces = 2 + randomBelow(random, atHome ? 10 : 14);
  for (let i = 0; i < pieces; i++) {
    const piece = 'PNBRQpnbrqPpNn'[randomBelow(random, 14)];
    squares[freeSquare(piece)] = piece;
  }
  const ranks = [7, 6, 5, 4, 3, 2, 1, 0].map((rank) => squares.slice(8 * rank, 8 * rank + 8).join(''));
  const board = ranks.join('/').replace(/1+/g, (gap) => String(gap.length));
  const side = randomBelow(random, 2) === 0 ? 'w' : 'b';
  const epFile = randomBelow(random, 8);
  // chessops lets a pawn capture onto an occupied en-passant square; the engine drops such a square
  const hasEp = randomBelow(random, 4) === 0 && squares[(side === 'w' ? 40 : 16) + epFile] === '1';
  const ep = hasEp ? 'abcdefgh'[epFile] + (side === 'w' ? '6' : '3') : '-';
  return `${board} ${side} ${atHome ? 'KQkq' : '-'} ${ep} 0 1`;
}

/** Returns the oracle's position, or null if the oracle rejects the FEN. */
function acceptedByOracle(fen: string): Oracle | null {
  try {
    return oracleAt(fen);
  } catch {
    return null;
  }
}

function isAccepted(fen: string): boolean {
  try {
    parseFen(fen);
    return true;
  } catch {
    return false;
  }
}

test('legal moves in random placements match an independent generator', () => {
  const seed = seedOf('placements');
  const random = createRandom(seed, 0x0dd);
  const different: string[] = [];
  let compared = 0;
  for (let i = 0; i < PLACEMENTS; i++) {
    const fen = randomPlacement(random);
    const oracle = acceptedByOracle(fen);
    // chessops rejects some checks without a possible last move; the engine rejects only positions in which a king could be captured
    if (!isAccepted(fen)) {
      if (oracle !== null) different.push(`${fen}: refused`);
      continue;
    }
    if (oracle === null) continue;
    compared++;
    const moves = legalMoves().map((move) => moveToUci(move, true));
    if (moves.sort().join(' ') !== oracleMoves(oracle).join(' ')) different.push(`${fen}: ${moves.join(' ')}`);
  }
  expect(different, `HEFT_SEED=${seed}`).toEqual([]);
  expect(compared).toBeGreaterThan(PLACEMENTS / 4);
});

// A king in check by two knights, or by two pawns, must move: capturing one of them does not help
test.each([
  ['two knights', '2nnk3/5p2/BKP2Bp1/p1r5/1bnn4/8/1R4P1/8 w - - 0 1'],
  ['two of three knights', 'k7/8/8/8/8/1n6/1Bn5/K2nQ3 w - - 0 1'],
  ['a knight and a pawn', '8/7k/8/8/8/1pB5/K7/2n1Q3 w - - 0 1'],
  ['two pawns', '7k/8/8/8/2Q5/p1p5/1K6/8 w - - 0 1'],
])('only king moves evade a check by %s', (_, fen) => {
  parseFen(fen);
  const oracle = oracleAt(fen);
  expect(oracle.isCheck()).toBe(true);
  const moves = legalMoves().map((move) => moveToUci(move, true));
  expect(moves.sort()).toEqual(oracleMoves(oracle));
  expect(new Set(moves.map((move) => move.slice(0, 2))).size, 'only the king moves').toBe(1);
  const { bestMove } = search({ depth: 1 });
  expect(isLegal(bestMove), formatFen()).toBe(true);
  expect(parseUciMove(moveToUci(bestMove, true))).toBe(bestMove);
});
