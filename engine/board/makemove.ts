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
import { liftPiece, putPiece } from './placement.js';
import {
  ALL_WHITE,
  bb,
  board,
  keys,
  kingSquare,
  PHASE_OF,
  psqt,
  rightsKept,
  SIDE_KEY,
  state,
  zobrist,
} from './position.js';
import { KING, NO_PIECE, NO_SQUARE, PAWN, ROOK } from './types.js';
import { undo } from './workspace.js';

/** Plays a legal move. */
export function makeMove(move: Move): void {
  const us = state.stm;
  const them = us ^ 1;
  const from = moveFrom(move);
  const to = moveTo(move);
  const kind = moveKind(move);
  const piece = board[from];

  const record = pushUndo();
  let key = keys.position ^ SIDE_KEY;
  if (state.ep !== NO_SQUARE) {
    key ^= zobrist.ep[state.ep & 7];
    state.ep = NO_SQUARE;
  }
  state.stm = them;
  state.rule50++;
  state.fullmove += us;

  if (kind === CASTLING) {
    undo.captured[record] = NO_PIECE;
    keys.position = key;
    moveCastlingPieces(us, from, to);
    changeRights(from, to);
    return;
  }

  // Capture
  const capturedSquare = kind === EN_PASSANT ? to ^ 8 : to;
  const captured = board[capturedSquare];
  undo.captured[record] = captured;
  if (captured !== NO_PIECE) {
    const entry = (captured << 6) | capturedSquare;
    liftPiece(captured, capturedSquare);
    key ^= zobrist.pieces[entry];
    if ((captured & 7) === PAWN) keys.pawns ^= zobrist.pieces[entry];
    state.phase -= PHASE_OF[captured];
    state.psqtSum -= psqt[entry];
    state.rule50 = 0;
  }

  // Move the piece
  const fromEntry = (piece << 6) | from;
  const toEntry = (piece << 6) | to;
  const moveKey = zobrist.pieces[fromEntry] ^ zobrist.pieces[toEntry];
  movePiece(piece, from, to);
  keys.position = key ^ moveKey;
  state.psqtSum += psqt[toEntry] - psqt[fromEntry];

  const type = piece & 7;
  if (type === PAWN) {
    state.rule50 = 0;
    keys.pawns ^= moveKey;
    if (kind === PROMOTION) promote(us, to, movePromotion(move));
    else if ((from ^ to) === 16) offerEp(them, (from + to) >> 1);
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

function promote(us: Color, to: Square, type: PieceType): void {
  const pawn = PAWN | (us << 3);
  const promoted = type | (us << 3);
  const pawnEntry = (pawn << 6) | to;
  const entry = (promoted << 6) | to;
  bb[pawn] ^= squareBoard(to);
  bb[promoted] ^= squareBoard(to);
  board[to] = promoted;
  keys.position ^= zobrist.pieces[pawnEntry] ^ zobrist.pieces[entry];
  keys.pawns ^= zobrist.pieces[pawnEntry];
  state.phase += PHASE_OF[promoted];
  state.psqtSum += psqt[entry] - psqt[pawnEntry];
}

// The square is set only if the capture is legal, so that equal positions have equal keys
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
function moveCastlingPieces(us: Color, kingFrom: Square, rookFrom: Square): void {
  const kingTo = castledKing(kingFrom, rookFrom);
  const rookTo = castledRook(kingFrom, rookFrom);
  const king = KING | (us << 3);
  const rook = ROOK | (us << 3);
  liftPiece(king, kingFrom);
  liftPiece(rook, rookFrom);
  putPiece(king, kingTo);
  putPiece(rook, rookTo);
  kingSquare[us] = kingTo;
  changeSums(king, kingFrom, kingTo);
  changeSums(rook, rookFrom, rookTo);
}

function changeSums(piece: Piece, from: Square, to: Square): void {
  keys.position ^= zobrist.pieces[(piece << 6) | from] ^ zobrist.pieces[(piece << 6) | to];
  state.psqtSum += psqt[(piece << 6) | to] - psqt[(piece << 6) | from];
}

/** Unmakes the last move, which must be the given one. */
export function unmakeMove(move: Move): void {
  const record = popUndo();
  const us = state.stm;
  const from = moveFrom(move);
  const to = moveTo(move);
  const kind = moveKind(move);
  state.fullmove -= us;

  if (kind === CASTLING) {
    liftPiece(KING | (us << 3), castledKing(from, to));
    liftPiece(ROOK | (us << 3), castledRook(from, to));
    putPiece(KING | (us << 3), from);
    putPiece(ROOK | (us << 3), to);
    kingSquare[us] = from;
    return;
  }

  let piece = board[to];
  if (kind === PROMOTION) {
    bb[piece] ^= squareBoard(to);
    piece = PAWN | (us << 3);
    bb[piece] ^= squareBoard(to);
  }
  movePiece(piece, to, from);
  if ((piece & 7) === KING) kingSquare[us] = from;

  const captured = undo.captured[record];
  if (captured !== NO_PIECE) putPiece(captured, kind === EN_PASSANT ? to ^ 8 : to);
}

/** Plays a null move; the side to move must not be in check. Repetitions are not detected across it. */
export function makeNullMove(): void {
  pushUndo();
  if (state.ep !== NO_SQUARE) {
    keys.position ^= zobrist.ep[state.ep & 7];
    state.ep = NO_SQUARE;
  }
  keys.position ^= SIDE_KEY;
  state.rule50 = 0;
  state.stm ^= 1;
}

/** Unmakes the last null move. */
export function unmakeNullMove(): void {
  popUndo();
}

// Returns the record's index; the caller records the captured piece
function pushUndo(): i32 {
  const top = state.undoTop;
  state.undoTop = top + 1;
  undo.key[top] = keys.position;
  undo.pawnKey[top] = keys.pawns;
  undo.ep[top] = state.ep;
  undo.castlingRights[top] = state.castlingRights;
  undo.rule50[top] = state.rule50;
  undo.phase[top] = state.phase;
  undo.psqtSum[top] = state.psqtSum;
  return top;
}

// Restores the last record and the side to move; returns its index
function popUndo(): i32 {
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
