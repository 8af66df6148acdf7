// The squares counted by a cell of a term, if they are easy to derive from the board.

import { isAttacked } from '../board/attacked.js';
import { ALL_BLACK, ALL_WHITE, bb, board } from '../board/position.js';
import { KNIGHT, PAWN, ROOK, squareName, WHITE } from '../board/types.js';
import type { Detail } from './shares.js';

const SQUARES = 64;

/** Returns the squares of a side's pieces of a type. */
export function squaresOf(side: Color, type: number): number[] {
  return Array.from(board.keys()).filter((square) => board[square] === ((side << 3) | type));
}

const rankOf = (side: Color, square: number): number => (side === WHITE ? square >> 3 : 7 - (square >> 3));

/** Returns whether the side has a pawn on one of the files for which `isThere` returns true. */
function hasPawn(side: Color, files: readonly number[], isThere: (pawn: number) => boolean = () => true): boolean {
  return squaresOf(side, PAWN).some((pawn) => files.includes(pawn & 7) && isThere(pawn));
}

const beside = (square: number): number[] => [(square & 7) - 1, (square & 7) + 1];

/** Returns whether `owner` has a pawn on one of the files ahead of the square, as seen from `side`. */
const hasAhead = (owner: Color, files: readonly number[], side: Color, square: number): boolean =>
  hasPawn(owner, files, (pawn) => rankOf(side, pawn) > rankOf(side, square));

const isPassed = (side: Color, pawn: number): boolean => !hasAhead(side ^ 1, [...beside(pawn), pawn & 7], side, pawn);

const isOpposed = (side: Color, pawn: number): boolean => hasAhead(side ^ 1, [pawn & 7], side, pawn);

/** Returns whether a pawn's neighbours (at least one) are all ahead of it, and an enemy pawn attacks the square in front of it. */
function isBackward(side: Color, pawn: number): boolean {
  const rank = rankOf(side, pawn);
  return (
    hasPawn(side, beside(pawn)) &&
    !hasPawn(side, beside(pawn), (fellow) => rankOf(side, fellow) <= rank) &&
    hasPawn(side ^ 1, beside(pawn), (other) => rankOf(side, other) === rank + 2)
  );
}

const isHit = (square: number, by: Color): boolean => isAttacked(square, by, bb[ALL_WHITE] | bb[ALL_BLACK]);

/** Returns candidate squares of a cell; the caller checks only their number. */
function candidates({ term, cell, side }: Detail): number[] {
  const them = side ^ 1;
  const pawns = (test: (pawn: number) => boolean): number[] => squaresOf(side, PAWN).filter(test);
  switch (term.name) {
    case 'psqt':
      return [side === WHITE ? cell % SQUARES : (cell % SQUARES) ^ 56];
    case 'pawnIsolated':
      return pawns(
        (pawn) => (pawn & 7) === cell % 8 && isOpposed(side, pawn) === cell < 8 && !hasPawn(side, beside(pawn)),
      );
    case 'pawnBackward':
      return pawns(
        (pawn) => rankOf(side, pawn) === cell % 8 && isOpposed(side, pawn) === cell < 8 && isBackward(side, pawn),
      );
    case 'pawnDoubled':
      return pawns((pawn) => hasAhead(side, [pawn & 7], side, pawn));
    case 'pawnStacked':
      return pawns((pawn) => (pawn & 7) === cell % 8 && hasAhead(side, [pawn & 7], side, pawn));
    case 'passedPawn':
    case 'passedPath':
    case 'passedSupport':
    case 'passedConnected':
      return pawns((pawn) => isPassed(side, pawn) && rankOf(side, pawn) === cell % 8);
    case 'passedFile':
      return pawns((pawn) => isPassed(side, pawn) && (pawn & 7) === cell);
    case 'hanging':
      return squaresOf(them, cell).filter((square) => isHit(square, side) && !isHit(square, them));
    case 'threat': {
      const isPawn = Math.floor(cell / 10) === PAWN;
      const isAttacker = (square: number): boolean =>
        isPawn
          ? hasPawn(side, beside(square), (pawn) => rankOf(side, pawn) === rankOf(side, square) - 1)
          : isHit(square, side);
      return squaresOf(them, cell % 5).filter(
        (square) => isAttacker(square) && isHit(square, them) === (Math.floor(cell / 5) % 2 === 1),
      );
    }
    case 'rookFile':
      return squaresOf(side, ROOK).filter(
        (rook) => !hasPawn(side, [rook & 7]) && hasPawn(them, [rook & 7]) === (cell === 0),
      );
    case 'rookSeventh':
      return squaresOf(side, ROOK).filter((rook) => rankOf(side, rook) === 6);
    case 'outpost':
      return squaresOf(side, KNIGHT + Math.floor(cell / 2)).filter(
        (square) =>
          rankOf(side, square) >= 3 && rankOf(side, square) <= 5 && !hasAhead(them, beside(square), side, square),
      );
    default:
      return [];
  }
}

/** Returns the names of the squares that a cell counts, or none if they cannot be derived. */
export function squaresCounted(detail: Detail): string[] {
  const found = candidates(detail);
  return found.length === detail.count ? found.map(squareName) : [];
}
