// Moves that can be taken back by the same piece, by what they change in the key: two positions whose keys differ by such an entry
// are one move apart. repetition.ts looks them up. (Method: Van Kervinck; a plain hash table instead of cuckoo hashing.)

import { regionOf } from '../kernel/memory.js';
import { BISHOP_RAYS, KING_ATTACKS, KNIGHT_ATTACKS, ROOK_RAYS } from './bitboards/attack-tables.js';
import { hasSquare, lowBits } from './bitboards/bitboard.js';
import { BISHOP, BLACK, KING, KNIGHT, makePiece, type Piece, QUEEN, ROOK, WHITE } from './types.js';
import { PIECE_KEYS, SIDE_KEY } from './zobrist.js';

const { int32s, u64s } = regionOf('board/reversal-table');

export const SLOTS = 1 << 14;
/** What the move of each slot changes in the key. */
export const reversalKeys = u64s(SLOTS);
/** The squares of the move as `a << 6 | b`, -1 where the slot is empty. */
export const reversalSquares = int32s(SLOTS).fill(-1);

const REACHES: readonly (readonly [type: number, table: BigUint64Array])[] = [
  [KNIGHT, KNIGHT_ATTACKS],
  [BISHOP, BISHOP_RAYS],
  [ROOK, ROOK_RAYS],
  [QUEEN, BISHOP_RAYS],
  [QUEEN, ROOK_RAYS],
  [KING, KING_ATTACKS],
];

// Enters the moves between any two squares of one kind of piece
function enter(piece: Piece, reach: BigUint64Array): void {
  for (let a = 0; a < 64; a++) {
    for (let b = a + 1; b < 64; b++) {
      if (!hasSquare(reach[a], b)) continue;
      const change = PIECE_KEYS[(piece << 6) | a] ^ PIECE_KEYS[(piece << 6) | b] ^ SIDE_KEY[0];
      let slot = lowBits(change) & (SLOTS - 1);
      while (reversalSquares[slot] !== -1) slot = (slot + 1) & (SLOTS - 1);
      reversalKeys[slot] = change;
      reversalSquares[slot] = (a << 6) | b;
    }
  }
}

for (const color of [WHITE, BLACK]) for (const [type, reach] of REACHES) enter(makePiece(color, type), reach);
