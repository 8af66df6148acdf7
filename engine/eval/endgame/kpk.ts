// King and pawn against king, exact: every position solved backwards, once, when the first is asked for. One pass handles all
// squares of the weaker king as a bitboard, so that the whole takes a few milliseconds and 24 KB.

import { KING_ATTACKS, PAWN_ATTACKS } from '../../board/bitboards/attack-tables.js';
import { bitHi, bitLo, hasSquare, lowestSquare } from '../../board/bitboards/bitboard.js';
import { WHITE } from '../../board/types.js';
import { HI, LO, SOLVED, solving, won } from './kpk-table.js';

function sliceOf(pawn: Square): i32 {
  return ((pawn >> 3) - 1) * 4 + (pawn & 7);
}

/** Tells whether the side with the pawn wins. */
export function isPawnWon(strong: Color, king: Square, pawn: Square, weakKing: Square, stm: Color): boolean {
  if (solving[SOLVED] === 0) solve();
  const mirror = (strong === WHITE ? 0 : 56) ^ ((pawn & 7) < 4 ? 0 : 7);
  const entry = 4 * ((sliceOf(pawn ^ mirror) << 6) | (king ^ mirror)) + (stm === strong ? 0 : 2);
  return hasSquare(won[entry], won[entry + 1], weakKing ^ mirror);
}

// A push is solved before the square it starts from
function solve(): void {
  for (let rank = 6; rank >= 1; rank--) {
    for (let file = 0; file < 4; file++) solveSlice(8 * rank + file);
  }
  solving[SOLVED] = 1;
}

function solveSlice(pawn: Square): void {
  let isChanged = strongMoves(pawn);
  while (isChanged) isChanged = weakMoves(pawn) && strongMoves(pawn);
}

/** Adds what the stronger side wins by a move to a position known to be won; tells whether anything was added. */
function strongMoves(pawn: Square): boolean {
  let isChanged = false;
  const slice = sliceOf(pawn) << 6;
  for (let king = 0; king < 64; king++) {
    if (king === pawn) continue;
    findWonByPush(pawn, king);
    let lo = solving[LO];
    let hi = solving[HI];
    let toLo = KING_ATTACKS[2 * king] & ~bitLo(pawn);
    let toHi = KING_ATTACKS[2 * king + 1] & ~bitHi(pawn);
    while ((toLo | toHi) !== 0) {
      const to = lowestSquare(toLo, toHi);
      toLo &= ~bitLo(to);
      toHi &= ~bitHi(to);
      lo |= won[4 * (slice | to) + 2];
      hi |= won[4 * (slice | to) + 3];
    }
    lo &= weakSquaresLo(pawn, king) & ~PAWN_ATTACKS[2 * pawn];
    hi &= weakSquaresHi(pawn, king) & ~PAWN_ATTACKS[2 * pawn + 1];
    isChanged = add(4 * (slice | king), lo, hi) || isChanged;
  }
  return isChanged;
}

function putResult(lo: i32, hi: i32): void {
  solving[LO] = lo;
  solving[HI] = hi;
}

/** Squares of the weaker king at which a push wins, into `solving`. */
function findWonByPush(pawn: Square, king: Square): void {
  const next = pawn + 8;
  if (king === next) return putResult(0, 0);
  if (next >= 56) {
    // The new queen must not be taken; where it gives stalemate, a rook wins
    if (hasSquare(KING_ATTACKS[2 * next], KING_ATTACKS[2 * next + 1], king)) return putResult(-1, ~bitHi(next));
    return putResult(~KING_ATTACKS[2 * next], ~(KING_ATTACKS[2 * next + 1] | bitHi(next)));
  }
  const one = 4 * ((sliceOf(next) << 6) | king) + 2;
  const two = next + 8;
  if (pawn >= 16 || king === two) return putResult(won[one], won[one + 1]);
  const other = 4 * ((sliceOf(two) << 6) | king) + 2;
  putResult(won[one] | (won[other] & ~bitLo(next)), won[one + 1] | won[other + 1]);
}

/** Adds where every move of the weaker king loses; tells whether anything was added. */
function weakMoves(pawn: Square): boolean {
  let isChanged = false;
  const slice = sliceOf(pawn) << 6;
  const checkLo = PAWN_ATTACKS[2 * pawn];
  const checkHi = PAWN_ATTACKS[2 * pawn + 1];
  for (let king = 0; king < 64; king++) {
    if (king === pawn) continue;
    const validLo = weakSquaresLo(pawn, king);
    const validHi = weakSquaresHi(pawn, king);
    const entry = 4 * (slice | king);
    const isHeld = hasSquare(KING_ATTACKS[2 * king], KING_ATTACKS[2 * king + 1], pawn);
    const freeLo = (validLo & ~checkLo) | (isHeld ? 0 : bitLo(pawn));
    const freeHi = (validHi & ~checkHi) | (isHeld ? 0 : bitHi(pawn));
    const lostLo = freeLo & ~won[entry];
    const lostHi = freeHi & ~won[entry + 1];
    // Without a move it is mate in check, else stalemate
    const lo = validLo & ~neighboursLo(lostLo, lostHi) & (neighboursLo(freeLo, freeHi) | checkLo);
    const hi = validHi & ~neighboursHi(lostLo, lostHi) & (neighboursHi(freeLo, freeHi) | checkHi);
    isChanged = add(entry + 2, lo, hi) || isChanged;
  }
  return isChanged;
}

// Squares the weaker king may stand on with the others where they are
function weakSquaresLo(pawn: Square, king: Square): i32 {
  return ~(KING_ATTACKS[2 * king] | bitLo(king) | bitLo(pawn));
}
function weakSquaresHi(pawn: Square, king: Square): i32 {
  return ~(KING_ATTACKS[2 * king + 1] | bitHi(king) | bitHi(pawn));
}

function beside(half: i32): i32 {
  return ((half & 0x7f7f7f7f) << 1) | ((half & ~0x01010101) >>> 1);
}

// Squares next to any of the set
function neighboursLo(lo: i32, hi: i32): i32 {
  const rowLo = lo | beside(lo);
  const rowHi = hi | beside(hi);
  return beside(lo) | (rowLo << 8) | (rowLo >>> 8) | (rowHi << 24);
}
function neighboursHi(lo: i32, hi: i32): i32 {
  const rowLo = lo | beside(lo);
  const rowHi = hi | beside(hi);
  return beside(hi) | (rowHi >>> 8) | (rowHi << 8) | (rowLo >>> 24);
}

function add(entry: i32, lo: i32, hi: i32): boolean {
  const isNew = ((lo & ~won[entry]) | (hi & ~won[entry + 1])) !== 0;
  won[entry] |= lo;
  won[entry + 1] |= hi;
  return isNew;
}
