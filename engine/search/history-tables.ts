// Tables of the move histories (history.ts) and of the correction histories (correction.ts).

import { regionOf } from '../kernel/memory.js';
import { createRandom } from '../kernel/random.js';
import { MAX_PLY } from './score.js';

const { int16s, int32s, u64s } = regionOf('search/history-tables');

/** Maximum absolute history value. */
export const HISTORY_LIMIT = 16384;
/** Number of combinations of piece and target: twelve pieces times 64 squares. */
export const PIECE_TO = 12 * 64;
/** Index of a null move, and of moves before the root. */
export const NOTHING = PIECE_TO;
/** Number of indices, including NOTHING. */
export const MOVE_NAMES = PIECE_TO + 1;
export const PAWN_STRUCTURES = 512;

/** Values within ±HISTORY_LIMIT. */
export const histories = {
  /** Quiet moves by whether the opponent attacks the from square and the to square, by colour, and by these two squares. */
  butterfly: int16s(4 * 2 * 64 * 64),
  /** Quiet moves by an earlier move, and by piece and target. */
  continuation: int16s(MOVE_NAMES * PIECE_TO),
  /** Quiet moves by pawn structure, piece and target. */
  pawn: int16s(PAWN_STRUCTURES * PIECE_TO),
  /** Captures and promotions by moving piece and target, and the victim's type. */
  capture: int16s(PIECE_TO * 8),
};

/** Maximum number of plies that continuation histories look back. */
export const BACK = 4;
/** The move made at each ply, as piece and target; BACK entries before the root. */
export const playedPieceTo = int32s(MAX_PLY + 2 + BACK).fill(NOTHING);

/** Moves tried at each ply before the cut-off, at most TRIED_MOVES of each kind: quiet moves, and captures or promotions. */
export const TRIED_MOVES = 64;
export const tried = { quiets: int32s((MAX_PLY + 2) * TRIED_MOVES), noisies: int32s((MAX_PLY + 2) * TRIED_MOVES) };

/** Number of kinds of corrections, and of entries per kind and side to move. */
export const CORRECTION_KINDS = 7;
export const CORRECTIONS = 1 << 14;
/** Corrections within ±HISTORY_LIMIT, in units of 1/256 centipawn: entry `(kind << 1 | side to move) * CORRECTIONS + key`. */
export const corrections = int16s(2 * CORRECTION_KINDS * CORRECTIONS);
/** The position's entry of each kind. */
export const correctionEntries = int32s(CORRECTION_KINDS);

/** Clears all histories and corrections of this thread, but not the transposition table. */
export function clearHistories(): void {
  for (const history of Object.values(histories)) history.fill(0);
  corrections.fill(0);
}

const random = createRandom(0x636f7272);
/** Odd multipliers by piece code. The keys of pieces combine the products of these multipliers and the pieces' boards. */
export const MIX = u64s(16);
for (let piece = 0; piece < MIX.length; piece++) MIX[piece] = (BigInt(random()) << 32n) | BigInt(random()) | 1n;
