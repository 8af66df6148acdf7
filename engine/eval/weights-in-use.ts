// The weights of the evaluation: the built-in ones until others are set.

import { refreshSums } from '../board/kernel.js';
import { psqt } from '../board/position.js';
import { KING, PAWN } from '../board/types.js';
import { regionOf } from '../kernel/memory.js';
import { clearPawnTable } from './pawn-cache.js';
import { egOf, mgOf, packScore } from './score.js';
import { MATERIAL, PSQT, WEIGHT_COUNT } from './terms.js';
import { checkWeightSet, weightVectors } from './weight-set.js';
import { WEIGHTS } from './weights.js';

const { int16s, int32s, u64s } = regionOf('eval/weights-in-use');

/** Packed weights by weight index. */
export const W = int32s(WEIGHT_COUNT);

/** Evaluation cache by key, for positions without an entry in the transposition table. */
export const CACHE_ENTRIES = 1 << 15;
export const evaluationKeys = u64s(CACHE_ENTRIES);
export const evaluationScores = int16s(CACHE_ENTRIES);

/** Sets the weights: integers by weight index, in the units of their terms. The caller must clear the transposition table. */
export function setWeights(mg: ArrayLike<number>, eg: ArrayLike<number>): void {
  fillTables(mg, eg);
  refreshSums();
  clearPawnTable();
  evaluationKeys.fill(0n);
}

function fillTables(mg: ArrayLike<number>, eg: ArrayLike<number>): void {
  for (let i = 0; i < WEIGHT_COUNT; i++) W[i] = packScore(mg[i], eg[i]);
  // The position's piece-square table, with Black's values negated
  for (let type = PAWN; type <= KING; type++) {
    const material = type === KING ? 0 : W[MATERIAL + type];
    for (let square = 0; square < 64; square++) {
      const value = (material + W[PSQT + type * 64 + square]) | 0;
      psqt[(type << 6) | square] = value;
      psqt[((type | 8) << 6) | (square ^ 56)] = -value;
    }
  }
}

/** Returns the current weights by weight index. */
export function currentWeights(): { mg: number[]; eg: number[] } {
  return { mg: Array.from(W, mgOf), eg: Array.from(W, egOf) };
}

const compiled = weightVectors(checkWeightSet(WEIGHTS));
fillTables(compiled.mg, compiled.eg);
