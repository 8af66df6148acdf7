// Attack tables. Leapers are looked up by square. Sliders use folded 32-bit magics: the relevant occupancy of each half is
// multiplied apart and the products are XORed, which needs no 64-bit arithmetic and was the fastest of five methods in V8.

import { bitHi, bitLo, popcount } from './bitboard.js';
import { BISHOP_MAGICS, ROOK_MAGICS } from './magics.js';

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
  const table = new Int32Array(128);
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
export const PAWN_ATTACKS = Int32Array.of(
  ...leaperTable([
    [-1, 1],
    [1, 1],
  ]),
  ...leaperTable([
    [-1, -1],
    [1, -1],
  ]),
);

const STRIDE = 8;
const MASK_LO = 0;
const MASK_HI = 1;
const MAGIC_LO = 2;
const MAGIC_HI = 3;
const SHIFT = 4;
const OFFSET = 5;

/** Masks, multipliers, shifts and offsets of rooks (squares 0 to 63) and bishops (64 to 127). */
const magic = new Int32Array(128 * STRIDE);

/** All slider attacks; rookIndex and bishopIndex return where a low half lies, its high half follows. */
export const SLIDER_ATTACKS = new Int32Array(2 * (102400 + 5248));

/** Returns where in SLIDER_ATTACKS the attacks of a rook lie. */
export function rookIndex(square: number, occLo: number, occHi: number): number {
  const m = square * STRIDE;
  const product =
    Math.imul(occLo & magic[m + MASK_LO], magic[m + MAGIC_LO]) ^
    Math.imul(occHi & magic[m + MASK_HI], magic[m + MAGIC_HI]);
  return magic[m + OFFSET] + ((product >>> magic[m + SHIFT]) << 1);
}

/** Returns where in SLIDER_ATTACKS the attacks of a bishop lie. */
export function bishopIndex(square: number, occLo: number, occHi: number): number {
  return rookIndex(square + 64, occLo, occHi);
}

function fillSliders(): void {
  let offset = 0;
  for (let entry = 0; entry < 128; entry++) {
    const square = entry & 63;
    const isRook = entry < 64;
    const [maskLo, maskHi] = relevantMask(square, isRook);
    const source = isRook ? ROOK_MAGICS : BISHOP_MAGICS;
    const bits = popcount(maskLo, maskHi);
    magic.set([maskLo, maskHi, source[2 * square], source[2 * square + 1], 32 - bits, offset], entry * STRIDE);
    let lo = 0;
    let hi = 0;
    do {
      const [attackLo, attackHi] = rayAttacks(square, isRook, lo, hi);
      const index = rookIndex(entry, lo, hi);
      SLIDER_ATTACKS[index] = attackLo;
      SLIDER_ATTACKS[index + 1] = attackHi;
      lo = (lo - maskLo) & maskLo;
      if (lo === 0) hi = (hi - maskHi) & maskHi;
    } while ((lo | hi) !== 0);
    offset += 2 << bits;
  }
}

/** Attacks of a bishop and of a rook on an empty board: what cannot be reached along these needs no look at what stands between. */
export const BISHOP_RAYS = new Int32Array(2 * 64);
export const ROOK_RAYS = new Int32Array(2 * 64);

function fillRays(): void {
  for (let square = 0; square < 64; square++) {
    BISHOP_RAYS.set(rayAttacks(square, false, 0, 0), 2 * square);
    ROOK_RAYS.set(rayAttacks(square, true, 0, 0), 2 * square);
  }
}

/** Squares strictly between two squares on one line, else none: entry `2 * (a << 6 | b)`. */
export const BETWEEN = new Int32Array(2 * 64 * 64);
/** The whole line through two squares, from edge to edge, else none: entry `2 * (a << 6 | b)`. */
export const LINE = new Int32Array(2 * 64 * 64);

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
