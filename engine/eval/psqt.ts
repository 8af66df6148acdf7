// Material and piece-square tables: the one part of the evaluation that the position adds up move by move.

import { board, psqt, refreshSums } from '../board/position.js';
import { EMPTY, KING, PAWN } from '../board/types.js';
import { MATERIAL, PSQT } from './terms.js';
import { count } from './trace.js';

/** Fills the position's table, White minus Black, from packed weights, and renews its sum. */
export function fillPsqt(weights: Int32Array): void {
  for (let type = PAWN; type <= KING; type++) {
    const material = type === KING ? 0 : weights[MATERIAL + type];
    for (let square = 0; square < 64; square++) {
      const value = (material + weights[PSQT + type * 64 + square]) | 0;
      psqt[(type << 6) | square] = value;
      psqt[((type | 8) << 6) | (square ^ 56)] = -value;
    }
  }
  refreshSums();
}

/** Counts what the position's sum holds. */
export function countPsqt(): void {
  for (let square = 0; square < 64; square++) {
    const piece = board[square];
    if (piece === EMPTY) continue;
    const us = piece >> 3;
    const type = piece & 7;
    if (type !== KING) count(us, MATERIAL + type, 1);
    count(us, PSQT + type * 64 + (us === 0 ? square : square ^ 56), 1);
  }
}
