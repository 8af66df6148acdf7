// Correction history: by how much the search's scores have differed from the static evaluation in positions of the same pawn
// structure, and after the same move; what was learned there corrects the evaluation here. (Idea: Caissa, then Stockfish.)

import { PAWN_KEY_LO, STM, state as scalars } from '../board/position.js';
import { MOVE_NAMES, moveBefore } from './history.js';
import { MATE_BOUND } from './score.js';

const state = scalars;

const SIZE = 1 << 14;
/** Fixed-point unit of a correction, and the largest in centipawns. */
const GRAIN = 256;
const MOST = 64 * GRAIN;
/** Running averages move by a share of this. */
const WEIGHT = 256;
const byPawns = new Int32Array(2 * SIZE);
const byLastMove = new Int32Array(2 * MOVE_NAMES);

function pawnEntry(): number {
  return (state[STM] * SIZE) | (state[PAWN_KEY_LO] & (SIZE - 1));
}

function moveEntry(ply: number): number {
  return state[STM] * MOVE_NAMES + moveBefore(ply);
}

/** Returns the ply's static evaluation (centipawns, side to move) with what has been learned of such positions. */
export function corrected(staticEval: number, ply: number): number {
  const sum = byPawns[pawnEntry()] + byLastMove[moveEntry(ply)];
  const score = staticEval + ((sum / GRAIN) | 0);
  return Math.max(1 - MATE_BOUND, Math.min(MATE_BOUND - 1, score));
}

/** Learns from a search to the depth whose score differed from the ply's corrected evaluation by so many centipawns. */
export function learnCorrection(difference: number, depth: number, ply: number): void {
  const weight = Math.min(depth + 1, 16);
  learn(byPawns, pawnEntry(), difference, weight);
  learn(byLastMove, moveEntry(ply), difference, weight);
}

function learn(corrections: Int32Array, entry: number, difference: number, weight: number): void {
  const target = Math.max(-MOST, Math.min(MOST, difference * GRAIN + corrections[entry]));
  corrections[entry] += (((target - corrections[entry]) * weight) / WEIGHT) | 0;
}

/** Forgets all corrections. */
export function clearCorrections(): void {
  byPawns.fill(0);
  byLastMove.fill(0);
}
