// Perft by root move, as `go perft` prints it.

import { makeMove, perft, unmakeMove } from '../board/kernel.js';
import { moveToUci } from '../board/move.js';
import { isChess960 } from '../board/position.js';
import { legalMoves } from '../board/rules.js';
import { isStopRaised } from '../kernel/host.js';

/** Returns each root move in UCI's notation with the count below it; what was counted so far if a stop was raised. A castling and a king's move may have the same notation. */
export function divide(depth: number): [move: string, count: number][] {
  const counts: [string, number][] = [];
  for (const move of legalMoves()) {
    makeMove(move);
    counts.push([moveToUci(move, isChess960()), perft(depth - 1, true)]);
    unmakeMove(move);
    if (isStopRaised()) break;
  }
  return counts;
}
