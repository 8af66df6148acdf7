// meanWeights(): the weighted mean of weight sets. Fits to independent labels have independent errors, and the evaluation is nearly linear
// in its weights, so the mean evaluates better than its parts (Breiman, "Bagging predictors", 1996).

import { checkWeightSet, type WeightSet } from '../../engine/eval/weight-set.js';
import { programVersion } from '../../selfplay/common/program.js';
import { weightsHash } from '../../selfplay/common/weights.js';
import { HEFT } from '../model/heft.js';
import { fromVector, toVector } from './weights-file.js';

/** A weight set in a mean, with the name that stands in the provenance of the mean. */
export interface MeanPart {
  name: string;
  weights: WeightSet;
  factor: number;
}

/**
 * Returns the sum of the sets times their factors, rounded to whole numbers. Its provenance lists the name, hash and factor of each set.
 * Throws an Error if a value is outside the range of weights.
 */
export function meanWeights(parts: readonly MeanPart[]): WeightSet {
  const vectors = parts.map(({ weights }) => toVector(HEFT, weights));
  // Adding 0 turns -0 into 0
  const means = vectors[0].map(
    (_, i) => Math.round(parts.reduce((sum, { factor }, part) => sum + factor * vectors[part][i], 0)) + 0,
  );
  const mean = parts.map(({ name, weights, factor }) => ({ name, weights: weightsHash(weights), factor }));
  const result = fromVector(HEFT, means, { generator: `heft tune ${programVersion()}`, mean });
  checkWeightSet(result);
  return result;
}
