// Rules for games: the list of legal moves, moves as text, and the end of a game. Not for the search's hot path.

import { generateLegal, isInCheck, isMaterialDraw, repetitionCount } from './kernel.js';
import { CASTLING, kingTarget, moveFrom, moveKind, moveTo, NO_MOVE, promotionLetter, splitUciMove } from './move.js';
import { state } from './position.js';
import { moves, SPARE_LIST } from './workspace.js';

/** Returns all legal moves. */
export function legalMoves(): Move[] {
  return Array.from(moves.subarray(SPARE_LIST, generateLegal(SPARE_LIST)));
}

/** Returns the legal move of a text in UCI notation, with either form of castling, or NO_MOVE. */
export function parseUciMove(text: string): Move {
  const named = splitUciMove(text);
  if (named === null) return NO_MOVE;
  const end = generateLegal(SPARE_LIST);
  let castling = NO_MOVE;
  for (let i = SPARE_LIST; i < end; i++) {
    const move = moves[i];
    if (moveFrom(move) !== named.from || promotionLetter(move) !== named.promotion) continue;
    if (moveTo(move) === named.to) return move;
    if (moveKind(move) === CASTLING && kingTarget(move) === named.to) castling = move;
  }
  return castling;
}

/** End of a game by the rules. */
export type GameEnd = 'checkmate' | 'stalemate' | 'repetition' | 'fifty' | 'material';

/** Returns the end of the game in the current position, or null; mate takes precedence over draws, and repetition is threefold. */
export function gameEnd(): GameEnd | null {
  if (generateLegal(SPARE_LIST) === SPARE_LIST) return isInCheck() ? 'checkmate' : 'stalemate';
  if (isMaterialDraw()) return 'material';
  if (state.rule50 >= 100) return 'fifty';
  return repetitionCount() >= 2 ? 'repetition' : null;
}
