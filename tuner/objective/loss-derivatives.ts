// Loss, slope and curvature of each position by its evaluation, for the study. Squares and cross-entropy use the same formulas after that.
// The workers' inner loops (gradient-worker.ts, column-pass.ts) have their own copies for speed.

import { type Dataset, positionCount } from '../dataset/dataset.js';
import type { LossKind } from './objective.js';

export interface Observations {
  dataset: Dataset;
  /** The result to be expected, 0 to 1 for White. */
  targets: Float64Array;
  /** How often each position counts; 0 for those not looked at. */
  positionWeights: Float64Array;
  k: number;
  loss: LossKind;
}

/** Returns the positions of one side of a split (0 train, 1 held-out) with their games' results as targets. */
export function observe(dataset: Dataset, heldOut: Uint8Array, side: 0 | 1, k: number, loss: LossKind): Observations {
  const targets = Float64Array.from(dataset.result, (halfPoints) => halfPoints / 2);
  const positionWeights = Float64Array.from({ length: positionCount(dataset) }, (_, row) =>
    heldOut[row] === side ? 1 : 0,
  );
  return { dataset, targets, positionWeights, k, loss };
}

/** The derivatives of each position's loss by its evaluation in centipawns, times its weight. */
export interface Derivatives {
  slopes: Float64Array;
  /** Gauss–Newton's part of the second derivative, never negative. */
  curvatures: Float64Array;
  /** Sum of losses, and sum of position weights. */
  loss: number;
  total: number;
}

/** Returns the derivatives where the positions are expected to end as `expected` says. */
export function derivativesAt(
  { targets, positionWeights, k, loss }: Observations,
  expected: Float64Array,
): Derivatives {
  const scale = k / 400;
  const slopes = new Float64Array(expected.length);
  const curvatures = new Float64Array(expected.length);
  let sum = 0;
  let total = 0;
  for (let row = 0; row < expected.length; row++) {
    const weight = positionWeights[row];
    if (weight === 0) continue;
    const p = expected[row];
    const miss = p - targets[row];
    const spread = p * (1 - p);
    total += weight;
    if (loss === 'mse') {
      sum += weight * miss * miss;
      slopes[row] = 2 * weight * scale * miss * spread;
      curvatures[row] = 2 * weight * (scale * spread) ** 2;
    } else {
      sum += weight * crossEntropy(p, targets[row]);
      slopes[row] = weight * scale * miss;
      curvatures[row] = weight * scale * scale * spread;
    }
  }
  return { slopes, curvatures, loss: sum, total };
}

/** Returns the sum of slope · coefficients: the gradient of the summed loss by the weights. */
export function gradientOf(dataset: Dataset, slopes: Float64Array, terms: number): Float64Array {
  const { offsets, packed, phase } = dataset;
  const gradient = new Float64Array(2 * terms);
  for (let row = 0; row < slopes.length; row++) {
    if (slopes[row] === 0) continue;
    const mg = (slopes[row] * phase[row]) / 24;
    const eg = slopes[row] - mg;
    for (let at = offsets[row]; at < offsets[row + 1]; at++) {
      const count = (packed[at] << 23) >> 23;
      gradient[packed[at] >> 9] += count * mg;
      gradient[terms + (packed[at] >> 9)] += count * eg;
    }
  }
  return gradient;
}

/** Returns the cross-entropy of an expected result against the target. The loops of the workers keep their own copy. */
function crossEntropy(p: number, target: number): number {
  const tiny = 1e-12;
  return -(target * Math.log(Math.max(p, tiny)) + (1 - target) * Math.log(Math.max(1 - p, tiny)));
}
