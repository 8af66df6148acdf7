// King and pawn against king, exact: every position solved backwards, once, when the first is asked for. One pass handles all
// squares of the weaker king as a bitboard, so that the whole takes a few milliseconds and 24 KB.

import { KING_ATTACKS, PAWN_ATTACKS } from '../board/attacks.js';
import { bitHi, bitLo, hasSquare, lowestSquare } from '../board/bitboard.js';
import { type Color, type Square, WHITE } from '../board/types.js';

/**
 * Squares of the weaker king at which the pawn wins: entry `4 * (slice << 6 | king)` with the stronger side to move, two further
 * on with the weaker. A slice is a pawn's square, files a to d, second to seventh rank.
 */
const won = new Int32Array(4 * 64 * 24);
let isSolved = false;

const sliceOf = (pawn: Square): number => ((pawn >> 3) - 1) * 4 + (pawn & 7);

/** Tells whether the side with the pawn wins. */
export function isPawnWon(strong: Color, king: Square, pawn: Square, weakKing: Square, stm: Color): boolean {
  if (!isSolved) solve();
  const mirror = (strong === WHITE ? 0 : 56) ^ ((pawn & 7) < 4 ? 0 : 7);
  const entry = 4 * ((sliceOf(pawn ^ mirror) << 6) | (king ^ mirror)) + (stm === strong ? 0 : 2);
  return hasSquare(won[entry], won[entry + 1], weakKing ^ mirror);
}

// A push is solved before the square it starts from
function solve(): void {
  for (let rank = 6; rank >= 1; rank--) {
    for (let file = 0; file < 4; file++) solveSlice(8 * rank + file);
  }
  isSolved = true;
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
    let [lo, hi] = wonByPush(pawn, king);
    let toLo = KING_ATTACKS[2 * king] & ~bitLo(pawn);
    let toHi = KING_ATTACKS[2 * king + 1] & ~bitHi(pawn);
    while ((toLo | toHi) !== 0) {
      const to = lowestSquare(toLo, toHi);
      toLo &= ~bitLo(to);
      toHi &= ~bitHi(to);
      lo |= won[4 * (slice | to) + 2];
      hi |= won[4 * (slice | to) + 3];
    }
    const [validLo, validHi] = weakSquares(pawn, king);
    lo &= validLo & ~PAWN_ATTACKS[2 * pawn];
    hi &= validHi & ~PAWN_ATTACKS[2 * pawn + 1];
    isChanged = add(4 * (slice | king), lo, hi) || isChanged;
  }
  return isChanged;
}

function wonByPush(pawn: Square, king: Square): [lo: number, hi: number] {
  const next = pawn + 8;
  if (king === next) return [0, 0];
  if (next >= 56) {
    // The new queen must not be taken; where it gives stalemate, a rook wins
    if (hasSquare(KING_ATTACKS[2 * next], KING_ATTACKS[2 * next + 1], king)) return [-1, ~bitHi(next)];
    return [~KING_ATTACKS[2 * next], ~(KING_ATTACKS[2 * next + 1] | bitHi(next))];
  }
  const one = 4 * ((sliceOf(next) << 6) | king) + 2;
  const two = next + 8;
  if (pawn >= 16 || king === two) return [won[one], won[one + 1]];
  const other = 4 * ((sliceOf(two) << 6) | king) + 2;
  return [won[one] | (won[other] & ~bitLo(next)), won[one + 1] | won[other + 1]];
}

/** Adds where every move of the weaker king loses; tells whether anything was added. */
function weakMoves(pawn: Square): boolean {
  let isChanged = false;
  const slice = sliceOf(pawn) << 6;
  const checkLo = PAWN_ATTACKS[2 * pawn];
  const checkHi = PAWN_ATTACKS[2 * pawn + 1];
  for (let king = 0; king < 64; king++) {
    if (king === pawn) continue;
    const [validLo, validHi] = weakSquares(pawn, king);
    const entry = 4 * (slice | king);
    const isHeld = hasSquare(KING_ATTACKS[2 * king], KING_ATTACKS[2 * king + 1], pawn);
    const freeLo = (validLo & ~checkLo) | (isHeld ? 0 : bitLo(pawn));
    const freeHi = (validHi & ~checkHi) | (isHeld ? 0 : bitHi(pawn));
    const [savedLo, savedHi] = neighbours(freeLo & ~won[entry], freeHi & ~won[entry + 1]);
    const [moveLo, moveHi] = neighbours(freeLo, freeHi);
    // Without a move it is mate in check, else stalemate
    const lo = validLo & ~savedLo & (moveLo | checkLo);
    const hi = validHi & ~savedHi & (moveHi | checkHi);
    isChanged = add(entry + 2, lo, hi) || isChanged;
  }
  return isChanged;
}

/** Squares the weaker king may stand on with the others where they are. */
function weakSquares(pawn: Square, king: Square): [lo: number, hi: number] {
  return [
    ~(KING_ATTACKS[2 * king] | bitLo(king) | bitLo(pawn)),
    ~(KING_ATTACKS[2 * king + 1] | bitHi(king) | bitHi(pawn)),
  ];
}

/** Squares next to any of the set. */
function neighbours(lo: number, hi: number): [lo: number, hi: number] {
  const besideLo = ((lo & 0x7f7f7f7f) << 1) | ((lo & ~0x01010101) >>> 1);
  const besideHi = ((hi & 0x7f7f7f7f) << 1) | ((hi & ~0x01010101) >>> 1);
  const rowLo = lo | besideLo;
  const rowHi = hi | besideHi;
  return [
    besideLo | (rowLo << 8) | (rowLo >>> 8) | (rowHi << 24),
    besideHi | (rowHi >>> 8) | (rowHi << 8) | (rowLo >>> 24),
  ];
}

function add(entry: number, lo: number, hi: number): boolean {
  const isNew = ((lo & ~won[entry]) | (hi & ~won[entry + 1])) !== 0;
  won[entry] |= lo;
  won[entry + 1] |= hi;
  return isNew;
}
