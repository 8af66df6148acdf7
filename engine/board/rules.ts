// The rules as a game needs them: the list of legal moves, moves given as text, and how a game ends. Not for the search's hot path.

import { isInCheck } from './attacked.js';
import { popcount } from './bitboard.js';
import { repetitionCount } from './makemove.js';
import {
  CASTLING,
  kingTarget,
  type Move,
  moveFrom,
  moveKind,
  moveTo,
  NO_MOVE,
  promotionLetter,
  splitUciMove,
} from './move.js';
import { generateLegal, moves, SPARE_LIST } from './movegen.js';
import { ALL_BLACK, ALL_WHITE, bb, halfmoveClock } from './position.js';
import { BISHOP, DARK_SQUARES, KNIGHT, PAWN, QUEEN, ROOK } from './types.js';

/** Returns all legal moves. */
export function legalMoves(): Move[] {
  return Array.from(moves.subarray(SPARE_LIST, generateLegal(SPARE_LIST)));
}

/** Returns the legal move that the text names in UCI's notation, castling written either way, or NO_MOVE. */
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

/** How a game ends by the rules. */
export type GameEnd = 'checkmate' | 'stalemate' | 'repetition' | 'fifty' | 'material';

/** Returns how the game has ended with the side to move at its turn, or null: mate counts before every draw, repetition is threefold. */
export function gameEnd(): GameEnd | null {
  if (generateLegal(SPARE_LIST) === SPARE_LIST) return isInCheck() ? 'checkmate' : 'stalemate';
  if (isMaterialDraw()) return 'material';
  if (halfmoveClock() >= 100) return 'fifty';
  return repetitionCount() >= 2 ? 'repetition' : null;
}

/** Tells whether no sequence of moves can mate: bare kings, one minor piece, or bishops of one square colour only. */
export function isMaterialDraw(): boolean {
  for (const type of [PAWN, ROOK, QUEEN]) {
    const white = 2 * type;
    const black = 2 * (type | 8);
    if ((bb[white] | bb[white + 1] | bb[black] | bb[black + 1]) !== 0) return false;
  }
  const pieces = popcount(bb[ALL_WHITE] | bb[ALL_BLACK], bb[ALL_WHITE + 1] | bb[ALL_BLACK + 1]);
  if (pieces <= 3) return true;
  if ((bb[2 * KNIGHT] | bb[2 * KNIGHT + 1] | bb[2 * (KNIGHT | 8)] | bb[2 * (KNIGHT | 8) + 1]) !== 0) return false;
  const lo = bb[2 * BISHOP] | bb[2 * (BISHOP | 8)];
  const hi = bb[2 * BISHOP + 1] | bb[2 * (BISHOP | 8) + 1];
  const onDark = ((lo & DARK_SQUARES) | (hi & DARK_SQUARES)) !== 0;
  const onLight = ((lo & ~DARK_SQUARES) | (hi & ~DARK_SQUARES)) !== 0;
  return !(onDark && onLight);
}
