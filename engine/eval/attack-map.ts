// Attacks of each side in the position under evaluation: begun by start-attacks.ts, completed by pieces.ts, and read by all terms.
// Sliders see through fellow sliders of their side and through queens, because the squares behind are attacked as soon as these step
// aside.

import { regionOf } from '../kernel/memory.js';

const { int32s, u64s } = regionOf('eval/attack-map');

/** Attacked squares by piece code, as `bb` of the position; then by any piece of a side, and by two or more: entry `BY_ANY | color << 3`. */
export const attackMap = u64s(16);
export const BY_ANY = 6;
export const BY_TWO = 7;

/** Boards that the terms share: entry `AREA + color`, `RING + color`. */
export const sideBoards = u64s(4);
/** Squares that count for mobility. */
export const AREA = 0;
/** The king and the squares around it, moved inwards at the edge. */
export const RING = 2;
/** Sums over the attackers of the enemy king's ring: entry `RING_ATTACKERS + color`, `RING_DANGER + color`. */
export const sideSums = int32s(4);
export const RING_ATTACKERS = 0;
export const RING_DANGER = 2;

/** The files around a king by its file: four, the middle ones for a king on d or e. */
export const FLANKS = u64s(8);
/** The king's ring by its square. */
export const RINGS = u64s(64);
