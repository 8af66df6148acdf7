// Attacks of pawns and kings, with which the attack maps begin, and the squares on which pieces count as mobile.

import { east, forward, west } from '../../board/bitboards/bitboard.js';
import { FULL, KING_ATTACKS, RANK_2, RANK_3, RANK_6, RANK_7 } from '../../board/bitboards/tables.js';
import { ALL_BLACK, ALL_WHITE, bb, kingSquare } from '../../board/position.js';
import { KING, PAWN, WHITE } from '../../board/types.js';
import { RINGS } from '../masks.js';
import { BY_ANY, BY_TWO, kingRing, attackMap as map, mobilityArea, ringAttackers, ringDanger } from '../workspace.js';

/** Starts the maps of a side with its pawns and its king. */
export function startAttacks(us: Color): void {
  const own = us << 3;
  const king = kingSquare[us];
  const ahead = forward(us, bb[own | PAWN]);
  const toEast = east(ahead);
  const toWest = west(ahead);
  const pawns = toEast | toWest;
  const around = KING_ATTACKS[king];
  map[own | PAWN] = pawns;
  map[own | KING] = around;
  map[own | BY_ANY] = pawns | around;
  map[own | BY_TWO] = (toEast & toWest) | (pawns & around);
  kingRing[us] = RINGS[king];
  ringAttackers[us] = 0;
  ringDanger[us] = 0;
}

/**
 * Finds where a side's pieces move freely: not where enemy pawns attack, and not onto the own king or onto own pawns that are
 * blocked or at home. Both sides' attacks must have been started.
 */
export function findArea(us: Color): void {
  const own = us << 3;
  // Own pawns with something right in front
  const blocked = forward(us ^ 1, bb[ALL_WHITE] | bb[ALL_BLACK]);
  const home = us === WHITE ? RANK_2 | RANK_3 : RANK_6 | RANK_7;
  mobilityArea[us] = FULL ^ ((bb[own | PAWN] & (blocked | home)) | bb[own | KING] | map[(own ^ 8) | PAWN]);
}
