// The position: one for each isolate, in tables of the kernel's memory, set up by setup.ts and changed by makemove.ts.
// Boards, mailbox, key, pawn key, phase and the piece-square sum are all kept up to date move by move.

import { regionOf } from '../kernel/memory.js';
import { type Color, EMPTY, NO_SQUARE, type Square } from './types.js';

const { int32s, int32sOf } = regionOf('board/position');

/** Bitboards, two halves each: entry `2 * piece`; all pieces of a colour at `2 * (6 | color << 3)`. */
export const bb = int32s(32);
/** The piece on each square, or EMPTY. */
export const board = int32s(64).fill(EMPTY);
/** Entry of all white pieces in `bb`. */
export const ALL_WHITE = 2 * 6;
/** Entry of all black pieces in `bb`. */
export const ALL_BLACK = 2 * (6 | 8);

/** The hot scalars; their indices follow. */
export const state = int32s(20);
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
export const psqt = int32s(16 * 64);
/** Phase weight of each piece code. */
export const PHASE_OF = int32sOf([0, 1, 1, 2, 4, 0, 0, 0, 0, 1, 1, 2, 4, 0, 0, 0]);

/** Rook squares of the four castling rights: White's h-side and a-side, Black's h-side and a-side; NO_SQUARE if never had. */
export const castlingRook = int32s(4).fill(NO_SQUARE);
/** Squares that must be free for each of the four rights, king and rook aside: entry `2 * right`. */
export const castlingWay = int32s(8);
/** The rights that remain after a piece leaves or enters a square. */
export const rightsKept = int32s(64).fill(15);

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
