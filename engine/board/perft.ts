// Perft: the number of move paths of a given length, the standard check of a move generator.

import { makeMove, unmakeMove } from './makemove.js';
import { moveToUci } from './move.js';
import { countLegal, generateLegal, MAX_MOVES, moves as moveLists } from './movegen.js';
import { isChess960 } from './position.js';

const list = moveLists;

/** Least height in plies of a subtree before which perft asks whether to stop: some ten milliseconds of work. */
const ASK_AT = 4;
const never = (): boolean => false;

/** Returns the number of leaves at the depth in plies, fewer once stopped; with `bulk`, the last ply is counted without being played. */
export function perft(depth: number, bulk = true, ply = 0, isStopped = never): number {
  if (depth === 0 || (depth >= ASK_AT && isStopped())) return 1;
  const start = ply * MAX_MOVES;
  if (bulk && depth === 1) return countLegal(start);
  const end = generateLegal(start);
  let nodes = 0;
  for (let i = start; i < end; i++) {
    const move = list[i];
    makeMove(move);
    nodes += perft(depth - 1, bulk, ply + 1, isStopped);
    unmakeMove(move);
  }
  return nodes;
}

/** Returns the count below each root move, keyed by the move in UCI's notation; what was counted so far if it was stopped. */
export function divide(depth: number, isStopped = never): Map<string, number> {
  const counts = new Map<string, number>();
  const moves = list.slice(0, generateLegal(0));
  for (const move of moves) {
    makeMove(move);
    counts.set(moveToUci(move, isChess960()), perft(depth - 1, true, 1, isStopped));
    unmakeMove(move);
    if (isStopped()) break;
  }
  return counts;
}
