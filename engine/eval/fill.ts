// Fills the constant tables of the evaluation; the attack tables must be filled.

import { beside, flip, north, shiftUp, south, squareBoard } from '../board/bitboards/bitboard.js';
import { EMPTY, FILE_A, KING_ATTACKS } from '../board/bitboards/tables.js';
import { max, min } from '../kernel/primitives.js';
import { FLANKS, RINGS } from './attack-map.js';
import * as M from './masks.js';

/** Fills the king's rings and flanks, and the masks of pawns. */
export function fillEvaluationTables(): void {
  for (let file = 0; file < 8; file++) {
    const first = file < 3 ? 0 : file > 4 ? 4 : 2;
    for (let i = first; i < first + 4; i++) FLANKS[file] |= shiftUp(FILE_A, i);
  }
  for (let square = 0; square < 64; square++) {
    const centre = 8 * max(1, min(6, square >> 3)) + max(1, min(6, square & 7));
    RINGS[square] = KING_ATTACKS[centre] | squareBoard(centre);
    fillPawnMasks(square);
  }
  for (let square = 0; square < 64; square++) {
    M.FORWARD[square] = M.AHEAD[square];
    M.FORWARD[64 | square] = flip(M.AHEAD[square ^ 56]);
  }
}

function fillPawnMasks(square: Square): void {
  const at = squareBoard(square);
  const file = shiftUp(FILE_A, square & 7);
  const neighbours = beside(file);
  let ahead = EMPTY;
  for (let to = north(at); to !== EMPTY; to = north(to)) ahead |= to;
  M.AHEAD[square] = ahead;
  M.PASSAGE[square] = ahead | beside(ahead);
  M.NEIGHBOURS[square] = neighbours;
  M.HELPERS[square] = neighbours & ~beside(ahead);
  M.CAPTURES[square] = north(beside(at));
  M.DEFENDERS[square] = south(beside(at));
  M.BESIDE[square] = beside(at);
}
