// Perft by root move, as `go perft` prints it.

import { makeMove, unmakeMove } from './board/makemove.js';
import { moveToUci } from './board/move.js';
import { isChess960 } from './board/position.js';
import { legalMoves } from './board/rules.js';
import { isStopRaised } from './kernel/host.js';
import { kernel } from './search/kernel.js';

/** Returns the count below each root move, keyed by the move in UCI's notation; what was counted so far if a stop was raised. */
export function divide(depth: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (const move of legalMoves()) {
    makeMove(move);
    counts.set(moveToUci(move, isChess960()), kernel.perft(depth - 1, true, 1));
    unmakeMove(move);
    if (isStopRaised()) break;
  }
  return counts;
}
