// The deepest line that any thread has finished, in shared memory. A thread that has been overtaken aborts its iteration and continues from
// that line, so each depth takes only as long as the fastest thread needs.

import { makeMove, unmakeMove } from '../../board/kernel.js';
import { NO_MOVE } from '../../board/move.js';
import { gameEnd, legalMoves } from '../../board/rules.js';
import { MATE, MATE_BOUND, MAX_PLY } from '../score.js';
import { hit } from '../tt/memory.js';
import { probe } from '../tt/tt.js';

/** Result of a depth: score in centipawns for the side to move, and the principal variation. */
export interface Finished {
  depth: number;
  seldepth: number;
  score: number;
  pv: Move[];
}

// The record: lock, depth, seldepth, score, length of the variation, and its moves
const LOCK = 0;
const DEPTH = 1;
const RECORD = 5 + MAX_PLY + 2;

/** Size of the shared memory in bytes. */
export const RECORD_BYTES = 4 * RECORD;

let record: Int32Array | null = null;

/** Shares the record in this memory with the other threads; with null, this thread searches alone. */
export function shareRecord(memory: SharedArrayBuffer | null): void {
  record = memory === null ? null : new Int32Array(memory);
}

/** Clears the line; no thread may be searching. */
export function clearRecord(): void {
  record?.fill(0);
}

/** Returns whether a thread has finished the depth or a greater one. */
export function isOvertaken(depth: number): boolean {
  return record !== null && record[DEPTH] >= depth;
}

/** Publishes a finished depth if it is the deepest. */
export function publish({ depth, seldepth, score, pv }: Finished): void {
  if (record === null) return;
  locked(record, (line) => {
    if (depth > line[DEPTH]) line.set([depth, seldepth, score, pv.length, ...pv], DEPTH);
  });
}

/** Returns the deepest finished line (depth 0 if none); null if this thread searches alone. */
export function deepestFinished(): Finished | null {
  if (record === null) return null;
  const [, depth, seldepth, score, length, ...moves] = locked(record, (line) => Array.from(line));
  return { depth, seldepth, score, pv: moves.slice(0, length) };
}

function locked<Result>(line: Int32Array, work: (line: Int32Array) => Result): Result {
  while (Atomics.compareExchange(line, LOCK, 0, 1) !== 0) Atomics.wait(line, LOCK, 1, 1);
  const result = work(line);
  Atomics.store(line, LOCK, 0);
  return result;
}

// Principal variations for output: cut at the end of the game, and extended through the transposition table if shorter than the announced
// mate or without a ponder move

/** Returns the principal variation for output, given the score for the side to move. The position does not change. */
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

// On the way to a mate, only moves that preserve its distance are accepted
function tableMove(ply: number, mate: number | null): Move {
  if (!probe(ply) || (mate !== null && hit.score !== (ply % 2 === 0 ? mate : -mate))) return NO_MOVE;
  return legalMoves().includes(hit.move) ? hit.move : NO_MOVE;
}
