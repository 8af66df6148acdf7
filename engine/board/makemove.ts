// Making and taking back moves, with everything the position keeps up to date, and the history that repetitions are found in.

import { max, min } from '../kernel/integers.js';
import { hasLegalEp } from './attacked.js';
import { BETWEEN } from './bitboards/attack-tables.js';
import { bitHi, bitLo } from './bitboards/bitboard.js';
import { CASTLING, EN_PASSANT, PROMOTION } from './move.js';
import { liftPiece, putPiece } from './placement.js';
import {
  ALL_BLACK,
  ALL_WHITE,
  bb,
  board,
  CASTLING_RIGHTS,
  EP,
  FULLMOVE,
  KEY_HI,
  KEY_LO,
  KING_SQUARE,
  PAWN_KEY_HI,
  PAWN_KEY_LO,
  PHASE,
  PHASE_OF,
  PSQT_SUM,
  psqt,
  RULE50,
  rightsKept,
  STM,
  state,
  UNDO_TOP,
} from './position.js';
import { reversalOf } from './reversals.js';
import { EMPTY, KING, KNIGHT, NO_SQUARE, PAWN, ROOK } from './types.js';
import {
  MAX_HISTORY,
  U_CAPTURED,
  U_EP,
  U_KEY_HI,
  U_KEY_LO,
  U_PAWN_HI,
  U_PAWN_LO,
  U_PHASE,
  U_PSQT,
  U_RIGHTS,
  U_RULE50,
  UNDO_STRIDE,
  undo,
} from './workspace.js';
import { EP_KEYS as EP_FILES, PIECE_KEYS as PIECES, CASTLING_KEYS as RIGHTS, SIDE_KEY as SIDE } from './zobrist.js';

/** Plays a legal move. */
export function makeMove(move: Move): void {
  const us = state[STM];
  const them = us ^ 1;
  const from = move & 63;
  const to = (move >>> 6) & 63;
  const kind = move >>> 14;
  const piece = board[from];
  let keyLo = state[KEY_LO];
  let keyHi = state[KEY_HI];

  const u = state[UNDO_TOP];
  state[UNDO_TOP] = u + UNDO_STRIDE;
  undo[u + U_KEY_LO] = keyLo;
  undo[u + U_KEY_HI] = keyHi;
  undo[u + U_PAWN_LO] = state[PAWN_KEY_LO];
  undo[u + U_PAWN_HI] = state[PAWN_KEY_HI];
  undo[u + U_EP] = state[EP];
  undo[u + U_RIGHTS] = state[CASTLING_RIGHTS];
  undo[u + U_RULE50] = state[RULE50];
  undo[u + U_PHASE] = state[PHASE];
  undo[u + U_PSQT] = state[PSQT_SUM];

  keyLo ^= SIDE[0];
  keyHi ^= SIDE[1];
  if (state[EP] !== NO_SQUARE) {
    const file = 2 * (state[EP] & 7);
    keyLo ^= EP_FILES[file];
    keyHi ^= EP_FILES[file + 1];
    state[EP] = NO_SQUARE;
  }
  state[STM] = them;
  state[RULE50]++;
  state[FULLMOVE] += us;

  if (kind === CASTLING) {
    undo[u + U_CAPTURED] = EMPTY;
    state[KEY_LO] = keyLo;
    state[KEY_HI] = keyHi;
    moveCastlingPieces(us, from, to);
    changeRights(from, to);
    return;
  }

  // Capture
  const capturedSquare = kind === EN_PASSANT ? to ^ 8 : to;
  const captured = board[capturedSquare];
  undo[u + U_CAPTURED] = captured;
  if (captured !== EMPTY) {
    const notLo = ~bitLo(capturedSquare);
    const notHi = ~bitHi(capturedSquare);
    const all = ALL_WHITE | (them << 4);
    const entry = (captured << 6) | capturedSquare;
    bb[2 * captured] &= notLo;
    bb[2 * captured + 1] &= notHi;
    bb[all] &= notLo;
    bb[all + 1] &= notHi;
    board[capturedSquare] = EMPTY;
    keyLo ^= PIECES[2 * entry];
    keyHi ^= PIECES[2 * entry + 1];
    if ((captured & 7) === PAWN) {
      state[PAWN_KEY_LO] ^= PIECES[2 * entry];
      state[PAWN_KEY_HI] ^= PIECES[2 * entry + 1];
    }
    state[PHASE] -= PHASE_OF[captured];
    state[PSQT_SUM] -= psqt[entry];
    state[RULE50] = 0;
  }

  // The piece goes from one square to the other
  const maskLo = bitLo(from) ^ bitLo(to);
  const maskHi = bitHi(from) ^ bitHi(to);
  const ours = ALL_WHITE | (us << 4);
  const fromEntry = (piece << 6) | from;
  const toEntry = (piece << 6) | to;
  bb[2 * piece] ^= maskLo;
  bb[2 * piece + 1] ^= maskHi;
  bb[ours] ^= maskLo;
  bb[ours + 1] ^= maskHi;
  board[from] = EMPTY;
  board[to] = piece;
  const moveLo = PIECES[2 * fromEntry] ^ PIECES[2 * toEntry];
  const moveHi = PIECES[2 * fromEntry + 1] ^ PIECES[2 * toEntry + 1];
  state[KEY_LO] = keyLo ^ moveLo;
  state[KEY_HI] = keyHi ^ moveHi;
  state[PSQT_SUM] += psqt[toEntry] - psqt[fromEntry];

  const type = piece & 7;
  if (type === PAWN) {
    state[RULE50] = 0;
    state[PAWN_KEY_LO] ^= moveLo;
    state[PAWN_KEY_HI] ^= moveHi;
    if (kind === PROMOTION) promote(us, to, KNIGHT + ((move >>> 12) & 3));
    else if ((from ^ to) === 16) offerEp(them, (from + to) >> 1);
  } else if (type === KING) {
    state[KING_SQUARE + us] = to;
  }
  if (state[CASTLING_RIGHTS] !== 0) changeRights(from, to);
}

function promote(us: Color, to: Square, type: i32): void {
  const pawn = PAWN | (us << 3);
  const promoted = type | (us << 3);
  const pawnEntry = (pawn << 6) | to;
  const entry = (promoted << 6) | to;
  bb[2 * pawn] ^= bitLo(to);
  bb[2 * pawn + 1] ^= bitHi(to);
  bb[2 * promoted] ^= bitLo(to);
  bb[2 * promoted + 1] ^= bitHi(to);
  board[to] = promoted;
  state[KEY_LO] ^= PIECES[2 * pawnEntry] ^ PIECES[2 * entry];
  state[KEY_HI] ^= PIECES[2 * pawnEntry + 1] ^ PIECES[2 * entry + 1];
  state[PAWN_KEY_LO] ^= PIECES[2 * pawnEntry];
  state[PAWN_KEY_HI] ^= PIECES[2 * pawnEntry + 1];
  state[PHASE] += PHASE_OF[promoted];
  state[PSQT_SUM] += psqt[entry] - psqt[pawnEntry];
}

// The square counts only if the capture is legal, so that equal positions have equal keys
function offerEp(them: Color, ep: Square): void {
  if (!hasLegalEp(them, ep)) return;
  state[EP] = ep;
  state[KEY_LO] ^= EP_FILES[2 * (ep & 7)];
  state[KEY_HI] ^= EP_FILES[2 * (ep & 7) + 1];
}

function changeRights(from: Square, to: Square): void {
  const before = state[CASTLING_RIGHTS];
  const after = before & rightsKept[from] & rightsKept[to];
  if (after === before) return;
  state[CASTLING_RIGHTS] = after;
  state[KEY_LO] ^= RIGHTS[2 * before] ^ RIGHTS[2 * after];
  state[KEY_HI] ^= RIGHTS[2 * before + 1] ^ RIGHTS[2 * after + 1];
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
  changeKey((king << 6) | kingFrom);
  changeKey((king << 6) | kingTo);
  changeKey((rook << 6) | rookFrom);
  changeKey((rook << 6) | rookTo);
  state[PSQT_SUM] +=
    psqt[(king << 6) | kingTo] -
    psqt[(king << 6) | kingFrom] +
    psqt[(rook << 6) | rookTo] -
    psqt[(rook << 6) | rookFrom];
}

function changeKey(entry: i32): void {
  state[KEY_LO] ^= PIECES[2 * entry];
  state[KEY_HI] ^= PIECES[2 * entry + 1];
}

/** Takes back the last move, which must be the one given. */
export function unmakeMove(move: Move): void {
  const u = state[UNDO_TOP] - UNDO_STRIDE;
  const us = state[STM] ^ 1;
  const from = move & 63;
  const to = (move >>> 6) & 63;
  const kind = move >>> 14;
  state[UNDO_TOP] = u;
  state[STM] = us;
  state[FULLMOVE] -= us;
  state[KEY_LO] = undo[u + U_KEY_LO];
  state[KEY_HI] = undo[u + U_KEY_HI];
  state[PAWN_KEY_LO] = undo[u + U_PAWN_LO];
  state[PAWN_KEY_HI] = undo[u + U_PAWN_HI];
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
    bb[2 * piece] ^= bitLo(to);
    bb[2 * piece + 1] ^= bitHi(to);
    piece = PAWN | (us << 3);
    bb[2 * piece] ^= bitLo(to);
    bb[2 * piece + 1] ^= bitHi(to);
  }
  const maskLo = bitLo(from) ^ bitLo(to);
  const maskHi = bitHi(from) ^ bitHi(to);
  const ours = ALL_WHITE | (us << 4);
  bb[2 * piece] ^= maskLo;
  bb[2 * piece + 1] ^= maskHi;
  bb[ours] ^= maskLo;
  bb[ours + 1] ^= maskHi;
  board[to] = EMPTY;
  board[from] = piece;
  if ((piece & 7) === KING) state[KING_SQUARE + us] = from;

  const captured = undo[u + U_CAPTURED];
  if (captured !== EMPTY) putPiece(captured, kind === EN_PASSANT ? to ^ 8 : to);
}

/** Passes the move; the side to move must not be in check. Repetitions do not reach across it. */
export function makeNullMove(): void {
  const u = state[UNDO_TOP];
  state[UNDO_TOP] = u + UNDO_STRIDE;
  undo[u + U_KEY_LO] = state[KEY_LO];
  undo[u + U_KEY_HI] = state[KEY_HI];
  undo[u + U_EP] = state[EP];
  undo[u + U_RULE50] = state[RULE50];
  if (state[EP] !== NO_SQUARE) {
    state[KEY_LO] ^= EP_FILES[2 * (state[EP] & 7)];
    state[KEY_HI] ^= EP_FILES[2 * (state[EP] & 7) + 1];
    state[EP] = NO_SQUARE;
  }
  state[KEY_LO] ^= SIDE[0];
  state[KEY_HI] ^= SIDE[1];
  state[RULE50] = 0;
  state[STM] ^= 1;
}

/** Takes back makeNullMove. */
export function unmakeNullMove(): void {
  const u = state[UNDO_TOP] - UNDO_STRIDE;
  state[UNDO_TOP] = u;
  state[KEY_LO] = undo[u + U_KEY_LO];
  state[KEY_HI] = undo[u + U_KEY_HI];
  state[EP] = undo[u + U_EP];
  state[RULE50] = undo[u + U_RULE50];
  state[STM] ^= 1;
}

/** Returns how often the position occurred before, looking back to the last irreversible move, at most to two times. */
export function repetitionCount(): i32 {
  return repetitionsWithin(MAX_HISTORY);
}

/** Tells whether the position is a draw by repetition to the search: once within the last `ply` plies, or twice before. */
export function isRepetition(ply: i32): boolean {
  return repetitionsWithin(ply) > 1;
}

// A repetition nearer than `ply` counts double: within the search tree one return is enough
function repetitionsWithin(ply: i32): i32 {
  const top = state[UNDO_TOP];
  const oldest = max(0, top - state[RULE50] * UNDO_STRIDE);
  let count = 0;
  for (let u = top - 4 * UNDO_STRIDE; u >= oldest; u -= 2 * UNDO_STRIDE) {
    if (undo[u + U_KEY_LO] !== state[KEY_LO] || undo[u + U_KEY_HI] !== state[KEY_HI]) continue;
    count += ply < MAX_HISTORY && top - u < ply * UNDO_STRIDE ? 2 : 1;
    if (count > 1) return count;
  }
  return count;
}

/** Tells whether the side to move can return to a position of the last `ply` plies: by force a draw, if it wants one. */
export function canRepeat(ply: i32): boolean {
  const top = state[UNDO_TOP];
  const oldest = max(0, top - min(state[RULE50], ply - 1) * UNDO_STRIDE);
  for (let u = top - 3 * UNDO_STRIDE; u >= oldest; u -= 2 * UNDO_STRIDE) {
    const squares = reversalOf(state[KEY_LO] ^ undo[u + U_KEY_LO], state[KEY_HI] ^ undo[u + U_KEY_HI]);
    if (squares === -1) continue;
    const occLo = bb[ALL_WHITE] | bb[ALL_BLACK];
    const occHi = bb[ALL_WHITE + 1] | bb[ALL_BLACK + 1];
    if (((BETWEEN[2 * squares] & occLo) | (BETWEEN[2 * squares + 1] & occHi)) !== 0) continue;
    const piece = board[squares >> 6] !== EMPTY ? board[squares >> 6] : board[squares & 63];
    if (piece >> 3 === state[STM]) return true;
  }
  return false;
}

/** Forgets the moves played so far, which can then not be taken back; nothing is lost right after an irreversible move. */
export function forgetHistory(): void {
  state[UNDO_TOP] = 0;
}
