// Attacks of all pieces: knights, kings and pawns from tables, and sliders by obstruction difference (Michael Hoffmann). With 4 KiB of
// masks, a subtraction and a leading-zero count find the nearest pieces in both directions along a line.

import { abs, max } from '../../kernel/primitives.js';
import { BISHOP, KING, KNIGHT, ROOK } from '../types.js';
import { around, beside, east, highestBit, lowestSquare, minus, north, south, squareBoard, west } from './bitboard.js';
import * as T from './tables.js';
import { EMPTY } from './tables.js';

/** Returns the squares that a rook on the square attacks, given the occupied squares. */
export function rookAttacks(square: Square, occupied: u64): u64 {
  const at = square << 3;
  return lineAttacks(at, occupied) | lineAttacks(at + 2, occupied);
}

/** Returns the squares that a bishop on the square attacks, given the occupied squares. */
export function bishopAttacks(square: Square, occupied: u64): u64 {
  const at = square << 3;
  return lineAttacks(at + 4, occupied) | lineAttacks(at + 6, occupied);
}

/** Returns the squares that a piece of the type, knight to king, attacks from the square, given the occupied squares. */
export function pieceAttacks(type: PieceType, square: Square, occupied: u64): u64 {
  if (type === KNIGHT) return T.KNIGHT_ATTACKS[square];
  if (type === KING) return T.KING_ATTACKS[square];
  const oblique = type === ROOK ? EMPTY : bishopAttacks(square, occupied);
  return type === BISHOP ? oblique : oblique | rookAttacks(square, occupied);
}

/** Returns the number of king moves between two squares. */
export function distance(a: Square, b: Square): i32 {
  return T.DISTANCE[(a << 6) | b];
}

// The squares of a line from the nearest piece below to the nearest one above. Without such a piece, the range extends to a1 or h8
function lineAttacks(at: i32, occupied: u64): u64 {
  const lower = T.LINE_MASKS[at];
  const upper = T.LINE_MASKS[at + 1];
  const above = occupied & upper;
  const below = highestBit((occupied & lower) | T.A1);
  return (above ^ minus(above, below)) & (lower | upper);
}

/** Fills the attack tables, once per thread; takes less than a millisecond in WebAssembly. */
export function fillAttackTables(): void {
  for (let square = 0; square < 64; square++) {
    const at = squareBoard(square);
    const near = beside(at);
    const far = east(east(at)) | west(west(at));
    T.KNIGHT_ATTACKS[square] = north(north(near) | far) | south(south(near) | far);
    T.KING_ATTACKS[square] = around(at);
    T.PAWN_ATTACKS[square] = north(near);
    T.PAWN_ATTACKS[64 | square] = south(near);
    for (let line = 0; line < 4; line++) fillLine(square, line);
    for (let other = 0; other < 64; other++) {
      const files = abs((square & 7) - (other & 7));
      T.DISTANCE[(square << 6) | other] = max(files, abs((square >> 3) - (other >> 3)));
    }
  }
}

// Fills the masks of a square's file (line 0), rank (1), diagonal (2) or antidiagonal (3)
function fillLine(square: Square, line: i32): void {
  const at = squareBoard(square);
  const below = ray(at, line, false);
  const above = ray(at, line, true);
  T.LINE_MASKS[8 * square + 2 * line] = below;
  T.LINE_MASKS[8 * square + 2 * line + 1] = above;
  if (line < 2) T.STRAIGHTS[square] |= below | above;
  else T.DIAGONALS[square] |= below | above;
  for (let way = 0; way < 2; way++) {
    let between = EMPTY;
    for (let to = step(at, line, way === 1); to !== EMPTY; to = step(to, line, way === 1)) {
      const entry = (square << 6) | lowestSquare(to);
      T.LINE[entry] = at | below | above;
      T.BETWEEN[entry] = between;
      between |= to;
    }
  }
}

function ray(from: u64, line: i32, isUp: boolean): u64 {
  let squares = EMPTY;
  for (let to = step(from, line, isUp); to !== EMPTY; to = step(to, line, isUp)) squares |= to;
  return squares;
}

function step(square: u64, line: i32, isUp: boolean): u64 {
  if (line === 0) return isUp ? north(square) : south(square);
  if (line === 1) return isUp ? east(square) : west(square);
  if (line === 2) return isUp ? north(east(square)) : south(west(square));
  return isUp ? north(west(square)) : south(east(square));
}
