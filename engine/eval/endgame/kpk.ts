// King and pawn against king, solved exactly by retrograde analysis of all positions on first use. All squares of the weaker king are
// processed at once, as a bitboard. The analysis takes a few milliseconds; the table has 24 KiB.

import { around, hasSquare, lowestSquare, squareBoard, withoutLowest } from '../../board/bitboards/bitboard.js';
import { EMPTY, FULL, KING_ATTACKS, PAWN_ATTACKS } from '../../board/bitboards/tables.js';
import { WHITE } from '../../board/types.js';
import { solved, won } from '../workspace.js';

function sliceOf(pawn: Square): i32 {
  return ((pawn >> 3) - 1) * 4 + (pawn & 7);
}

/** Returns whether the side with the pawn wins. */
export function isPawnWon(strong: Color, king: Square, pawn: Square, weakKing: Square, stm: Color): boolean {
  if (solved[0] === 0) solve();
  const mirror = (strong === WHITE ? 0 : 56) ^ ((pawn & 7) < 4 ? 0 : 7);
  const entry = 2 * ((sliceOf(pawn ^ mirror) << 6) | (king ^ mirror)) + (stm === strong ? 0 : 1);
  return hasSquare(won[entry], weakKing ^ mirror);
}

// Advanced pawns first, because a pawn's result depends on the result after its push
function solve(): void {
  for (let rank = 6; rank >= 1; rank--) {
    for (let file = 0; file < 4; file++) solveSlice(8 * rank + file);
  }
  solved[0] = 1;
}

function solveSlice(pawn: Square): void {
  let isChanged = strongMoves(pawn);
  while (isChanged) isChanged = weakMoves(pawn) && strongMoves(pawn);
}

/** Adds positions in which a move of the stronger side wins; returns whether any is new. */
function strongMoves(pawn: Square): boolean {
  let isChanged = false;
  const slice = sliceOf(pawn) << 6;
  for (let king = 0; king < 64; king++) {
    if (king === pawn) continue;
    let wins = wonByPush(pawn, king);
    for (let rest = KING_ATTACKS[king] & ~squareBoard(pawn); rest !== EMPTY; rest = withoutLowest(rest)) {
      wins |= won[2 * (slice | lowestSquare(rest)) + 1];
    }
    isChanged = add(2 * (slice | king), wins & weakSquares(pawn, king) & ~PAWN_ATTACKS[pawn]) || isChanged;
  }
  return isChanged;
}

/** Returns the squares of the weaker king for which a push wins. */
function wonByPush(pawn: Square, king: Square): u64 {
  const next = pawn + 8;
  if (king === next) return EMPTY;
  if (next >= 56) {
    // The new queen must not be capturable; if a queen would stalemate, a rook wins
    const isHeld = hasSquare(KING_ATTACKS[next], king);
    return FULL & ~(squareBoard(next) | (isHeld ? EMPTY : KING_ATTACKS[next]));
  }
  const one = won[2 * ((sliceOf(next) << 6) | king) + 1];
  const two = next + 8;
  if (pawn >= 16 || king === two) return one;
  return one | (won[2 * ((sliceOf(two) << 6) | king) + 1] & ~squareBoard(next));
}

/** Adds positions in which every move of the weaker king loses; returns whether any is new. */
function weakMoves(pawn: Square): boolean {
  let isChanged = false;
  const slice = sliceOf(pawn) << 6;
  const check = PAWN_ATTACKS[pawn];
  for (let king = 0; king < 64; king++) {
    if (king === pawn) continue;
    const valid = weakSquares(pawn, king);
    const entry = 2 * (slice | king);
    const isHeld = hasSquare(KING_ATTACKS[king], pawn);
    const free = (valid & ~check) | (isHeld ? EMPTY : squareBoard(pawn));
    const lost = free & ~won[entry];
    // A side without a move is mated if in check, otherwise stalemated
    isChanged = add(entry + 1, valid & ~around(lost) & (around(free) | check)) || isChanged;
  }
  return isChanged;
}

// Legal squares of the weaker king given the other pieces
function weakSquares(pawn: Square, king: Square): u64 {
  return FULL & ~(KING_ATTACKS[king] | squareBoard(king) | squareBoard(pawn));
}

function add(entry: i32, wins: u64): boolean {
  const isNew = (wins & ~won[entry]) !== EMPTY;
  won[entry] |= wins;
  return isNew;
}
