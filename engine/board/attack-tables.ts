// The attack tables that attacks.ts and others look up, filled once.

import { regionOf } from '../kernel/memory.js';
import { bitHi, bitLo, foldedOffset, popcount } from './bitboard.js';
import { BISHOP_MAGICS, ROOK_MAGICS } from './magics.js';

const { bytes, int32s, int32sOf } = regionOf('board/attack-tables');

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

/** Returns the attacks of a slider by walking its rays up to and including the first occupied square: slow, for filling tables. */
export function rayAttacks(square: number, isRook: boolean, occLo: number, occHi: number): [number, number] {
  let lo = 0;
  let hi = 0;
  for (const [fileStep, rankStep] of isRook ? ROOK_STEPS : BISHOP_STEPS) {
    let file = (square & 7) + fileStep;
    let rank = (square >> 3) + rankStep;
    for (; file >= 0 && file < 8 && rank >= 0 && rank < 8; file += fileStep, rank += rankStep) {
      const target = rank * 8 + file;
      lo |= bitLo(target);
      hi |= bitHi(target);
      if (((occLo & bitLo(target)) | (occHi & bitHi(target))) !== 0) break;
    }
  }
  return [lo, hi];
}

/** Returns the squares whose occupancy matters to a slider: its rays without their last squares. */
export function relevantMask(square: number, isRook: boolean): [number, number] {
  let lo = 0;
  let hi = 0;
  for (const [fileStep, rankStep] of isRook ? ROOK_STEPS : BISHOP_STEPS) {
    let file = (square & 7) + fileStep;
    let rank = (square >> 3) + rankStep;
    const inside = (f: number, r: number): boolean => f >= 0 && f < 8 && r >= 0 && r < 8;
    for (; inside(file + fileStep, rank + rankStep); file += fileStep, rank += rankStep) {
      lo |= bitLo(rank * 8 + file);
      hi |= bitHi(rank * 8 + file);
    }
  }
  return [lo, hi];
}

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

function fillSliders(): void {
  let offset = 0;
  for (let entry = 0; entry < 128; entry++) {
    const square = entry & 63;
    const isRook = entry < 64;
    const [maskLo, maskHi] = relevantMask(square, isRook);
    const source = isRook ? ROOK_MAGICS : BISHOP_MAGICS;
    const bits = popcount(maskLo, maskHi);
    sliderMagics.set([maskLo, maskHi, source[2 * square], source[2 * square + 1], 32 - bits, offset], entry * STRIDE);
    let lo = 0;
    let hi = 0;
    do {
      const [attackLo, attackHi] = rayAttacks(square, isRook, lo, hi);
      const index = offset + foldedOffset(lo, hi, source[2 * square], source[2 * square + 1], 32 - bits);
      SLIDER_ATTACKS[index] = attackLo;
      SLIDER_ATTACKS[index + 1] = attackHi;
      lo = (lo - maskLo) & maskLo;
      if (lo === 0) hi = (hi - maskHi) & maskHi;
    } while ((lo | hi) !== 0);
    offset += 2 << bits;
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
    for (const isRook of [true, false]) {
      const [openLo, openHi] = rayAttacks(a, isRook, 0, 0);
      for (let b = 0; b < 64; b++) {
        if (((openLo & bitLo(b)) | (openHi & bitHi(b))) === 0) continue;
        const [fromLo, fromHi] = rayAttacks(a, isRook, bitLo(b), bitHi(b));
        const [backLo, backHi] = rayAttacks(b, isRook, bitLo(a), bitHi(a));
        const [otherLo, otherHi] = rayAttacks(b, isRook, 0, 0);
        const entry = 2 * ((a << 6) | b);
        BETWEEN[entry] = fromLo & backLo & ~bitLo(b);
        BETWEEN[entry + 1] = fromHi & backHi & ~bitHi(b);
        LINE[entry] = (openLo & otherLo) | bitLo(a) | bitLo(b);
        LINE[entry + 1] = (openHi & otherHi) | bitHi(a) | bitHi(b);
      }
    }
  }
}

fillSliders();
fillRays();
fillLines();

/** Moves of a king between two squares (Chebyshev's distance), looked up, which is faster than unpredictable branches: entry `a << 6 | b`. */
export const KING_DISTANCE = bytes(64 * 64);
for (let a = 0; a < 64; a++) {
  for (let b = 0; b < 64; b++) {
    KING_DISTANCE[(a << 6) | b] = Math.max(Math.abs((a & 7) - (b & 7)), Math.abs((a >> 3) - (b >> 3)));
  }
}
