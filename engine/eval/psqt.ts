// Material and piece-square tables: the one part of the evaluation that the position adds up move by move.

import { board } from '../board/position.js';
import { KING, NO_PIECE } from '../board/types.js';
import { MATERIAL, PSQT } from './terms.js';
import { weigh } from './trace.js';

/** Counts the terms of the position's sum. */
export function countPsqt(): void {
  for (let square = 0; square < 64; square++) {
    const piece = board[square];
    if (piece === NO_PIECE) continue;
    const us = piece >> 3;
    const type = piece & 7;
    if (type !== KING) weigh(us, MATERIAL + type, 1);
    weigh(us, PSQT + type * 64 + (us === 0 ? square : square ^ 56), 1);
  }
}
