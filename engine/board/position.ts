// The position. Each isolate has one, in tables of the kernel's memory. setup.ts sets it up and makemove.ts changes it. Bitboards, mailbox,
// hash key, pawn key, phase and piece-square sum are all updated incrementally.

import { fieldsOf, regionOf } from '../kernel/memory.js';
import { createRandom } from '../kernel/random.js';
import { NO_PIECE, NO_SQUARE, WHITE } from './types.js';

const { int32s, int32sOf, u64s } = regionOf('board/position');

/** Bitboards: by piece code, and all pieces of a colour at ALL_WHITE and ALL_BLACK. */
export const bb = u64s(16);
export const ALL_WHITE = 6;
export const ALL_BLACK = 6 | 8;
/** The piece on each square, or NO_PIECE. */
export const board = int32s(64).fill(NO_PIECE);

/** Zobrist keys of the whole position and of its pawns. */
export const keys = fieldsOf(u64s, { position: 0n, pawns: 0n });

/** The scalar fields of the position. */
export const state = fieldsOf(int32s, {
  /** Side to move. */
  stm: WHITE,
  /** En-passant target square, set only while a legal en-passant capture exists, else NO_SQUARE. */
  ep: NO_SQUARE,
  castlingRights: 0,
  /** Plies since the last capture, pawn move or null move. */
  rule50: 0,
  /** Knight 1, bishop 1, rook 2, queen 4: 24 at the start, more after promotions. */
  phase: 0,
  /** Material and piece-square values, White minus Black, packed as in eval/score. */
  psqtSum: 0,
  /** Number of moves that can be unmade, and thus the index of the next undo record. */
  undoTop: 0,
  /** Number of the current full move, from 1. */
  fullmove: 1,
  /** Whether castling moves are written as "king takes rook". */
  chess960: 0,
});
/** Squares of White's and Black's kings. */
export const kingSquare = int32s(2);

/** Rook squares of the four castling rights: White's h-side and a-side, Black's h-side and a-side; NO_SQUARE if the right never existed. */
export const castlingRook = int32s(4).fill(NO_SQUARE);
/** Squares that must be empty for each of the four rights, without the squares of king and rook. */
export const castlingWay = u64s(4);
/** The rights that remain after a piece leaves or enters a square. */
export const rightsKept = int32s(64).fill(15);

/** The memory of all tables above. A copy of it is a copy of the position. */
export const wholePosition = new Int32Array(bb.buffer, bb.byteOffset, (rightsKept.byteOffset - bb.byteOffset) / 4 + 64);

/** Packed material and piece-square value, negated for Black: entry `piece << 6 | square`. Zero until eval/weights-in-use fills it. */
export const psqt = int32s(16 * 64);
/** Phase weight of each piece code. */
export const PHASE_OF = int32sOf([0, 1, 1, 2, 4, 0, 0, 0, 0, 1, 1, 2, 4, 0, 0, 0]);

/** Returns whether castling moves are written as "king takes rook". */
export function isChess960(): boolean {
  return state.chess960 !== 0;
}

/** Sets the notation of castling moves; the rules do not depend on it. */
export function setChess960(on: boolean): void {
  state.chess960 = on ? 1 : 0;
}

/** Clears the undo records. Earlier moves can no longer be unmade, and repetitions of earlier positions are no longer detected. */
export function forgetHistory(): void {
  state.undoTop = 0;
}

/** Returns the squares of the rooks that may still castle. */
export function castlingRooks(): Square[] {
  return Array.from(castlingRook).filter((_, right) => ((state.castlingRights >> right) & 1) !== 0);
}

// Zobrist keys from a fixed seed, so they are the same in every process
const random = createRandom(0x48656674);

function randomKeys(count: number): BigUint64Array {
  const table = u64s(count);
  const words = new Uint32Array(table.buffer, table.byteOffset, 2 * count);
  for (let i = 0; i < words.length; i++) words[i] = random();
  return table;
}

export const zobrist = {
  /** Keys of a piece on a square: entry `piece << 6 | square`. */
  pieces: randomKeys(16 * 64),
  /** Keys of the sixteen sets of castling rights. */
  castling: randomKeys(16),
  /** Keys of the en-passant file. */
  ep: randomKeys(8),
};
/** Key of Black to move. */
export const [SIDE_KEY] = randomKeys(1);
