// Making and unmaking moves, with incremental updates of boards, keys, phase and piece-square sum.

import { hasLegalEp } from './attacked.js';
import { squareBoard } from './bitboards/bitboard.js';
import {
  CASTLING,
  castledKing,
  castledRook,
  EN_PASSANT,
  moveFrom,
  moveKind,
  movePromotion,
  moveTo,
  PROMOTION,
} from './move-fields.js';
import { countPiece, liftPiece, putPiece } from './placement.js';
import { ALL_WHITE, bb, board, keys, kingSquare, psqt, rightsKept, SIDE_KEY, state, zobrist } from './position.js';
import { KING, NO_PIECE, NO_SQUARE, PAWN, ROOK } from './types.js';
import { undo } from './workspace.js';

/** Plays a legal move. */
export function makeMove(move: Move): void {
  const us = state.stm;
  const own = us << 3;
  const from = moveFrom(move);
  const to = moveTo(move);
  const kind = moveKind(move);
  const piece = board[from];

  const record = passTurn();
  state.rule50++;
  state.fullmove += us;

  if (kind === CASTLING) {
    undo.captured[record] = NO_PIECE;
    const kingTo = castledKing(from, to);
    const rookTo = castledRook(from, to);
    moveCastlingPieces(us, from, to, kingTo, rookTo);
    changeSums(piece, from, kingTo);
    changeSums(ROOK | own, to, rookTo);
    changeRights(from, to);
    return;
  }

  const capturedSquare = kind === EN_PASSANT ? to ^ 8 : to;
  const captured = board[capturedSquare];
  undo.captured[record] = captured;
  if (captured !== NO_PIECE) {
    liftPiece(captured, capturedSquare);
    countPiece(captured, capturedSquare, -1);
    state.rule50 = 0;
  }

  movePiece(piece, from, to);
  changeSums(piece, from, to);
  const type = piece & 7;
  if (type === PAWN) {
    state.rule50 = 0;
    if (kind === PROMOTION) promote(piece, movePromotion(move) | own, to);
    else if ((from ^ to) === 16) offerEp(us ^ 1, (from + to) >> 1);
  } else if (type === KING) {
    kingSquare[us] = to;
  }
  if (state.castlingRights !== 0) changeRights(from, to);
}

function movePiece(piece: Piece, from: Square, to: Square): void {
  const squares = squareBoard(from) | squareBoard(to);
  bb[piece] ^= squares;
  bb[ALL_WHITE | (piece & 8)] ^= squares;
  board[from] = NO_PIECE;
  board[to] = piece;
}

function changeSums(piece: Piece, from: Square, to: Square): void {
  const fromEntry = (piece << 6) | from;
  const toEntry = (piece << 6) | to;
  const change = zobrist.pieces[fromEntry] ^ zobrist.pieces[toEntry];
  keys.position ^= change;
  if ((piece & 7) === PAWN) keys.pawns ^= change;
  state.psqtSum += psqt[toEntry] - psqt[fromEntry];
}

function promote(pawn: Piece, promoted: Piece, square: Square): void {
  liftPiece(pawn, square);
  putPiece(promoted, square);
  countPiece(pawn, square, -1);
  countPiece(promoted, square, 1);
}

// The square is set only if the capture is legal, so equal positions have equal keys
function offerEp(them: Color, ep: Square): void {
  if (!hasLegalEp(them, ep)) return;
  state.ep = ep;
  keys.position ^= zobrist.ep[ep & 7];
}

function changeRights(from: Square, to: Square): void {
  const before = state.castlingRights;
  const after = before & rightsKept[from] & rightsKept[to];
  if (after === before) return;
  state.castlingRights = after;
  keys.position ^= zobrist.castling[before] ^ zobrist.castling[after];
}

// King and rook may swap or stay, so both are removed before either is placed
function moveCastlingPieces(us: Color, kingFrom: Square, rookFrom: Square, kingTo: Square, rookTo: Square): void {
  const own = us << 3;
  liftPiece(KING | own, kingFrom);
  liftPiece(ROOK | own, rookFrom);
  putPiece(KING | own, kingTo);
  putPiece(ROOK | own, rookTo);
  kingSquare[us] = kingTo;
}

/** Unmakes the last move, which must be the given one. */
export function unmakeMove(move: Move): void {
  const record = takeBackTurn();
  const us = state.stm;
  const from = moveFrom(move);
  const to = moveTo(move);
  const kind = moveKind(move);
  state.fullmove -= us;

  if (kind === CASTLING) {
    moveCastlingPieces(us, castledKing(from, to), castledRook(from, to), from, to);
    return;
  }

  if (kind === PROMOTION) {
    liftPiece(board[to], to);
    putPiece(PAWN | (us << 3), to);
  }
  const piece = board[to];
  movePiece(piece, to, from);
  if ((piece & 7) === KING) kingSquare[us] = from;

  const captured = undo.captured[record];
  if (captured !== NO_PIECE) putPiece(captured, kind === EN_PASSANT ? to ^ 8 : to);
}

/** Plays a null move; the side to move must not be in check. Repetitions are not detected across it. */
export function makeNullMove(): void {
  passTurn();
  state.rule50 = 0;
}

/** Unmakes the last null move. */
export function unmakeNullMove(): void {
  takeBackTurn();
}

// Saves the state, except a captured piece, in an undo record, passes the turn and clears the en-passant square. Returns the record's index
function passTurn(): i32 {
  const top = state.undoTop;
  state.undoTop = top + 1;
  undo.key[top] = keys.position;
  undo.pawnKey[top] = keys.pawns;
  undo.ep[top] = state.ep;
  undo.castlingRights[top] = state.castlingRights;
  undo.rule50[top] = state.rule50;
  undo.phase[top] = state.phase;
  undo.psqtSum[top] = state.psqtSum;
  keys.position ^= SIDE_KEY;
  if (state.ep !== NO_SQUARE) {
    keys.position ^= zobrist.ep[state.ep & 7];
    state.ep = NO_SQUARE;
  }
  state.stm ^= 1;
  return top;
}

// Restores the state and the turn from the last undo record. Returns the record's index
function takeBackTurn(): i32 {
  const top = state.undoTop - 1;
  state.undoTop = top;
  state.stm ^= 1;
  keys.position = undo.key[top];
  keys.pawns = undo.pawnKey[top];
  state.ep = undo.ep[top];
  state.castlingRights = undo.castlingRights[top];
  state.rule50 = undo.rule50[top];
  state.phase = undo.phase[top];
  state.psqtSum = undo.psqtSum[top];
  return top;
}
