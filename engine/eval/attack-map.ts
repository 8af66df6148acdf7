// What each side attacks in the position under evaluation: begun by start-attacks.ts, completed by pieces.ts, and read by all terms.
// Sliders look through their own side's fellow sliders and through queens, as what stands behind them is attacked as soon as they step
// aside.

import { KING_ATTACKS } from '../board/bitboards/attack-tables.js';
import { bitHi, bitLo } from '../board/bitboards/bitboard.js';
import { regionOf } from '../kernel/memory.js';

const { int32s } = regionOf('eval/attack-map');

/** Attacked squares, two halves each, laid out as `bb` of the position: entry `2 * piece`, then by any piece, then by two or more. */
export const attackMap = int32s(32);
/** Entries of a side's attacks by any piece, and by two or more. Black's are 16 further on. */
export const BY_ANY = 2 * 6;
export const BY_TWO = 2 * 7;

/** What else the terms share of each side; Black's entries are SIDE further on. */
export const sides = int32s(32);
export const SIDE = 16;
export const AREA_LO = 0; // squares that count for mobility
export const AREA_HI = 1;
export const RING_LO = 2; // the king and what surrounds it, moved inwards at the edge
export const RING_HI = 3;
export const RING_ATTACKERS = 4; // pieces of this side that attack the other king's ring
export const RING_DANGER = 5; // the danger that they are

/** The files around a king in its half of the board by its file, in each half of a bitboard: four, the middle ones for a king on d or e. */
export const FLANKS = int32s(8);
for (let file = 0; file < 8; file++) FLANKS[file] = file < 3 ? 0x0f0f0f0f : file > 4 ? 0xf0f0f0f0 : 0x3c3c3c3c;

/** The king's ring by its square: entry `2 * square`. */
export const RINGS = int32s(128);
for (let square = 0; square < 64; square++) {
  const file = Math.min(6, Math.max(1, square & 7));
  const rank = Math.min(6, Math.max(1, square >> 3));
  const centre = 8 * rank + file;
  RINGS[2 * square] = KING_ATTACKS[2 * centre] | bitLo(centre);
  RINGS[2 * square + 1] = KING_ATTACKS[2 * centre + 1] | bitHi(centre);
}
