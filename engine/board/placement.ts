// Adds, removes and counts pieces, and recomputes boards, keys and sums from the mailbox.

import { min } from '../kernel/primitives.js';
import { popcount, squareBoard } from './bitboards/bitboard.js';
import { EMPTY } from './bitboards/tables.js';
import { ALL_WHITE, bb, board, keys, kingSquare, PHASE_OF, psqt, SIDE_KEY, state, zobrist } from './position.js';
import { BLACK, KING, NO_PIECE, NO_SQUARE, PAWN } from './types.js';

/** Puts a piece on an empty square; updates only the bitboards and the mailbox. */
export function putPiece(piece: Piece, square: Square): void {
  const bit = squareBoard(square);
  bb[piece] |= bit;
  bb[ALL_WHITE | (piece & 8)] |= bit;
  board[square] = piece;
}

/** Takes a piece off its square; updates only the bitboards and the mailbox. */
export function liftPiece(piece: Piece, square: Square): void {
  const bit = squareBoard(square);
  bb[piece] &= ~bit;
  bb[ALL_WHITE | (piece & 8)] &= ~bit;
  board[square] = NO_PIECE;
}

/** Fills the bitboards and king squares from the mailbox. */
export function refreshBoards(): void {
  for (let i = 0; i < 16; i++) bb[i] = EMPTY;
  for (let square = 0; square < 64; square++) {
    const piece = board[square];
    if (piece === NO_PIECE) continue;
    putPiece(piece, square);
    if ((piece & 7) === KING) kingSquare[piece >> 3] = square;
  }
}

/** Adds a piece to the keys, phase and piece-square sum, or removes it from them if `sign` is -1. */
export function countPiece(piece: Piece, square: Square, sign: i32): void {
  const entry = (piece << 6) | square;
  keys.position ^= zobrist.pieces[entry];
  if ((piece & 7) === PAWN) keys.pawns ^= zobrist.pieces[entry];
  state.phase += sign * PHASE_OF[piece];
  state.psqtSum += sign * psqt[entry];
}

/** Computes the keys, phase and piece-square sum from the mailbox, side to move, castling rights and en-passant square. */
export function refreshSums(): void {
  keys.position = zobrist.castling[state.castlingRights] ^ (state.stm === BLACK ? SIDE_KEY : EMPTY);
  if (state.ep !== NO_SQUARE) keys.position ^= zobrist.ep[state.ep & 7];
  keys.pawns = EMPTY;
  state.phase = 0;
  state.psqtSum = 0;
  for (let square = 0; square < 64; square++) {
    if (board[square] !== NO_PIECE) countPiece(board[square], square, 1);
  }
}

/** Returns both sides' pieces of a type. */
export function both(type: PieceType): u64 {
  return bb[type] | bb[(BLACK << 3) | type];
}

/** Returns a side's pieces other than pawns and king. */
export function officers(us: Color): u64 {
  const own = us << 3;
  return bb[ALL_WHITE | own] & ~(bb[own | PAWN] | bb[own | KING]);
}

/** Returns the number of a side's pawns, limited to eight because composed positions may have more. */
export function pawnCount(us: Color): i32 {
  return min(8, popcount(bb[(us << 3) | PAWN]));
}
