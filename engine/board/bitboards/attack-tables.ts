// The attack tables that attacks.ts and others look up, filled once.

import { regionOf } from '../../kernel/memory.js';
import { bitHi, bitLo, foldedOffset, hasSquare, popcount } from './bitboard.js';
import { BISHOP_MAGICS, ROOK_MAGICS } from './magics.js';

const { bytes, int32s, int32sOf } = regionOf('board/bitboards/attack-tables');

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

/** Returns the squares of a slider's rays, nearest first, each ray cut by `part`, as a bitboard. */
function rays(square: number, isRook: boolean, part: (ray: number[]) => number[]): [number, number] {
  const squares = (isRook ? ROOK_STEPS : BISHOP_STEPS).flatMap(([file, rank]) => part(ray(square, file, rank)));
  return [squares.reduce((lo, one) => lo | bitLo(one), 0), squares.reduce((hi, one) => hi | bitHi(one), 0)];
}

/** Returns the attacks of a slider by walking its rays up to and including the first occupied square: slow, for filling tables. */
export function rayAttacks(square: number, isRook: boolean, occLo: number, occHi: number): [number, number] {
  return rays(square, isRook, (squares) => {
    const blocker = squares.findIndex((one) => hasSquare(occLo, occHi, one));
    return blocker < 0 ? squares : squares.slice(0, blocker + 1);
  });
}

/** Returns the squares whose occupancy matters to a slider: its rays without their last squares. */
const relevantMask = (square: number, isRook: boolean): [number, number] =>
  rays(square, isRook, (squares) => squares.slice(0, -1));

function leaperTable(steps: number[][]): Int32Array {
  const table = int32s(128);
  for (let square = 0; square < 64; square++) {
    for (const [fileStep, rankStep] of steps) {
      const file = (square & 7) + fileStep;
      const rank = (square >> 3) + rankStep;
      if (file < 0 || file > 7 || rank < 0 || rank > 7) continue;
      table[2 * square] |= bitLo(rank * 8 + file);
      table[2 * square + 1] |= bitHi(rank * 8 + file);
    }
  }
  return table;
}

/** Knight attacks: entry `2 * square`. */
export const KNIGHT_ATTACKS = leaperTable([
  [1, 2],
  [2, 1],
  [2, -1],
  [1, -2],
  [-1, -2],
  [-2, -1],
  [-2, 1],
  [-1, 2],
]);

/** King attacks: entry `2 * square`. */
export const KING_ATTACKS = leaperTable([...ROOK_STEPS, ...BISHOP_STEPS]);

/** Squares a pawn attacks: entry `2 * (color << 6 | square)`. */
export const PAWN_ATTACKS = int32sOf([
  ...leaperTable([
    [-1, 1],
    [1, 1],
  ]),
  ...leaperTable([
    [-1, -1],
    [1, -1],
  ]),
]);

/** Fields of an entry of `sliderMagics`: mask and multiplier in two halves, shift, and where the attacks begin. */
export const STRIDE = 8;
export const MASK_LO = 0;
export const MASK_HI = 1;
export const MAGIC_LO = 2;
export const MAGIC_HI = 3;
export const SHIFT = 4;
export const OFFSET = 5;

/** Masks, multipliers, shifts and offsets of rooks (squares 0 to 63) and bishops (64 to 127). */
export const sliderMagics = int32s(128 * STRIDE);

/** All slider attacks; rookIndex and bishopIndex return where a low half lies, its high half follows. */
export const SLIDER_ATTACKS = int32s(2 * (102400 + 5248));

/** Every occupancy of the squares of one ray that matter, and what a slider then attacks along it: four halves each. */
function rayPatterns(square: number, fileStep: number, rankStep: number): Int32Array {
  const squares = ray(square, fileStep, rankStep);
  const relevant = Math.max(0, squares.length - 1);
  const patterns = new Int32Array(4 << relevant);
  for (let pattern = 0; pattern < 1 << relevant; pattern++) {
    const at = 4 * pattern;
    let isOpen = true;
    for (let i = 0; i < squares.length; i++) {
      const lo = bitLo(squares[i]);
      const hi = bitHi(squares[i]);
      if (isOpen) {
        patterns[at + 2] |= lo;
        patterns[at + 3] |= hi;
      }
      if (((pattern >> i) & 1) === 0) continue;
      patterns[at] |= lo;
      patterns[at + 1] |= hi;
      isOpen = false;
    }
  }
  return patterns;
}

// What is attacked along one ray does not depend on the others: the patterns of four rays are joined two by two
function joined(a: Int32Array, b: Int32Array): Int32Array {
  const all = new Int32Array((a.length * b.length) / 4);
  let at = 0;
  for (let i = 0; i < a.length; i += 4) {
    for (let j = 0; j < b.length; j += 4, at += 4) {
      all[at] = a[i] | b[j];
      all[at + 1] = a[i + 1] | b[j + 1];
      all[at + 2] = a[i + 2] | b[j + 2];
      all[at + 3] = a[i + 3] | b[j + 3];
    }
  }
  return all;
}

function fillSliders(): void {
  let offset = 0;
  for (let entry = 0; entry < 128; entry++) {
    const square = entry & 63;
    const isRook = entry < 64;
    const [maskLo, maskHi] = relevantMask(square, isRook);
    const magics = isRook ? ROOK_MAGICS : BISHOP_MAGICS;
    const magicLo = magics[2 * square];
    const magicHi = magics[2 * square + 1];
    const bits = popcount(maskLo, maskHi);
    sliderMagics.set([maskLo, maskHi, magicLo, magicHi, 32 - bits, offset], entry * STRIDE);
    const [a, b, c, d] = (isRook ? ROOK_STEPS : BISHOP_STEPS).map(([file, rank]) => rayPatterns(square, file, rank));
    fillEntry(joined(joined(a, b), joined(c, d)), offset, magicLo, magicHi, 32 - bits);
    offset += 2 << bits;
  }
}

function fillEntry(patterns: Int32Array, offset: number, magicLo: number, magicHi: number, shift: number): void {
  for (let at = 0; at < patterns.length; at += 4) {
    const index = offset + foldedOffset(patterns[at], patterns[at + 1], magicLo, magicHi, shift);
    SLIDER_ATTACKS[index] = patterns[at + 2];
    SLIDER_ATTACKS[index + 1] = patterns[at + 3];
  }
}

/** For each square, along file, rank, diagonal and antidiagonal: the squares below and those above, two halves each. */
export const LINE_MASKS = int32s(64 * 16);

function fillLineMasks(): void {
  for (let square = 0; square < 64; square++) {
    LINE_STEPS.forEach(([file, rank], line) => {
      for (const [back, at] of [
        [-1, 0],
        [1, 2],
      ]) {
        for (const one of ray(square, back * file, back * rank)) {
          LINE_MASKS[16 * square + 4 * line + at] |= bitLo(one);
          LINE_MASKS[16 * square + 4 * line + at + 1] |= bitHi(one);
        }
      }
    });
  }
}

/** Attacks of a bishop and of a rook on an empty board: what cannot be reached along these needs no look at what stands between. */
export const BISHOP_RAYS = int32s(2 * 64);
export const ROOK_RAYS = int32s(2 * 64);

function fillRays(): void {
  for (let square = 0; square < 64; square++) {
    BISHOP_RAYS.set(rayAttacks(square, false, 0, 0), 2 * square);
    ROOK_RAYS.set(rayAttacks(square, true, 0, 0), 2 * square);
  }
}

/** Squares strictly between two squares on one line, else none: entry `2 * (a << 6 | b)`. */
export const BETWEEN = int32s(2 * 64 * 64);
/** The whole line through two squares, from edge to edge, else none: entry `2 * (a << 6 | b)`. */
export const LINE = int32s(2 * 64 * 64);

function fillLines(): void {
  for (let a = 0; a < 64; a++) {
    for (const [file, rank] of [...ROOK_STEPS, ...BISHOP_STEPS]) {
      const squares = ray(a, file, rank);
      let lineLo = bitLo(a);
      let lineHi = bitHi(a);
      for (const square of [...squares, ...ray(a, -file, -rank)]) {
        lineLo |= bitLo(square);
        lineHi |= bitHi(square);
      }
      let betweenLo = 0;
      let betweenHi = 0;
      for (const b of squares) {
        const entry = 2 * ((a << 6) | b);
        LINE[entry] = lineLo;
        LINE[entry + 1] = lineHi;
        BETWEEN[entry] = betweenLo;
        BETWEEN[entry + 1] = betweenHi;
        betweenLo |= bitLo(b);
        betweenHi |= bitHi(b);
      }
    }
  }
}

fillSliders();
fillLineMasks();
fillRays();
fillLines();

/** Moves of a king between two squares (Chebyshev's distance), looked up, which is faster than unpredictable branches: entry `a << 6 | b`. */
export const KING_DISTANCE = bytes(64 * 64);
for (let a = 0; a < 64; a++) {
  for (let b = 0; b < 64; b++) {
    KING_DISTANCE[(a << 6) | b] = Math.max(Math.abs((a & 7) - (b & 7)), Math.abs((a >> 3) - (b >> 3)));
  }
}
