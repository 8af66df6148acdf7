// The cache of all that depends on nothing but pawns, by pawn key, as most positions of a search share their pawns with others.
// An entry is one cache line; pawns.ts fills it, shelter.ts adds what depends on the kings as well.

import { regionOf } from '../kernel/memory.js';

const { int32s } = regionOf('eval/pawn-cache');

/** Number of entries, a power of two, and of integers in each. */
export const ENTRIES = 4096;
export const STRIDE = 16;

/** Fields of an entry: the pawn key's halves. */
export const ENTRY_KEY_LO = 0;
export const ENTRY_KEY_HI = 1;
/** The packed score, White minus Black. */
export const PAWN_SCORE = 2;
/** Pawns on dark and on light squares, four bits each, White's first; from bit 16 on the files with pawns, a byte for each side. */
export const PAWN_COUNTS = 3;
/** Passed pawns, two halves each; Black's follow. */
export const PASSED = 4;
/** Squares that pawns attack or may come to attack by advancing, two halves each; Black's follow. */
export const SPAN = 8;
/** Safe squares of the camp behind own pawns, in the half where the camp is; Black's follow. */
export const CAMP = 12;

/** The cache. An empty entry is right for a board without pawns, whose key is zero. */
export const pawnTable = int32s(ENTRIES * STRIDE);

/** Left to shelter.ts: what depends on the kings as well. An entry's place here is its place in the cache shifted right by so much. */
export const SHELTER_SHIFT = 2;
/** Fields: the kings that the others belong to, the packed score, the sum of danger for White's king; Black's follows. */
export const SHELTER_KINGS = 0;
export const SHELTER_SCORE = 1;
export const SHELTER_DANGER = 2;
export const shelterTable = int32s((ENTRIES * STRIDE) >> SHELTER_SHIFT);

/** Forgets all entries, as must be done when weights change. */
export function clearPawnTable(): void {
  pawnTable.fill(0);
  shelterTable.fill(0);
}
