// What each side attacks in the position under evaluation: found once, by pieces.ts, and read by all terms. Sliders look
// through their own side's fellow sliders and through queens, as what stands behind them is attacked as soon as they step aside.

import { KING_ATTACKS } from '../board/attacks.js';
import { bitHi, bitLo } from '../board/bitboard.js';
import * as position from '../board/position.js';
import type { Color } from '../board/types.js';
import * as types from '../board/types.js';

const { KING_SQUARE, bb, state } = position;
const { BLACK, KING, PAWN, WHITE } = types;

const KINGS = KING_ATTACKS;

/** Attacked squares, two halves each, laid out as `bb` of the position: entry `2 * piece`, then by any piece, then by two or more. */
export const attackMap = new Int32Array(32);
/** Entries of a side's attacks by any piece, and by two or more. Black's are 16 further on. */
export const BY_ANY = 2 * 6;
export const BY_TWO = 2 * 7;

/** What else the terms share of each side; Black's entries are SIDE further on. */
export const sides = new Int32Array(32);
export const SIDE = 16;
export const AREA_LO = 0; // squares that count for mobility
export const AREA_HI = 1;
export const RING_LO = 2; // the king and what surrounds it, moved inwards at the edge
export const RING_HI = 3;
export const RING_ATTACKERS = 4; // pieces of this side that attack the other king's ring
export const RING_ATTACKS = 5; // squares of the ring that they attack, counted for each piece

const map = attackMap;
const side = sides;

/** The king's ring by its square: entry `2 * square`. */
const RINGS = new Int32Array(128);
for (let square = 0; square < 64; square++) {
  const file = Math.min(6, Math.max(1, square & 7));
  const rank = Math.min(6, Math.max(1, square >> 3));
  const centre = 8 * rank + file;
  RINGS[2 * square] = KING_ATTACKS[2 * centre] | bitLo(centre);
  RINGS[2 * square + 1] = KING_ATTACKS[2 * centre + 1] | bitHi(centre);
}

/** Starts the maps of a side with its pawns and its king. */
export function startAttacks(us: Color): void {
  const own = us << 4;
  const king = 2 * state[KING_SQUARE + us];
  const pawnsLo = bb[own];
  const pawnsHi = bb[own + 1];
  const eastLo = (pawnsLo & 0x7f7f7f7f) << 1;
  const eastHi = (pawnsHi & 0x7f7f7f7f) << 1;
  const westLo = (pawnsLo & ~0x01010101) >>> 1;
  const westHi = (pawnsHi & ~0x01010101) >>> 1;
  let pawnLo: number;
  let pawnHi: number;
  let pairLo: number;
  let pairHi: number;
  if (us === WHITE) {
    pawnLo = (eastLo | westLo) << 8;
    pawnHi = ((eastHi | westHi) << 8) | ((eastLo | westLo) >>> 24);
    pairLo = (eastLo & westLo) << 8;
    pairHi = ((eastHi & westHi) << 8) | ((eastLo & westLo) >>> 24);
  } else {
    pawnLo = ((eastLo | westLo) >>> 8) | ((eastHi | westHi) << 24);
    pawnHi = (eastHi | westHi) >>> 8;
    pairLo = ((eastLo & westLo) >>> 8) | ((eastHi & westHi) << 24);
    pairHi = (eastHi & westHi) >>> 8;
  }
  const kingLo = KINGS[king];
  const kingHi = KINGS[king + 1];
  map[own + 2 * PAWN] = pawnLo;
  map[own + 2 * PAWN + 1] = pawnHi;
  map[own + 2 * KING] = kingLo;
  map[own + 2 * KING + 1] = kingHi;
  map[own + BY_ANY] = pawnLo | kingLo;
  map[own + BY_ANY + 1] = pawnHi | kingHi;
  map[own + BY_TWO] = pairLo | (pawnLo & kingLo);
  map[own + BY_TWO + 1] = pairHi | (pawnHi & kingHi);
  side[own + RING_LO] = RINGS[king];
  side[own + RING_HI] = RINGS[king + 1];
  side[own + RING_ATTACKERS] = 0;
  side[own + RING_ATTACKS] = 0;
}

/**
 * Finds where a side's pieces move freely: not where enemy pawns attack, and not onto the own king or onto own pawns that are
 * blocked or at home. Both sides' attacks must have been started.
 */
export function findArea(us: Color): void {
  const own = us << 4;
  const them = own ^ 16;
  const occLo = bb[BY_ANY] | bb[BY_ANY + 16];
  const occHi = bb[BY_ANY + 1] | bb[BY_ANY + 17];
  // Own pawns with something right in front
  const frontLo = us === BLACK ? occLo << 8 : (occLo >>> 8) | (occHi << 24);
  const frontHi = us === BLACK ? (occHi << 8) | (occLo >>> 24) : occHi >>> 8;
  const homeLo = us === WHITE ? 0x00ffff00 : 0;
  const homeHi = us === WHITE ? 0 : 0x00ffff00;
  side[own + AREA_LO] = ~((bb[own] & (frontLo | homeLo)) | bb[own + 2 * KING] | map[them + 2 * PAWN]);
  side[own + AREA_HI] = ~((bb[own + 1] & (frontHi | homeHi)) | bb[own + 2 * KING + 1] | map[them + 2 * PAWN + 1]);
}
