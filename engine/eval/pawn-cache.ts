// The pawn cache: all scores and boards that depend only on pawns, by pawn key. An entry is one cache line, which pawns.ts fills. A second
// table holds the scores that also depend on the kings; shelter.ts fills it.

import { regionOf } from '../kernel/memory.js';

const { int32s, u64s } = regionOf('eval/pawn-cache');

/** Number of entries (a power of two), and of boards per entry. An entry is identified by the index of its first board. */
export const PAWN_ENTRIES = 4096;
export const STRIDE = 8;

/** The pawn key. */
export const ENTRY_KEY = 0;
/** Passed pawns, White's and Black's. */
export const PASSED = 2;
/** Squares that pawns attack or could attack after advancing, White's and Black's. */
export const SPAN = 4;
/** Safe squares of the camp behind friendly pawns, White's and Black's. */
export const CAMP = 6;

/** The cache. An empty entry is correct for a board without pawns, whose key is zero. */
export const pawnTable = u64s(PAWN_ENTRIES * STRIDE);
/** The same memory as integers; a field of an entry is at `2 * entry + field`. */
export const pawnInts = new Int32Array(pawnTable.buffer, pawnTable.byteOffset, 2 * pawnTable.length);
/** The packed score, White minus Black. */
export const PAWN_SCORE = 2;
/** Pawn counts on dark and light squares, four bits each, White's first; from bit 16 on, the files with pawns, one byte per side. */
export const PAWN_COUNTS = 3;

/**
 * Shelters, which also depend on the kings; shelter.ts fills them. Each side has its own part of an entry, at `entry + SHELTER_SIDE * us`,
 * because the values of a side depend only on that side's king.
 */
export const shelterTable = int32s(PAWN_ENTRIES * STRIDE);
export const SHELTER_SIDE = 4;
/** Fields: the square of the king plus one, or 0 if the part is empty; the packed score; the danger sum of the king. */
export const SHELTER_KING = 0;
export const SHELTER_SCORE = 1;
export const SHELTER_DANGER = 2;

/** Clears the cache; required after a change of weights. */
export function clearPawnTable(): void {
  pawnTable.fill(0n);
  shelterTable.fill(0);
}
