// Adds and removes pieces, and recomputes boards, keys and sums from the mailbox.

import { squareBoard } from './bitboards/bitboard.js';
import { EMPTY } from './bitboards/tables.js';
import { ALL_WHITE, bb, board, keys, kingSquare, PHASE_OF, psqt, SIDE_KEY, state, zobrist } from './position.js';
import { BLACK, KING, NO_PIECE, NO_SQUARE, PAWN } from './types.js';

/** Puts a piece on an empty square: boards and mailbox only. */
export function putPiece(piece: Piece, square: Square): void {
  const bit = squareBoard(square);
  bb[piece] |= bit;
  bb[ALL_WHITE | (piece & 8)] |= bit;
  board[square] = piece;
}

/** Takes a piece off its square: boards and mailbox only. */
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

/** Computes keys, phase and piece-square sum from mailbox, side to move, castling rights and en-passant square. */
export function refreshSums(): void {
  let key = state.stm === BLACK ? SIDE_KEY : EMPTY;
  let pawnKey = EMPTY;
  state.phase = 0;
  state.psqtSum = 0;
  for (let square = 0; square < 64; square++) {
    const piece = board[square];
    if (piece === NO_PIECE) continue;
    const entry = (piece << 6) | square;
    key ^= zobrist.pieces[entry];
    if ((piece & 7) === PAWN) pawnKey ^= zobrist.pieces[entry];
    state.phase += PHASE_OF[piece];
    state.psqtSum += psqt[entry];
  }
  key ^= zobrist.castling[state.castlingRights];
  if (state.ep !== NO_SQUARE) key ^= zobrist.ep[state.ep & 7];
  keys.position = key;
  keys.pawns = pawnKey;
}

/** Returns both sides' pieces of a type. */
export function both(type: PieceType): u64 {
  return bb[type] | bb[(BLACK << 3) | type];
}
