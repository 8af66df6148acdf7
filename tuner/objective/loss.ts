// evaluations(), expectations() and derivativesAt(): evaluation, expected result, loss and its derivatives of each position, for those who
// need them one by one. The workers' inner loops (loops/pass.ts) only sum them.

import { type Dataset, entryCoefficient, entryTerm, positionCount } from '../dataset/dataset.js';
import { crossEntropy, logistic } from '../loops/logistic.js';

/** Returns each position's evaluation in centipawns for White, tapered without rounding. */
export function evaluations(dataset: Dataset, weights: Float64Array): Float64Array {
  const { offsets, packed, phase } = dataset;
  const terms = weights.length / 2;
  const scores = new Float64Array(positionCount(dataset));
  for (let row = 0; row < scores.length; row++) {
    let mg = 0;
    let eg = 0;
    for (let at = offsets[row]; at < offsets[row + 1]; at++) {
      const count = entryCoefficient(packed[at]);
      mg += count * weights[entryTerm(packed[at])];
      eg += count * weights[terms + entryTerm(packed[at])];
    }
    scores[row] = (mg * phase[row] + eg * (24 - phase[row])) / 24;
  }
  return scores;
}

/** Returns the expected result (0 to 1 for White) of an evaluation in centipawns. */
export const expectedResult = (score: number, k: number): number => logistic((k * score) / 400);

/** Returns the expected result of each evaluation. */
export const expectations = (scores: Float64Array, k: number): Float64Array =>
  scores.map((score) => expectedResult(score, k));

export type LossKind = 'mse' | 'cross-entropy';

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

/** Returns each position's loss at the weights, times its weight. */
export function lossesOf(
  { dataset, targets, positionWeights, k, loss }: Observations,
  weights: Float64Array,
): Float64Array {
  return expectations(evaluations(dataset, weights), k).map((p, row) => {
    if (positionWeights[row] === 0) return 0;
    return positionWeights[row] * (loss === 'mse' ? (p - targets[row]) ** 2 : crossEntropy(p, targets[row]));
  });
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
      const count = entryCoefficient(packed[at]);
      gradient[entryTerm(packed[at])] += count * mg;
      gradient[terms + entryTerm(packed[at])] += count * eg;
    }
  }
  return gradient;
}
