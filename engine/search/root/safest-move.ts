// safestLine(): the answer of a search that ends before it has finished a single move, for example because of a limit of 64 nodes. A move
// chosen without any look at the replies could leave the queen en prise.

import { isInCheck, makeMove, unmakeMove } from '../../board/kernel.js';
import { CASTLING, moveKind, moveTo } from '../../board/move.js';
import { board } from '../../board/position.js';
import { legalMoves } from '../../board/rules.js';
import { seeAtLeast } from '../../board/see.js';
import { NO_PIECE } from '../../board/types.js';
import { SEE_VALUE } from '../../board/workspace.js';
import { evaluate } from '../../eval/kernel.js';
import type { Finished } from './deepest-line.js';

/** Centipawns that an exchange can win, largest first. */
const GAINS = [900, 500, 300, 100];

/** Returns a line of one move, the safest one, with the static evaluation of the position as its score. */
export function safestLine(depth: number, moves: readonly Move[]): Finished {
  return { depth, seldepth: 1, score: evaluate(), pv: [safestMove(moves)] };
}

/** Returns the legal move after which the side to move has won most once the opponent has made the best exchange; the first of equals. */
export function safestMove(moves: readonly Move[]): Move {
  const results = moves.map(resultOf);
  return moves[results.indexOf(Math.max(...results))];
}

function resultOf(move: Move): number {
  const won = isCapture(move) ? SEE_VALUE[board[moveTo(move)] & 7] : 0;
  makeMove(move);
  const replies = legalMoves();
  const isMate = replies.length === 0 && isInCheck();
  const lost = Math.max(0, ...replies.filter(isCapture).map(gainOf));
  unmakeMove(move);
  return isMate ? Number.POSITIVE_INFINITY : won - lost;
}

const gainOf = (capture: Move): number => GAINS.find((gain) => seeAtLeast(capture, gain)) ?? 0;

const isCapture = (move: Move): boolean => board[moveTo(move)] !== NO_PIECE && moveKind(move) !== CASTLING;
