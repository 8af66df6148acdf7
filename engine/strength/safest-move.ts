// safestFirst(): the order of root moves for searches of a few nodes. A search that ends before it has finished a single move returns the
// first one, which could otherwise leave the queen en prise.

import { isInCheck, makeMove, unmakeMove } from '../board/kernel.js';
import { moveKind, movePromotion, PROMOTION } from '../board/move.js';
import { isCapture, legalMoves } from '../board/rules.js';
import { seeAtLeast, victimOf } from '../board/see.js';
import { BISHOP, PAWN, QUEEN, ROOK } from '../board/types.js';
import { SEE_VALUE } from '../board/workspace.js';

/** Centipawns that an exchange can win, largest first. */
const GAINS = [QUEEN, ROOK, BISHOP, PAWN].map((type) => SEE_VALUE[type]);

/** Value of a mate in centipawns, larger than the gain of any exchange. */
const MATE_GAIN = 10_000;

/**
 * Returns these legal moves, best first: mates, then the other moves by their material gain minus the gain of the opponent's best exchange.
 */
export function safestFirst(moves: readonly Move[]): Move[] {
  const results = new Map(moves.map((move) => [move, resultOf(move)]));
  const resultAt = (move: Move): number => results.get(move) ?? 0;
  return [...moves].sort((a, b) => resultAt(b) - resultAt(a));
}

function resultOf(move: Move): number {
  const won = victimValue(move) + promotionValue(move);
  makeMove(move);
  const replies = legalMoves();
  const isMate = replies.length === 0 && isInCheck();
  const lost = Math.max(0, ...replies.filter(isCapture).map(gainOf));
  unmakeMove(move);
  return isMate ? MATE_GAIN : won - lost;
}

function victimValue(move: Move): number {
  if (!isCapture(move)) return 0;
  return SEE_VALUE[victimOf(move)];
}

const promotionValue = (move: Move): number =>
  moveKind(move) === PROMOTION ? SEE_VALUE[movePromotion(move)] - SEE_VALUE[PAWN] : 0;

const gainOf = (capture: Move): number => GAINS.find((gain) => seeAtLeast(capture, gain)) ?? 0;
