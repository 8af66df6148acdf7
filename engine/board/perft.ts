// Perft: the number of move paths of a given length, the standard check of a move generator.

import { isStopRaised } from '../kernel/primitives.js';
import { makeMove, unmakeMove } from './makemove.js';
import { countLegal, generateLegal } from './movegen.js';
import { MAX_MOVES, moves } from './workspace.js';

/** Minimum remaining depth at which perft polls for a stop: a few milliseconds of work. */
const ASK_AT = 4;

/** Returns the number of leaves at the depth in plies, fewer once stopped; with `bulk`, the last ply is counted without being played. */
export function perft(depth: i32, bulk: boolean, ply: i32): f64 {
  if (depth === 0 || (depth >= ASK_AT && isStopRaised())) return 1;
  const start = ply * MAX_MOVES;
  if (bulk && depth === 1) return countLegal(start);
  const end = generateLegal(start);
  let nodes: f64 = 0;
  for (let i = start; i < end; i++) {
    const move = moves[i];
    makeMove(move);
    nodes += perft(depth - 1, bulk, ply + 1);
    unmakeMove(move);
  }
  return nodes;
}
