// meanWeights(): the weighted sum of weight sets, by default their mean. Fits to independent labels have independent errors, and the
// evaluation is nearly linear in its weights, so the mean evaluates better than its parts (Breiman, "Bagging predictors", 1996).

import { checkWeightSet, type WeightSet } from '../../engine/eval/weight-set.js';
import { programVersion } from '../../selfplay/common/program.js';
import { weightsHash } from '../../selfplay/common/weights.js';
import { HEFT } from '../model/heft.js';
import { fromVector, toVector } from './weights-file.js';

/** A weight set in a mean, with its name in the provenance of the mean. */
export interface MeanPart {
  name: string;
  weights: WeightSet;
}

/** Returns factors of equal size whose sum is 1. */
const equalFactors = (count: number): number[] => Array.from({ length: count }, () => 1 / count);

/**
 * Returns the sum of the sets times their factors, by default their plain mean, rounded to whole numbers. The provenance of the result
 * lists the name, hash and factor of each set. Throws an Error if a value is outside the range of weights.
 */
export function meanWeights(
  parts: readonly MeanPart[],
  factors: readonly number[] = equalFactors(parts.length),
): WeightSet {
  const vectors = parts.map(({ weights }) => toVector(HEFT, weights));
  // Adding 0 turns -0 into 0
  const means = vectors[0].map(
    (_, i) => Math.round(vectors.reduce((sum, vector, part) => sum + factors[part] * vector[i], 0)) + 0,
  );
  const mean = parts.map(({ name, weights }, part) => ({
    name,
    weights: weightsHash(weights),
    factor: factors[part],
  }));
  const result = fromVector(HEFT, means, { generator: `heft tune ${programVersion()}`, mean });
  checkWeightSet(result);
  return result;
}
