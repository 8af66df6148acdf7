// What pawns and kings attack, with which the attack maps begin, and where pieces are counted as mobile.

import { KING_ATTACKS as KINGS } from '../../board/bitboards/attack-tables.js';
import { bb, KING_SQUARE, state } from '../../board/position.js';
import { BLACK, KING, PAWN, WHITE } from '../../board/types.js';
import {
  AREA_HI,
  AREA_LO,
  BY_ANY,
  BY_TWO,
  attackMap as map,
  RING_ATTACKERS,
  RING_DANGER,
  RING_HI,
  RING_LO,
  RINGS,
  sides as side,
} from '../attack-map.js';

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
  let pawnLo: i32;
  let pawnHi: i32;
  let pairLo: i32;
  let pairHi: i32;
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
  side[own + RING_DANGER] = 0;
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
