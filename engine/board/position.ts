// The position: one for each isolate, in module-level typed arrays (the layout V8 runs fastest), changed by makeMove and unmakeMove.
// Boards, mailbox, key, pawn key, phase and the piece-square sum are all kept up to date move by move.

import { bishopIndex, KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS, rookIndex, SLIDER_ATTACKS } from './attacks.js';
import { bitHi, bitLo } from './bitboard.js';
import { CASTLING, EN_PASSANT, type Move, PROMOTION } from './move.js';
import {
  BISHOP,
  BLACK,
  type Color,
  EMPTY,
  KING,
  KNIGHT,
  NO_SQUARE,
  PAWN,
  type Piece,
  QUEEN,
  ROOK,
  type Square,
} from './types.js';
import { CASTLING_KEYS, EP_KEYS, PIECE_KEYS, SIDE_KEY } from './zobrist.js';

const SLIDERS = SLIDER_ATTACKS;
const KNIGHTS = KNIGHT_ATTACKS;
const KINGS = KING_ATTACKS;
const PAWNS = PAWN_ATTACKS;
const PIECES = PIECE_KEYS;
const RIGHTS = CASTLING_KEYS;
const EP_FILES = EP_KEYS;
const SIDE = SIDE_KEY;

/** Bitboards, two halves each: entry `2 * piece`; all pieces of a colour at `2 * (6 | color << 3)`. */
export const bb = new Int32Array(32);
/** The piece on each square, or EMPTY. */
export const board = new Int32Array(64).fill(EMPTY);
/** Entry of all white pieces in `bb`. */
export const ALL_WHITE = 2 * 6;
/** Entry of all black pieces in `bb`. */
export const ALL_BLACK = 2 * (6 | 8);

/** The hot scalars; their indices follow. */
export const state = new Int32Array(20);
export const STM = 0;
export const EP = 1;
export const CASTLING_RIGHTS = 2;
export const RULE50 = 3;
export const KEY_LO = 4;
export const KEY_HI = 5;
export const PAWN_KEY_LO = 6;
export const PAWN_KEY_HI = 7;
/** Knight 1, bishop 1, rook 2, queen 4: 24 at the start, more after promotions. */
export const PHASE = 8;
/** White minus Black, packed as in eval/score. */
export const PSQT_SUM = 9;
/** Where the next undo record goes. */
export const UNDO_TOP = 10;
export const FULLMOVE = 11;
export const KING_SQUARE = 12; // and 13 for Black
export const CHESS960 = 14;

/** Packed score of a piece on a square, White minus Black: entry `piece << 6 | square`. Filled by eval/psqt, zero until then. */
export const psqt = new Int32Array(16 * 64);
/** Phase weight of each piece code. */
const PHASE_OF = Int32Array.of(0, 1, 1, 2, 4, 0, 0, 0, 0, 1, 1, 2, 4, 0, 0, 0);

/** Rook squares of the four castling rights: White's h-side and a-side, Black's h-side and a-side; NO_SQUARE if never had. */
export const castlingRook = new Int32Array(4).fill(NO_SQUARE);
/** The rights that remain after a piece leaves or enters a square. */
const rightsKept = new Int32Array(64).fill(15);

// Undo records: what makeMove cannot recompute, one record a move, the history for repetition at the same time.
const UNDO_STRIDE = 10;
const U_KEY_LO = 0;
const U_KEY_HI = 1;
const U_PAWN_LO = 2;
const U_PAWN_HI = 3;
const U_EP = 4;
const U_RIGHTS = 5;
const U_RULE50 = 6;
const U_CAPTURED = 7;
const U_PHASE = 8;
const U_PSQT = 9;
/** How many moves makeMove can take back; callers that play whole games call forgetHistory after irreversible moves. */
export const MAX_HISTORY = 4096;
const undo = new Int32Array(MAX_HISTORY * UNDO_STRIDE);

/** Returns WHITE or BLACK. */
export function sideToMove(): Color {
  return state[STM];
}

/** Returns the en-passant target square, set only while a legal en-passant capture exists, else NO_SQUARE. */
export function epSquare(): Square {
  return state[EP];
}

/** Returns the plies since the last capture or pawn move. */
export function halfmoveClock(): number {
  return state[RULE50];
}

/** Returns the number of the current full move, from 1. */
export function fullmoveNumber(): number {
  return state[FULLMOVE];
}

/** Tells whether castling moves are written "king takes rook". */
export function isChess960(): boolean {
  return state[CHESS960] !== 0;
}

/** Chooses how castling moves are written; the rules are the same either way. */
export function setChess960(on: boolean): void {
  state[CHESS960] = on ? 1 : 0;
}

/** Returns the squares of the rooks that may still castle. */
export function castlingRooks(): Square[] {
  return [0, 1, 2, 3]
    .filter((right) => ((state[CASTLING_RIGHTS] >> right) & 1) !== 0)
    .map((right) => castlingRook[right]);
}

function putPiece(piece: Piece, square: Square): void {
  const all = ALL_WHITE | ((piece & 8) << 1);
  bb[2 * piece] |= bitLo(square);
  bb[2 * piece + 1] |= bitHi(square);
  bb[all] |= bitLo(square);
  bb[all + 1] |= bitHi(square);
  board[square] = piece;
}

/** Empties the board and the history: the start of setting up a position. */
export function clearBoard(): void {
  bb.fill(0);
  board.fill(EMPTY);
  castlingRook.fill(NO_SQUARE);
  rightsKept.fill(15);
  const chess960 = state[CHESS960];
  state.fill(0);
  state[CHESS960] = chess960;
  state[EP] = NO_SQUARE;
  state[FULLMOVE] = 1;
}

/** Places a piece on an empty square while a position is being set up. */
export function placePiece(piece: Piece, square: Square): void {
  putPiece(piece, square);
  if ((piece & 7) === KING) state[KING_SQUARE + (piece >> 3)] = square;
}

/** Gives the right to castle with the rook on the square, whose king already stands on the board. */
export function addCastlingRight(color: Color, rook: Square): void {
  const king = state[KING_SQUARE + color];
  const right = 2 * color + (rook > king ? 0 : 1);
  state[CASTLING_RIGHTS] |= 1 << right;
  castlingRook[right] = rook;
  rightsKept[rook] &= ~(1 << right);
  rightsKept[king] &= ~(3 << (2 * color));
}

/** Computes key, pawn key, phase and piece-square sum from the board alone and stores them. */
export function refreshSums(): void {
  let keyLo = state[STM] === BLACK ? SIDE[0] : 0;
  let keyHi = state[STM] === BLACK ? SIDE[1] : 0;
  let pawnLo = 0;
  let pawnHi = 0;
  state[PHASE] = 0;
  state[PSQT_SUM] = 0;
  for (let square = 0; square < 64; square++) {
    const piece = board[square];
    if (piece === EMPTY) continue;
    const entry = (piece << 6) | square;
    keyLo ^= PIECES[2 * entry];
    keyHi ^= PIECES[2 * entry + 1];
    if ((piece & 7) === PAWN) {
      pawnLo ^= PIECES[2 * entry];
      pawnHi ^= PIECES[2 * entry + 1];
    }
    state[PHASE] += PHASE_OF[piece];
    state[PSQT_SUM] += psqt[entry];
  }
  keyLo ^= RIGHTS[2 * state[CASTLING_RIGHTS]];
  keyHi ^= RIGHTS[2 * state[CASTLING_RIGHTS] + 1];
  if (state[EP] !== NO_SQUARE) {
    keyLo ^= EP_FILES[2 * (state[EP] & 7)];
    keyHi ^= EP_FILES[2 * (state[EP] & 7) + 1];
  }
  state[KEY_LO] = keyLo;
  state[KEY_HI] = keyHi;
  state[PAWN_KEY_LO] = pawnLo;
  state[PAWN_KEY_HI] = pawnHi;
}

/** Tells whether the colour attacks the square, given what is occupied; pieces off the occupancy do not attack. */
export function isAttacked(square: Square, by: Color, occLo: number, occHi: number): boolean {
  const own = by << 4;
  const s = 2 * square;
  const pawn = 2 * (((by ^ 1) << 6) | square);
  const knight = 2 * KNIGHT + own;
  const king = 2 * KING + own;
  const leapers =
    (PAWNS[pawn] & bb[own] & occLo) |
    (PAWNS[pawn + 1] & bb[own + 1] & occHi) |
    (KNIGHTS[s] & bb[knight] & occLo) |
    (KNIGHTS[s + 1] & bb[knight + 1] & occHi) |
    (KINGS[s] & bb[king]) |
    (KINGS[s + 1] & bb[king + 1]);
  if (leapers !== 0) return true;
  const bishop = 2 * BISHOP + own;
  const rook = 2 * ROOK + own;
  const queen = 2 * QUEEN + own;
  const diagonal = bishopIndex(square, occLo, occHi);
  const straight = rookIndex(square, occLo, occHi);
  return (
    ((SLIDERS[diagonal] & (bb[bishop] | bb[queen]) & occLo) |
      (SLIDERS[diagonal + 1] & (bb[bishop + 1] | bb[queen + 1]) & occHi) |
      (SLIDERS[straight] & (bb[rook] | bb[queen]) & occLo) |
      (SLIDERS[straight + 1] & (bb[rook + 1] | bb[queen + 1]) & occHi)) !==
    0
  );
}

/** Tells whether the colour's king is attacked. */
export function isKingAttacked(color: Color): boolean {
  return isAttacked(
    state[KING_SQUARE + color],
    color ^ 1,
    bb[ALL_WHITE] | bb[ALL_BLACK],
    bb[ALL_WHITE + 1] | bb[ALL_BLACK + 1],
  );
}

/** Tells whether the side to move is in check. */
export function isInCheck(): boolean {
  return isKingAttacked(state[STM]);
}

/** Tells whether a pawn of `us` on `from` may capture en passant onto `ep`: its king must be safe after both pawns have left. */
export function isEpLegal(us: Color, from: Square, ep: Square): boolean {
  const captured = ep ^ 8;
  const goneLo = bitLo(from) | bitLo(captured);
  const goneHi = bitHi(from) | bitHi(captured);
  const occLo = ((bb[ALL_WHITE] | bb[ALL_BLACK]) & ~goneLo) | bitLo(ep);
  const occHi = ((bb[ALL_WHITE + 1] | bb[ALL_BLACK + 1]) & ~goneHi) | bitHi(ep);
  return !isAttacked(state[KING_SQUARE + us], us ^ 1, occLo, occHi);
}

/** Tells whether `us` has a legal en-passant capture onto the square. */
export function hasLegalEp(us: Color, ep: Square): boolean {
  const entry = 2 * (((us ^ 1) << 6) | ep);
  const own = us << 4;
  const lo = PAWNS[entry] & bb[own];
  const hi = PAWNS[entry + 1] & bb[own + 1];
  if ((lo | hi) === 0) return false;
  for (const from of [ep - 9, ep - 7, ep + 7, ep + 9]) {
    if (((lo & bitLo(from)) | (hi & bitHi(from))) !== 0 && from >= 0 && from < 64 && isEpLegal(us, from, ep))
      return true;
  }
  return false;
}

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

function promote(us: Color, to: Square, type: number): void {
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
  for (const entry of [(king << 6) | kingFrom, (king << 6) | kingTo, (rook << 6) | rookFrom, (rook << 6) | rookTo]) {
    state[KEY_LO] ^= PIECES[2 * entry];
    state[KEY_HI] ^= PIECES[2 * entry + 1];
  }
  state[PSQT_SUM] +=
    psqt[(king << 6) | kingTo] -
    psqt[(king << 6) | kingFrom] +
    psqt[(rook << 6) | rookTo] -
    psqt[(rook << 6) | rookFrom];
}

function liftPiece(piece: Piece, square: Square): void {
  const all = ALL_WHITE | ((piece & 8) << 1);
  bb[2 * piece] &= ~bitLo(square);
  bb[2 * piece + 1] &= ~bitHi(square);
  bb[all] &= ~bitLo(square);
  bb[all + 1] &= ~bitHi(square);
  board[square] = EMPTY;
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
export function repetitionCount(): number {
  return repetitionsWithin(MAX_HISTORY);
}

/** Tells whether the position is a draw by repetition to the search: once within the last `ply` plies, or twice before. */
export function isRepetition(ply: number): boolean {
  return repetitionsWithin(ply) > 1;
}

// A repetition nearer than `ply` counts double: within the search tree one return is enough
function repetitionsWithin(ply: number): number {
  const top = state[UNDO_TOP];
  const oldest = Math.max(0, top - state[RULE50] * UNDO_STRIDE);
  let count = 0;
  for (let u = top - 4 * UNDO_STRIDE; u >= oldest; u -= 2 * UNDO_STRIDE) {
    if (undo[u + U_KEY_LO] !== state[KEY_LO] || undo[u + U_KEY_HI] !== state[KEY_HI]) continue;
    count += ply < MAX_HISTORY && top - u < ply * UNDO_STRIDE ? 2 : 1;
    if (count > 1) return count;
  }
  return count;
}

/** Forgets the moves played so far, which can then not be taken back; nothing is lost right after an irreversible move. */
export function forgetHistory(): void {
  state[UNDO_TOP] = 0;
}

/** Returns a function that puts the present position back, for setting up a position that may turn out impossible. */
export function savePosition(): () => void {
  const saved = [bb, board, state, castlingRook, rightsKept].map((array) => ({ array, copy: array.slice() }));
  return () => {
    for (const { array, copy } of saved) array.set(copy);
  };
}
