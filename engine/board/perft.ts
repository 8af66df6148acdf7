// Perft: the number of move paths of a given length, the standard check of a move generator.

import { makeMove, unmakeMove } from './makemove.js';
import { moveToUci } from './move.js';
import { countLegal, generateLegal, MAX_MOVES, moves as moveLists } from './movegen.js';
import { isChess960 } from './position.js';

const list = moveLists;

/** Returns the number of leaves at the depth in plies; with `bulk`, the last ply is counted without being played. */
export function perft(depth: number, bulk = true, ply = 0): number {
  if (depth === 0) return 1;
  const start = ply * MAX_MOVES;
  if (bulk && depth === 1) return countLegal(start);
  const end = generateLegal(start);
  let nodes = 0;
  for (let i = start; i < end; i++) {
    const move = list[i];
    makeMove(move);
    nodes += perft(depth - 1, bulk, ply + 1);
    unmakeMove(move);
  }
  return nodes;
}

/** Returns the count below each root move, keyed by the move in UCI's notation. */
export function divide(depth: number): Map<string, number> {
  const counts = new Map<string, number>();
  const moves = list.slice(0, generateLegal(0));
  for (const move of moves) {
    makeMove(move);
    counts.set(moveToUci(move, isChess960()), perft(depth - 1, true, 1));
    unmakeMove(move);
  }
  return counts;
}
