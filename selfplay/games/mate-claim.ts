// Checks a claimed mate score against the engine's own principal variation.

import { makeMove } from '../../engine/board/kernel.js';
import { NO_MOVE } from '../../engine/board/move.js';
import { gameEnd, parseUciMove } from '../../engine/board/rules.js';
import { MATE_BOUND, MATE_SCORE } from '../records/record.js';

/** Returns what is wrong with a mate that is claimed for the position set up, or null: half a line proves nothing. */
export function mateClaimProblem(score: number, line: string): string | null {
  const plies = MATE_SCORE - Math.abs(score);
  const isMate = Math.abs(score) > MATE_BOUND;
  if (!isMate || line === '') return null;
  const moves = line.split(/\s+/).slice(0, plies);
  for (const [i, text] of moves.entries()) {
    const move = parseUciMove(text);
    if (move === NO_MOVE) return 'claims a mate by an illegal line';
    makeMove(move);
    const end = gameEnd();
    if (end === null && i < plies - 1) continue;
    if (end !== 'checkmate') return 'claims a mate that its line does not give';
    // A mate that comes sooner was found as well, if it is of the right side
    return i % 2 === (plies - 1) % 2 ? null : 'claims a mate that its line does not give';
  }
  return null;
}
