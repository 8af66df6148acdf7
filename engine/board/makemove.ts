// Making and unmaking moves, with incremental updates of boards, keys, phase and piece-square sum.

import { hasLegalEp } from './attacked.js';
import { squareBoard } from './bitboards/bitboard.js';
import { CASTLING, EN_PASSANT, PROMOTION } from './move.js';
import { moveFrom, moveKind, movePromotion, moveTo } from './move-fields.js';
import { liftPiece, putPiece } from './placement.js';
import {
  ALL_WHITE,
  bb,
  board,
  CASTLING_RIGHTS,
  EP,
  EP_KEYS,
  FULLMOVE,
  KEY,
  KING_SQUARE,
  keys,
  PAWN_KEY,
  PHASE,
  PHASE_OF,
  PIECE_KEYS,
  PSQT_SUM,
  psqt,
  CASTLING_KEYS as RIGHTS_KEYS,
  RULE50,
  rightsKept,
  SIDE_KEY,
  STM,
  state,
  UNDO_TOP,
} from './position.js';
import { KING, NO_PIECE, NO_SQUARE, PAWN, ROOK } from './types.js';
import { U_CAPTURED, U_EP, U_PHASE, U_PSQT, U_RIGHTS, U_RULE50, UNDO_STRIDE, undo, undoKeys } from './workspace.js';

/** Plays a legal move. */
export function makeMove(move: Move): void {
  const us = state[STM];
  const them = us ^ 1;
  const from = moveFrom(move);
  const to = moveTo(move);
  const kind = moveKind(move);
  const piece = board[from];

  const top = state[UNDO_TOP];
  const u = top * UNDO_STRIDE;
  state[UNDO_TOP] = top + 1;
  undoKeys[2 * top + KEY] = keys[KEY];
  undoKeys[2 * top + PAWN_KEY] = keys[PAWN_KEY];
  undo[u + U_EP] = state[EP];
  undo[u + U_RIGHTS] = state[CASTLING_RIGHTS];
  undo[u + U_RULE50] = state[RULE50];
  undo[u + U_PHASE] = state[PHASE];
  undo[u + U_PSQT] = state[PSQT_SUM];

  let key = keys[KEY] ^ SIDE_KEY[0];
  if (state[EP] !== NO_SQUARE) {
    key ^= EP_KEYS[state[EP] & 7];
    state[EP] = NO_SQUARE;
  }
  state[STM] = them;
  state[RULE50]++;
  state[FULLMOVE] += us;

  if (kind === CASTLING) {
    undo[u + U_CAPTURED] = NO_PIECE;
    keys[KEY] = key;
    moveCastlingPieces(us, from, to);
    changeRights(from, to);
    return;
  }

  // Capture
  const capturedSquare = kind === EN_PASSANT ? to ^ 8 : to;
  const captured = board[capturedSquare];
  undo[u + U_CAPTURED] = captured;
  if (captured !== NO_PIECE) {
    const entry = (captured << 6) | capturedSquare;
    liftPiece(captured, capturedSquare);
    key ^= PIECE_KEYS[entry];
    if ((captured & 7) === PAWN) keys[PAWN_KEY] ^= PIECE_KEYS[entry];
    state[PHASE] -= PHASE_OF[captured];
    state[PSQT_SUM] -= psqt[entry];
    state[RULE50] = 0;
  }

  // The piece goes from one square to the other
  const fromEntry = (piece << 6) | from;
  const toEntry = (piece << 6) | to;
  const moveKey = PIECE_KEYS[fromEntry] ^ PIECE_KEYS[toEntry];
  movePiece(piece, from, to);
  keys[KEY] = key ^ moveKey;
  state[PSQT_SUM] += psqt[toEntry] - psqt[fromEntry];

  const type = piece & 7;
  if (type === PAWN) {
    state[RULE50] = 0;
    keys[PAWN_KEY] ^= moveKey;
    if (kind === PROMOTION) promote(us, to, movePromotion(move));
    else if ((from ^ to) === 16) offerEp(them, (from + to) >> 1);
  } else if (type === KING) {
    state[KING_SQUARE + us] = to;
  }
  if (state[CASTLING_RIGHTS] !== 0) changeRights(from, to);
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
  keys[KEY] ^= PIECE_KEYS[pawnEntry] ^ PIECE_KEYS[entry];
  keys[PAWN_KEY] ^= PIECE_KEYS[pawnEntry];
  state[PHASE] += PHASE_OF[promoted];
  state[PSQT_SUM] += psqt[entry] - psqt[pawnEntry];
}

// The square counts only if the capture is legal, so that equal positions have equal keys
function offerEp(them: Color, ep: Square): void {
  if (!hasLegalEp(them, ep)) return;
  state[EP] = ep;
  keys[KEY] ^= EP_KEYS[ep & 7];
}

function changeRights(from: Square, to: Square): void {
  const before = state[CASTLING_RIGHTS];
  const after = before & rightsKept[from] & rightsKept[to];
  if (after === before) return;
  state[CASTLING_RIGHTS] = after;
  keys[KEY] ^= RIGHTS_KEYS[before] ^ RIGHTS_KEYS[after];
}

// King and rook may swap or stay: both are lifted before either is put down
function moveCastlingPieces(us: Color, kingFrom: Square, rookFrom: Square): void {
  const home = us * 56;
  const kingTo = home + (rookFrom > kingFrom ? 6 : 2);
  const rookTo = home + (rookFrom > kingFrom ? 5 : 3);
  const king = KING | (us << 3);
  const rook = ROOK | (us << 3);
  liftPiece(king, kingFrom);
  liftPiece(rook, rookFrom);
  putPiece(king, kingTo);
  putPiece(rook, rookTo);
  state[KING_SQUARE + us] = kingTo;
  changeSums(king, kingFrom, kingTo);
  changeSums(rook, rookFrom, rookTo);
}

function changeSums(piece: Piece, from: Square, to: Square): void {
  keys[KEY] ^= PIECE_KEYS[(piece << 6) | from] ^ PIECE_KEYS[(piece << 6) | to];
  state[PSQT_SUM] += psqt[(piece << 6) | to] - psqt[(piece << 6) | from];
}

/** Unmakes the last move, which must be the given one. */
export function unmakeMove(move: Move): void {
  const top = state[UNDO_TOP] - 1;
  const u = top * UNDO_STRIDE;
  const us = state[STM] ^ 1;
  const from = moveFrom(move);
  const to = moveTo(move);
  const kind = moveKind(move);
  state[UNDO_TOP] = top;
  state[STM] = us;
  state[FULLMOVE] -= us;
  keys[KEY] = undoKeys[2 * top + KEY];
  keys[PAWN_KEY] = undoKeys[2 * top + PAWN_KEY];
  state[EP] = undo[u + U_EP];
  state[CASTLING_RIGHTS] = undo[u + U_RIGHTS];
  state[RULE50] = undo[u + U_RULE50];
  state[PHASE] = undo[u + U_PHASE];
  state[PSQT_SUM] = undo[u + U_PSQT];

  if (kind === CASTLING) {
    const home = us * 56;
    liftPiece(KING | (us << 3), home + (to > from ? 6 : 2));
    liftPiece(ROOK | (us << 3), home + (to > from ? 5 : 3));
    putPiece(KING | (us << 3), from);
    putPiece(ROOK | (us << 3), to);
    state[KING_SQUARE + us] = from;
    return;
  }

  let piece = board[to];
  if (kind === PROMOTION) {
    bb[piece] ^= squareBoard(to);
    piece = PAWN | (us << 3);
    bb[piece] ^= squareBoard(to);
  }
  movePiece(piece, to, from);
  if ((piece & 7) === KING) state[KING_SQUARE + us] = from;

  const captured = undo[u + U_CAPTURED];
  if (captured !== NO_PIECE) putPiece(captured, kind === EN_PASSANT ? to ^ 8 : to);
}

/** Plays a null move; the side to move must not be in check. Repetitions do not reach across it. */
export function makeNullMove(): void {
  const top = state[UNDO_TOP];
  const u = top * UNDO_STRIDE;
  state[UNDO_TOP] = top + 1;
  undoKeys[2 * top + KEY] = keys[KEY];
  undo[u + U_EP] = state[EP];
  undo[u + U_RULE50] = state[RULE50];
  if (state[EP] !== NO_SQUARE) {
    keys[KEY] ^= EP_KEYS[state[EP] & 7];
    state[EP] = NO_SQUARE;
  }
  keys[KEY] ^= SIDE_KEY[0];
  state[RULE50] = 0;
  state[STM] ^= 1;
}

/** Unmakes the last null move. */
export function unmakeNullMove(): void {
  const top = state[UNDO_TOP] - 1;
  const u = top * UNDO_STRIDE;
  state[UNDO_TOP] = top;
  keys[KEY] = undoKeys[2 * top + KEY];
  state[EP] = undo[u + U_EP];
  state[RULE50] = undo[u + U_RULE50];
  state[STM] ^= 1;
}

/** Clears the undo records. The moves played so far can no longer be unmade, and repetitions before this point are forgotten. */
export function forgetHistory(): void {
  state[UNDO_TOP] = 0;
}
