import { describe, expect, test } from 'vitest';
import { bishopAttacks, rookAttacks } from '../../../engine/board/bitboards/attacks.js';
import { DIAGONALS, STRAIGHTS } from '../../../engine/board/bitboards/tables.js';
import { parseFen } from '../../../engine/board/fen.js';
import {
  CASTLING,
  EN_PASSANT,
  kingTarget,
  moveFrom,
  moveKind,
  movePromotion,
  moveTo,
  moveToUci,
  NO_MOVE,
  PROMOTION,
} from '../../../engine/board/move.js';
import { formatSan, parseSan, parseUciMove } from '../../../engine/board/rules.js';
import { parseSquare, QUEEN, ROOK, squareName } from '../../../engine/board/types.js';
import { createRandom } from '../../../engine/kernel/random.js';
import { makeMoveCode } from '../../support/random-games.js';
import { seedOf } from './walks.js';

const [E1, H1, A8, G1, C8, A7] = ['e1', 'h1', 'a8', 'g1', 'c8', 'a7'].map(parseSquare);

describe('a move code', () => {
  test('a move code has the layout of viriformat', () => {
    expect(makeMoveCode(12, 28)).toBe(12 | (28 << 6));
    expect(makeMoveCode(36, 43, EN_PASSANT)).toBe(36 | (43 << 6) | (1 << 14));
    expect(makeMoveCode(E1, H1, CASTLING)).toBe(4 | (7 << 6) | (2 << 14));
    expect(makeMoveCode(A7, A8, PROMOTION, QUEEN)).toBe(48 | (56 << 6) | (3 << 12) | (3 << 14));
  });

  test('a move code decodes to its squares, kind and promotion', () => {
    const move = makeMoveCode(A7, A8, PROMOTION, ROOK);
    expect([moveFrom(move), moveTo(move), moveKind(move), movePromotion(move)]).toEqual([A7, A8, PROMOTION, ROOK]);
    expect(move).toBeLessThan(0x10000);
  });

  test('a move code is written in UCI, with castling in either notation', () => {
    const castling = makeMoveCode(E1, H1, CASTLING);
    expect([moveToUci(castling), moveToUci(castling, true)]).toEqual(['e1g1', 'e1h1']);
    expect(kingTarget(castling)).toBe(G1);
    expect(moveToUci(makeMoveCode(parseSquare('f8'), A8, CASTLING))).toBe('f8c8');
    expect(kingTarget(makeMoveCode(parseSquare('b8'), A8, CASTLING))).toBe(C8);
    expect(moveToUci(makeMoveCode(A7, A8, PROMOTION, ROOK))).toBe('a7a8r');
    expect(moveToUci(NO_MOVE)).toBe('0000');
  });
});

test('a square converts to its name and back', () => {
  for (let square = 0; square < 64; square++) expect(parseSquare(squareName(square))).toBe(square);
  expect([squareName(0), squareName(63), parseSquare('e4')]).toEqual(['a1', 'h8', 28]);
  for (const name of ['', '-', 'e', 'e0', 'e9', 'i1', 'E4', 'e44']) expect(parseSquare(name), name).toBe(-1);
});

/** Returns the attacks of a slider by walking its rays up to and including the first occupied square. */
function rayAttacks(square: number, isRook: boolean, occupied: bigint): bigint {
  let attacks = 0n;
  for (const [fileStep, rankStep] of isRook
    ? [
        [0, 1],
        [1, 0],
        [0, -1],
        [-1, 0],
      ]
    : [
        [1, 1],
        [1, -1],
        [-1, -1],
        [-1, 1],
      ]) {
    let file = (square & 7) + fileStep;
    let rank = (square >> 3) + rankStep;
    for (; file >= 0 && file < 8 && rank >= 0 && rank < 8; file += fileStep, rank += rankStep) {
      const bit = 1n << BigInt(8 * rank + file);
      attacks |= bit;
      if ((occupied & bit) !== 0n) break;
    }
  }
  return attacks;
}

test('obstruction difference and a ray walk give the same slider attacks for random blockers', () => {
  const wrong: string[] = [];
  const random = createRandom(seedOf('slider attacks'));
  const randomBoard = (): bigint => (BigInt(random()) << 32n) | BigInt(random());
  for (let square = 0; square < 64; square++) {
    for (let sample = 0; sample < 60; sample++) {
      // From sparse to dense occupancy along the rays
      const occupied = randomBoard() & (sample % 3 === 0 ? randomBoard() & randomBoard() : randomBoard());
      for (const isRook of [true, false]) {
        const seen = occupied & (isRook ? STRAIGHTS : DIAGONALS)[square];
        const attacks = isRook ? rookAttacks(square, seen) : bishopAttacks(square, seen);
        if (attacks !== rayAttacks(square, isRook, seen)) wrong.push(`${square} ${isRook} ${seen}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

describe('SAN', () => {
  test.each([
    ['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', 'g1f3', 'Nf3'],
    ['4k3/8/8/8/8/8/4K3/R6R w - - 0 1', 'a1d1', 'Rad1'],
    ['R7/8/8/8/8/4k3/8/R3K3 w - - 0 1', 'a1a4', 'R1a4'],
    ['6k1/8/8/8/Q2Q4/8/7K/Q7 w - - 0 1', 'a4d1', 'Qa4d1'],
    // The knight on d2 is pinned, so the move is not ambiguous
    ['4k3/8/8/8/1b6/8/3N4/4K1N1 w - - 0 1', 'g1f3', 'Nf3'],
    ['4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1', 'g1f3', 'Ngf3'],
    ['4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1', 'e5d6', 'exd6'],
    ['1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1', 'a7b8q', 'axb8=Q+'],
    ['4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1', 'e1c1', 'O-O-O'],
    ['5k2/8/8/8/8/8/8/4K2R w K - 0 1', 'e1g1', 'O-O+'],
    ['6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1', 'a1a8', 'Ra8#'],
  ])('SAN in %s: %s is %s', (fen, uci, san) => {
    parseFen(fen);
    const move = parseUciMove(uci);
    expect(formatSan(move)).toBe(san);
    expect(parseSan(san)).toBe(move);
    expect(parseSan(uci)).toBe(move);
  });

  test('parseSan accepts common variants of SAN and rejects other text', () => {
    parseFen('1n2k3/P7/8/8/4p3/8/3P4/R3K2R w KQ - 0 1');
    const same = (text: string, uci: string): void => expect(parseSan(text), text).toBe(parseUciMove(uci));
    for (const text of ['axb8=Q', 'axb8Q', 'axb8=Q+!', 'a7xb8=Q', 'a7b8q', 'ab8=Q']) same(text, 'a7b8q');
    for (const text of ['O-O', '0-0', 'O-O!?', 'e1g1', 'e1h1']) same(text, 'e1g1');
    for (const text of ['0-0-0', 'O-O-O+', 'e1c1']) same(text, 'e1c1');
    for (const text of ['d4', 'd2-d4', 'd2d4', 'd4??']) same(text, 'd2d4');
    for (const text of ['Rd1', 'Rad1', 'Ra1d1', 'Ra1-d1']) same(text, 'a1d1');
    for (const text of ['', '-', 'Rg8', 'e5', 'axb8', 'axb8=K', 'Nf3', 'R', 'O-O-O-O', '1-0', '...', 'Qh5', 'Kg1']) {
      expect(parseSan(text), text).toBe(0);
    }
  });

  test('SAN may end in e.p., with or without a space', () => {
    parseFen('4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1');
    for (const text of ['exd6', 'exd6e.p.', 'exd6 e.p.', 'exd6 e.p.!?'])
      expect(parseSan(text), text).toBe(parseUciMove('e5d6'));
  });

  test('ambiguous SAN is rejected', () => {
    parseFen('4k3/8/8/8/8/8/4K3/R6R w - - 0 1');
    expect([parseSan('Rd1'), parseSan('Rad1')]).toEqual([0, parseUciMove('a1d1')]);
  });
});
