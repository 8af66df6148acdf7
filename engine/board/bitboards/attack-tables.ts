// The attack tables that attacks.ts and others look up, filled once.

import { regionOf } from '../../kernel/memory.js';
import { hasSquare, squareBoard } from './bitboard.js';

const { bytes, u64s } = regionOf('board/bitboards/attack-tables');

const ROOK_STEPS = [
  [0, 1],
  [1, 0],
  [0, -1],
  [-1, 0],
];
const BISHOP_STEPS = [
  [1, 1],
  [1, -1],
  [-1, -1],
  [-1, 1],
];
const KNIGHT_STEPS = [
  [1, 2],
  [2, 1],
  [2, -1],
  [1, -2],
  [-1, -2],
  [-2, -1],
  [-2, 1],
  [-1, 2],
];

/** One way along each line, towards higher squares. */
const LINE_STEPS = [...ROOK_STEPS, ...BISHOP_STEPS].filter(([file, rank]) => 8 * rank + file > 0);

/** Returns the squares of one ray from a square, nearest first. */
function ray(square: number, fileStep: number, rankStep: number): number[] {
  const squares: number[] = [];
  let file = (square & 7) + fileStep;
  let rank = (square >> 3) + rankStep;
  for (; file >= 0 && file < 8 && rank >= 0 && rank < 8; file += fileStep, rank += rankStep)
    squares.push(8 * rank + file);
  return squares;
}

const boardOf = (squares: readonly number[]): u64 => squares.reduce((board, square) => board | squareBoard(square), 0n);

/** Returns the attacks of a slider by walking its rays up to and including the first occupied square: slow, for filling tables. */
export function rayAttacks(square: number, isRook: boolean, occupied: u64): u64 {
  return boardOf(
    (isRook ? ROOK_STEPS : BISHOP_STEPS).flatMap(([file, rank]) => {
      const squares = ray(square, file, rank);
      const blocker = squares.findIndex((one) => hasSquare(occupied, one));
      return blocker < 0 ? squares : squares.slice(0, blocker + 1);
    }),
  );
}

/** Fills the entries from `start` on with the squares one step away, by square. */
function fillLeapers(table: BigUint64Array, start: number, steps: number[][]): void {
  for (let square = 0; square < 64; square++) {
    table[start + square] = boardOf(steps.flatMap(([file, rank]) => ray(square, file, rank).slice(0, 1)));
  }
}

/** Knight attacks by square. */
export const KNIGHT_ATTACKS = u64s(64);
fillLeapers(KNIGHT_ATTACKS, 0, KNIGHT_STEPS);

/** King attacks by square. */
export const KING_ATTACKS = u64s(64);
fillLeapers(KING_ATTACKS, 0, [...ROOK_STEPS, ...BISHOP_STEPS]);

/** Squares that a pawn attacks: entry `color << 6 | square`. */
export const PAWN_ATTACKS = u64s(128);
fillLeapers(PAWN_ATTACKS, 0, [BISHOP_STEPS[0], BISHOP_STEPS[3]]);
fillLeapers(PAWN_ATTACKS, 64, [BISHOP_STEPS[1], BISHOP_STEPS[2]]);

/** For each square, along file, rank, diagonal and antidiagonal: the squares below and those above. */
export const LINE_MASKS = u64s(64 * 8);
/** Attacks of a bishop and of a rook on an empty board: a cheap test before any work on what stands between. */
export const BISHOP_RAYS = u64s(64);
export const ROOK_RAYS = u64s(64);
/** Squares strictly between two squares on one line, else none: entry `a << 6 | b`. */
export const BETWEEN = u64s(64 * 64);
/** The whole line through two squares, from edge to edge, else none: entry `a << 6 | b`. */
export const LINE = u64s(64 * 64);

for (let a = 0; a < 64; a++) {
  LINE_STEPS.forEach(([file, rank], line) => {
    const below = ray(a, -file, -rank);
    const above = ray(a, file, rank);
    const lower = boardOf(below);
    const upper = boardOf(above);
    LINE_MASKS[8 * a + 2 * line] = lower;
    LINE_MASKS[8 * a + 2 * line + 1] = upper;
    const rays = line < 2 ? ROOK_RAYS : BISHOP_RAYS;
    rays[a] |= lower | upper;
    const whole = lower | upper | squareBoard(a);
    for (const squares of [below, above]) {
      let between = 0n;
      for (const b of squares) {
        LINE[(a << 6) | b] = whole;
        BETWEEN[(a << 6) | b] = between;
        between |= squareBoard(b);
      }
    }
  });
}

/** Moves of a king between two squares (Chebyshev's distance), looked up, which is faster than unpredictable branches: entry `a << 6 | b`. */
export const KING_DISTANCE = bytes(64 * 64);
for (let a = 0; a < 64; a++) {
  for (let b = 0; b < 64; b++) {
    KING_DISTANCE[(a << 6) | b] = Math.max(Math.abs((a & 7) - (b & 7)), Math.abs((a >> 3) - (b >> 3)));
  }
}
