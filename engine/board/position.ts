// The position: one for each isolate, in module-level typed arrays (the layout V8 runs fastest), changed by makemove.ts.
// Boards, mailbox, key, pawn key, phase and the piece-square sum are all kept up to date move by move.

import { bitHi, bitLo } from './bitboard.js';
import { BLACK, type Color, EMPTY, KING, NO_SQUARE, PAWN, type Piece, type Square } from './types.js';
import { CASTLING_KEYS, EP_KEYS, PIECE_KEYS, SIDE_KEY } from './zobrist.js';

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
export const PHASE_OF = Int32Array.of(0, 1, 1, 2, 4, 0, 0, 0, 0, 1, 1, 2, 4, 0, 0, 0);

/** Rook squares of the four castling rights: White's h-side and a-side, Black's h-side and a-side; NO_SQUARE if never had. */
export const castlingRook = new Int32Array(4).fill(NO_SQUARE);
/** Squares that must be free for each of the four rights, king and rook aside: entry `2 * right`. */
export const castlingWay = new Int32Array(8);
/** The rights that remain after a piece leaves or enters a square. */
export const rightsKept = new Int32Array(64).fill(15);

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

/** Puts a piece on an empty square: boards and mailbox only. */
export function putPiece(piece: Piece, square: Square): void {
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
  const kingTo = color * 56 + (rook > king ? 6 : 2);
  const rookTo = color * 56 + (rook > king ? 5 : 3);
  castlingWay[2 * right] = 0;
  castlingWay[2 * right + 1] = 0;
  for (let square = Math.min(king, rook, kingTo, rookTo); square <= Math.max(king, rook, kingTo, rookTo); square++) {
    if (square === king || square === rook) continue;
    castlingWay[2 * right] |= bitLo(square);
    castlingWay[2 * right + 1] |= bitHi(square);
  }
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

/** Takes a piece off its square: boards and mailbox only. */
export function liftPiece(piece: Piece, square: Square): void {
  const all = ALL_WHITE | ((piece & 8) << 1);
  bb[2 * piece] &= ~bitLo(square);
  bb[2 * piece + 1] &= ~bitHi(square);
  bb[all] &= ~bitLo(square);
  bb[all + 1] &= ~bitHi(square);
  board[square] = EMPTY;
}

/** Returns a function that puts the present position back, for setting up a position that may turn out impossible. */
export function savePosition(): () => void {
  const saved = [bb, board, state, castlingRook, castlingWay, rightsKept].map((array) => ({
    array,
    copy: array.slice(),
  }));
  return () => {
    for (const { array, copy } of saved) array.set(copy);
  };
}
