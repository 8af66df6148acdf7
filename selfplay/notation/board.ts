// The board shared by all readers, which finds the legal moves named in their input. It is the engine's single position. To use another
// board implementation, replace this file.

import { FenError, parseFen } from '../../engine/board/fen.js';
import { generateLegal } from '../../engine/board/kernel.js';
import {
  CASTLING,
  EN_PASSANT,
  kingTarget,
  moveFrom,
  moveKind,
  movePromotion,
  moveTo,
  NO_MOVE,
  PROMOTION,
} from '../../engine/board/move.js';
import { board } from '../../engine/board/position.js';
import { advanceGame, gameEnd, legalMoves } from '../../engine/board/rules.js';
import { NO_PIECE, PAWN } from '../../engine/board/types.js';
import { moves, SPARE_LIST } from '../../engine/board/workspace.js';

export { formatFen, STARTPOS } from '../../engine/board/fen.js';
export { moveToUci, NO_MOVE } from '../../engine/board/move.js';
export { PAWN, PIECE_LETTERS, WHITE } from '../../engine/board/types.js';
export { advanceGame, FenError, gameEnd, parseFen };

/** Sets up the position; returns an error message if the FEN is invalid, otherwise null. */
export function faultOfFen(fen: string): string | null {
  try {
    parseFen(fen);
    return null;
  } catch (error) {
    if (!(error instanceof FenError)) throw error;
    return error.message;
  }
}

/** Returned instead of a move if several moves fit. */
export const AMBIGUOUS = -1;
/** Any piece, file or rank. */
export const ANY = -1;

/** Parsed parts of a move; ANY for omitted parts. */
export interface NamedMove {
  /** ANY in UCI notation, which names only squares. */
  piece: number;
  file: number;
  rank: number;
  /** Target square; for castling, the target of the king or the square of the rook. */
  target: number;
  /** KNIGHT to QUEEN, or 0 without promotion. */
  promotion: number;
}

/** Returns the named legal move, NO_MOVE if there is none, or AMBIGUOUS. */
export function findMove(named: NamedMove): Move {
  const { target } = named;
  const end = generateLegal(SPARE_LIST);
  let found = NO_MOVE;
  for (let i = SPARE_LIST; i < end; i++) {
    const move = moves[i];
    // Castling may be given as the king's move, to its target or to the rook's square
    const isNamed = moveKind(move) === CASTLING ? castlesTo(move, named) : moveTo(move) === target;
    if (!isNamed || !fits(move, named)) continue;
    if (found !== NO_MOVE) return AMBIGUOUS;
    found = move;
  }
  return found;
}

function fits(move: Move, { piece, file, rank, promotion }: NamedMove): boolean {
  const from = moveFrom(move);
  if (piece !== ANY && (board[from] & 7) !== piece) return false;
  if ((file !== ANY && (from & 7) !== file) || (rank !== ANY && from >> 3 !== rank)) return false;
  return (moveKind(move) === PROMOTION ? movePromotion(move) : 0) === promotion;
}

// A king target on an adjacent square means a plain king move
function castlesTo(move: Move, { file, rank, target }: NamedMove): boolean {
  if (file === ANY || rank === ANY) return false;
  return moveTo(move) === target || (kingTarget(move) === target && Math.abs(moveFrom(move) - target) > 1);
}

/** Returns the long or the short castling move, or NO_MOVE if it is illegal. */
export function findCastling(isLong: boolean): Move {
  return only((move) => moveKind(move) === CASTLING && moveTo(move) < moveFrom(move) === isLong);
}

/** Returns the only capture of a `victim` by a `piece`, or NO_MOVE, or AMBIGUOUS. */
export function findCapture(piece: number, victim: number): Move {
  return only((move) => (board[moveFrom(move)] & 7) === piece && victimOf(move) === victim);
}

/** Returns the only capture by a pawn from one file to another, or NO_MOVE, or AMBIGUOUS. */
export function findPawnCapture(from: number, to: number): Move {
  if (from === to) return NO_MOVE;
  return only(
    (move) => (board[moveFrom(move)] & 7) === PAWN && (moveFrom(move) & 7) === from && (moveTo(move) & 7) === to,
  );
}

function victimOf(move: Move): number {
  if (moveKind(move) === EN_PASSANT) return PAWN;
  return moveKind(move) === CASTLING ? NO_PIECE : board[moveTo(move)] & 7;
}

function only(isWanted: (move: Move) => boolean): Move {
  let found = NO_MOVE;
  for (const move of legalMoves()) {
    if (!isWanted(move)) continue;
    if (found !== NO_MOVE) return AMBIGUOUS;
    found = move;
  }
  return found;
}
