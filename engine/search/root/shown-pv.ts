// Principal variations for output: cut where the game ends, and extended through the transposition table where the search's
// own line is shorter than the mate it announces, or has no ponder move.

import { makeMove, unmakeMove } from '../../board/kernel.js';
import { type Move, NO_MOVE } from '../../board/move.js';
import { gameEnd, legalMoves } from '../../board/rules.js';
import { MATE, MATE_BOUND } from '../score.js';
import { probe } from '../tt/tt.js';
import { HIT_MOVE, HIT_SCORE, hit } from '../tt/tt-memory.js';

/** Returns the line from the present position whose score for the side to move is given; the position stays as it is. */
export function shownPv(pv: readonly Move[], score: number): Move[] {
  const isMate = Math.abs(score) >= MATE_BOUND;
  const wanted = isMate ? MATE - Math.abs(score) : 2;
  const line: Move[] = [];
  while (line.length === 0 || gameEnd() === null) {
    const ply = line.length;
    const move = pv[ply] ?? (ply < wanted ? tableMove(ply, isMate ? score : null) : NO_MOVE);
    if (move === NO_MOVE) break;
    makeMove(move);
    line.push(move);
  }
  for (const move of line.toReversed()) unmakeMove(move);
  return line;
}

// On the way to a mate, only a move that keeps its distance is right
function tableMove(ply: number, mate: number | null): Move {
  if (!probe(ply) || (mate !== null && hit[HIT_SCORE] !== (ply % 2 === 0 ? mate : -mate))) return NO_MOVE;
  return legalMoves().includes(hit[HIT_MOVE]) ? hit[HIT_MOVE] : NO_MOVE;
}
