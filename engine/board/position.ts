// The position: one for each isolate, in tables of the kernel's memory, set up by setup.ts and changed by makemove.ts.
// Boards, mailbox, key, pawn key, phase and the piece-square sum are all kept up to date move by move.

import { regionOf } from '../kernel/memory.js';
import { createRandom } from '../kernel/random.js';
import { type Color, NO_PIECE, NO_SQUARE, type Square } from './types.js';

const { int32s, int32sOf, u64s } = regionOf('board/position');

// Boards, mailbox, keys and scalars follow each other in memory: together they are all that a move changes

/** Bitboards: by piece code, and all pieces of a colour at ALL_WHITE and ALL_BLACK. */
export const bb = u64s(16);
export const ALL_WHITE = 6;
export const ALL_BLACK = 6 | 8;
/** The piece on each square, or NO_PIECE. */
export const board = int32s(64).fill(NO_PIECE);

/** Zobrist keys: of the whole position, and of its pawns. */
export const keys = u64s(2);
export const KEY = 0;
export const PAWN_KEY = 1;

/** The hot scalars; their indices follow. */
export const state = int32s(12);
export const STM = 0;
export const EP = 1;
export const CASTLING_RIGHTS = 2;
export const RULE50 = 3;
/** Knight 1, bishop 1, rook 2, queen 4: 24 at the start, more after promotions. */
export const PHASE = 4;
/** White minus Black, packed as in eval/score. */
export const PSQT_SUM = 5;
/** Number of moves that can be unmade, which is the index of the next undo record. */
export const UNDO_TOP = 6;
export const FULLMOVE = 7;
export const KING_SQUARE = 8; // and 9 for Black
export const CHESS960 = 10;

/** Packed score of a piece on a square, White minus Black: entry `piece << 6 | square`. Filled by eval/weights-in-use, zero until then. */
export const psqt = int32s(16 * 64);
/** Phase weight of each piece code. */
export const PHASE_OF = int32sOf([0, 1, 1, 2, 4, 0, 0, 0, 0, 1, 1, 2, 4, 0, 0, 0]);

/** Rook squares of the four castling rights: White's h-side and a-side, Black's h-side and a-side; NO_SQUARE if never had. */
export const castlingRook = int32s(4).fill(NO_SQUARE);
/** Squares that must be free for each of the four rights, king and rook aside. */
export const castlingWay = u64s(4);
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

/** Returns whether castling moves are written "king takes rook". */
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

// Zobrist keys, from a fixed seed, so that keys are the same in every process
const random = createRandom(0x48656674);

function randomKeys(count: number): BigUint64Array {
  const table = u64s(count);
  const words = new Uint32Array(table.buffer, table.byteOffset, 2 * count);
  for (let i = 0; i < words.length; i++) words[i] = random();
  return table;
}

/** Keys of a piece on a square: entry `piece << 6 | square`. */
export const PIECE_KEYS = randomKeys(16 * 64);
/** Keys of the sixteen sets of castling rights. */
export const CASTLING_KEYS = randomKeys(16);
/** Keys of the en-passant file. */
export const EP_KEYS = randomKeys(8);
/** Key of Black to move. */
export const SIDE_KEY = randomKeys(1);
