// Perft: the number of move paths of a given length, the standard check of a move generator.

import { makeMove, unmakeMove } from './makemove.js';
import { moveToUci } from './move.js';
import { generateLegal, MAX_MOVES } from './movegen.js';
import { isChess960 } from './position.js';

const MAX_DEPTH = 32;
const list = new Int32Array(MAX_DEPTH * MAX_MOVES);

/** Returns the number of leaves at the depth in plies; with `bulk`, the last ply is counted without being played. */
export function perft(depth: number, bulk = true, ply = 0): number {
  if (depth === 0) return 1;
  const start = ply * MAX_MOVES;
  const end = generateLegal(list, start);
  if (bulk && depth === 1) return end - start;
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
  const moves = list.slice(0, generateLegal(list, 0));
  for (const move of moves) {
    makeMove(move);
    counts.set(moveToUci(move, isChess960()), perft(depth - 1, true, 1));
    unmakeMove(move);
  }
  return counts;
}
