// Moves that can be taken back by the same piece, by what they change in the key: two positions whose keys differ by such an entry
// are one move apart. reversals.ts looks them up. (Method: Van Kervinck; a plain hash table instead of cuckoo hashing.)

import { regionOf } from '../kernel/memory.js';
import { BISHOP_RAYS, KING_ATTACKS, KNIGHT_ATTACKS, ROOK_RAYS } from './bitboards/attack-tables.js';
import { hasSquare } from './bitboards/bitboard.js';
import { BISHOP, BLACK, KING, KNIGHT, makePiece, type Piece, QUEEN, ROOK, WHITE } from './types.js';
import { PIECE_KEYS, SIDE_KEY } from './zobrist.js';

const { int32s } = regionOf('board/reversal-table');

export const SLOTS = 1 << 14;
export const STRIDE = 3;
/** Low and high half of the key, and the squares as `a << 6 | b`, -1 where the slot is empty. */
export const reversals = int32s(STRIDE * SLOTS).fill(-1);

const REACHES: readonly (readonly [type: number, table: Int32Array])[] = [
  [KNIGHT, KNIGHT_ATTACKS],
  [BISHOP, BISHOP_RAYS],
  [ROOK, ROOK_RAYS],
  [QUEEN, BISHOP_RAYS],
  [QUEEN, ROOK_RAYS],
  [KING, KING_ATTACKS],
];

// Enters the moves between any two squares of one kind of piece
function enter(piece: Piece, reach: Int32Array): void {
  for (let a = 0; a < 64; a++) {
    for (let b = a + 1; b < 64; b++) {
      if (!hasSquare(reach[2 * a], reach[2 * a + 1], b)) continue;
      const i = 2 * ((piece << 6) | a);
      const j = 2 * ((piece << 6) | b);
      const lo = PIECE_KEYS[i] ^ PIECE_KEYS[j] ^ SIDE_KEY[0];
      let at = STRIDE * (lo & (SLOTS - 1));
      while (reversals[at + 2] !== -1) at = (at + STRIDE) % reversals.length;
      reversals[at] = lo;
      reversals[at + 1] = PIECE_KEYS[i + 1] ^ PIECE_KEYS[j + 1] ^ SIDE_KEY[1];
      reversals[at + 2] = (a << 6) | b;
    }
  }
}

for (const color of [WHITE, BLACK]) for (const [type, reach] of REACHES) enter(makePiece(color, type), reach);
