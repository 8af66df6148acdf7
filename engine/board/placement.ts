// Pieces put on and taken off squares: boards and mailbox only, keys and sums are the caller's.

import { bitHi, bitLo } from './bitboards/bitboard.js';
import { ALL_WHITE, bb, board } from './position.js';
import { EMPTY } from './types.js';

/** Puts a piece on an empty square: boards and mailbox only. */
export function putPiece(piece: Piece, square: Square): void {
  const all = ALL_WHITE | ((piece & 8) << 1);
  bb[2 * piece] |= bitLo(square);
  bb[2 * piece + 1] |= bitHi(square);
  bb[all] |= bitLo(square);
  bb[all + 1] |= bitHi(square);
  board[square] = piece;
}

/** Takes a piece off its square: boards and mailbox only. */
export function liftPiece(piece: Piece, square: Square): void {
  const all = ALL_WHITE | ((piece & 8) << 1);
  bb[2 * piece] &= ~bitLo(square);
  bb[2 * piece + 1] &= ~bitHi(square);
  bb[all] &= ~bitLo(square);
  bb[all + 1] &= ~bitHi(square);
  board[square] = EMPTY;
}
