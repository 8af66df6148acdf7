// Correction history: by how much the search's scores have differed from the static evaluation in positions of the same pawn
// structure; what was learned there corrects the evaluation here. (Idea: Caissa, then Stockfish.)

import { PAWN_KEY_LO, STM, state as scalars } from '../board/position.js';
import { MATE_BOUND } from './score.js';

const state = scalars;

const SIZE = 1 << 14;
/** Fixed-point unit of a correction, and the largest in centipawns. */
const GRAIN = 256;
const MOST = 64 * GRAIN;
/** Running averages move by a share of this. */
const WEIGHT = 256;
const corrections = new Int32Array(2 * SIZE);

function entryOf(): number {
  return (state[STM] * SIZE) | (state[PAWN_KEY_LO] & (SIZE - 1));
}

/** Returns a static evaluation (centipawns, side to move) with the correction for the position's pawn structure. */
export function corrected(staticEval: number): number {
  const score = staticEval + ((corrections[entryOf()] / GRAIN) | 0);
  return Math.max(1 - MATE_BOUND, Math.min(MATE_BOUND - 1, score));
}

/** Learns from a search to the depth whose score differed from the corrected evaluation by so many centipawns. */
export function learnCorrection(difference: number, depth: number): void {
  const entry = entryOf();
  const weight = Math.min(depth + 1, 16);
  const target = Math.max(-MOST, Math.min(MOST, difference * GRAIN + corrections[entry]));
  corrections[entry] += (((target - corrections[entry]) * weight) / WEIGHT) | 0;
}

/** Forgets all corrections. */
export function clearCorrections(): void {
  corrections.fill(0);
}
