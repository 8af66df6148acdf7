// Tables of the move histories (history.ts) and of the correction histories (correction.ts).

import { regionOf } from '../kernel/memory.js';
import { createRandom } from '../kernel/random.js';
import { MAX_PLY } from './score.js';

const { int16s, int32s, u64s } = regionOf('search/history-tables');

/** Bound of a history value. */
export const HISTORY_LIMIT = 16384;

/** Quiet moves by whether the opponent attacks the square they leave and the one they go to, by colour, from and to. */
export const butterflyHistory = int16s(4 * 2 * 64 * 64);

/** Twelve pieces by target square: the index of a move in continuation histories. */
export const PIECE_TO = 12 * 64;
/** Index of a null move, and of moves before the root. */
export const NOTHING = PIECE_TO;
/** Number of indices. */
export const MOVE_NAMES = PIECE_TO + 1;
export const continuations = int16s(MOVE_NAMES * PIECE_TO);
/** Quiet moves by pawn structure, piece and target. */
export const PAWN_STRUCTURES = 512;
export const pawnHistory = int16s(PAWN_STRUCTURES * PIECE_TO);
/** Maximum number of plies that continuation histories look back. */
export const BACK = 4;
/** The move made at each ply, as piece and target; BACK entries before the root. */
export const playedPieceTo = int32s(MAX_PLY + 2 + BACK).fill(NOTHING);

/** Captures and promotions by moving piece and target, and the victim's type. */
export const captureHistory = int16s(PIECE_TO * 8);

/** Clears all histories, for a new game. */
export function clearHistory(): void {
  captureHistory.fill(0);
  continuations.fill(0);
  butterflyHistory.fill(0);
  pawnHistory.fill(0);
}

/** Moves tried at each ply before the one that cut off, TRIED_MOVES each: quiet moves; captures and promotions. */
export const TRIED_MOVES = 64;
export const quietsTried = int32s((MAX_PLY + 2) * TRIED_MOVES);
export const noisiesTried = int32s((MAX_PLY + 2) * TRIED_MOVES);

/** Entries of a correction table for each side to move; a half of each table, in units of 1/256 centipawn, belongs to each. */
export const CORRECTIONS = 1 << 14;
export const byPawns = int16s(2 * CORRECTIONS);
export const byWhitePieces = int16s(2 * CORRECTIONS);
export const byBlackPieces = int16s(2 * CORRECTIONS);
export const byMinors = int16s(2 * CORRECTIONS);
export const byMajors = int16s(2 * CORRECTIONS);
export const byLastMove = int16s(2 * MOVE_NAMES);
export const byLastMoves = int16s(2 * CORRECTIONS);

const random = createRandom(0x636f7272);
/** Odd multipliers for the boards of each piece code but pawns, whose products are the keys of a side's pieces. */
export const MIX = u64s(16);
for (let piece = 0; piece < MIX.length; piece++) MIX[piece] = (BigInt(random()) << 32n) | BigInt(random()) | 1n;

/** Clears all corrections. */
export function clearCorrections(): void {
  for (const corrections of [byPawns, byWhitePieces, byBlackPieces, byMinors, byMajors, byLastMove, byLastMoves]) {
    corrections.fill(0);
  }
}
