// Evaluation and expected result of each position under given weights. The study needs them one by one; the objective only sums them.

import { type Dataset, positionCount } from '../dataset/dataset.js';

/** Returns each position's evaluation in centipawns for White, tapered without rounding. */
export function evaluations(dataset: Dataset, weights: Float64Array): Float64Array {
  const { offsets, packed, phase } = dataset;
  const terms = weights.length / 2;
  const scores = new Float64Array(positionCount(dataset));
  for (let row = 0; row < scores.length; row++) {
    let mg = 0;
    let eg = 0;
    for (let at = offsets[row]; at < offsets[row + 1]; at++) {
      const entry = packed[at];
      const count = (entry << 23) >> 23;
      mg += count * weights[entry >> 9];
      eg += count * weights[terms + (entry >> 9)];
    }
    scores[row] = (mg * phase[row] + eg * (24 - phase[row])) / 24;
  }
  return scores;
}

/** Returns the expected result (0 to 1 for White) of an evaluation in centipawns. */
export const expectedResult = (score: number, k: number): number => 1 / (1 + Math.exp((-k * score) / 400));

/** Returns the expected result of each evaluation. */
export const expectations = (scores: Float64Array, k: number): Float64Array =>
  scores.map((score) => expectedResult(score, k));
