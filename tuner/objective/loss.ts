// evaluations(), expectations() and derivativesAt(): the evaluation, the expected result and the derivatives of the loss for each position.
// The workers' inner loops (passes/wasm/pass.ts) return only sums over the positions.

import {
  type Dataset,
  entryCoefficient,
  entryIndex,
  entryPart,
  type Linearised,
  partFactors,
  positionCount,
  SLOPES_PER_ROW,
  SUM_PARTS,
} from '../dataset/dataset.js';
import { crossEntropy, dangerAt, dangerSlope, factorAt, factorSlope, logistic } from '../passes/curves.js';

/** Returns each position's evaluation in centipawns for White, tapered without rounding. */
export function evaluations(dataset: Dataset, weights: Float64Array): Float64Array {
  const scores = new Float64Array(positionCount(dataset));
  const sums = new Float64Array(2 * SUM_PARTS);
  for (let row = 0; row < scores.length; row++) {
    sumParts(dataset, row, weights, sums);
    scores[row] = evaluationOf(dataset, row, sums);
  }
  return scores;
}

/** Returns the evaluation of a row with these sums. */
function evaluationOf({ phase, scale, rest }: Dataset, row: number, sums: Float64Array): number {
  const mg = sums[0] + dangerAt(sums[2]) - dangerAt(sums[4]);
  const eg = endgameOf(sums);
  const factor = (scale?.[row] ?? 1) * factorAt(scaleOf(sums, eg));
  return (mg * phase[row] + factor * eg * (24 - phase[row])) / 24 + (rest?.[row] ?? 0);
}

/** Returns the endgame value before scaling. scaleOf() returns the scale sum of the side that it favours. */
const endgameOf = (sums: Float64Array): number => sums[1] + dangerAt(sums[3]) - dangerAt(sums[5]);
const scaleOf = (sums: Float64Array, eg: number): number => (eg < 0 ? sums[9] : sums[7]);

/** Returns the dataset linearised at the weights, with the evaluations there. */
export function linearise(dataset: Dataset, weights: Float64Array): Linearised & { scores: Float64Array } {
  const scores = new Float64Array(positionCount(dataset));
  const partSlopes = new Float64Array(SLOPES_PER_ROW * scores.length);
  const sums = new Float64Array(2 * SUM_PARTS);
  for (let row = 0, at = 0; row < scores.length; row++, at += SLOPES_PER_ROW) {
    sumParts(dataset, row, weights, sums);
    scores[row] = evaluationOf(dataset, row, sums);
    const eg = endgameOf(sums);
    const scale = scaleOf(sums, eg);
    const own = dataset.scale?.[row] ?? 1;
    const factor = own * factorAt(scale);
    partSlopes[at] = dangerSlope(sums[2]);
    partSlopes[at + 1] = factor * dangerSlope(sums[3]);
    partSlopes[at + 2] = -dangerSlope(sums[4]);
    partSlopes[at + 3] = -factor * dangerSlope(sums[5]);
    partSlopes[at + 4] = factor;
    partSlopes[at + 5] = own * eg * factorSlope(scale);
  }
  return { ...dataset, partSlopes, scores };
}

/** Returns the product of each position's tapered coefficients with the vector. */
export function productsWith(rows: Linearised, vector: Float64Array): Float64Array {
  const sums = new Float64Array(2 * SUM_PARTS);
  const factors = new Float64Array(2 * SUM_PARTS);
  return Float64Array.from(rows.phase, (phase, row) => {
    sumParts(rows, row, vector, sums);
    partFactors(rows, row, phase / 24, (24 - phase) / 24, factors);
    return sums.reduce((total, sum, i) => total + factors[i] * sum, 0);
  });
}

/** Fills `sums` with the middlegame and the endgame sum of each part of a row. */
function sumParts({ offsets, packed }: Dataset, row: number, weights: Float64Array, sums: Float64Array): void {
  const terms = weights.length / 2;
  sums.fill(0);
  for (let at = offsets[row], end = offsets[row + 1]; at < end; at++) {
    const entry = packed[at];
    const sum = 2 * entryPart(entry);
    const count = entryCoefficient(entry);
    const term = entryIndex(entry);
    sums[sum] += count * weights[term];
    sums[sum + 1] += count * weights[terms + term];
  }
}

/** Returns the expected result (0 to 1 for White) of an evaluation in centipawns. */
export const expectedResult = (score: number, k: number): number => logistic((k * score) / 400);

/** Returns the expected result of each evaluation. */
export const expectations = (scores: Float64Array, k: number): Float64Array =>
  scores.map((score) => expectedResult(score, k));

export type LossKind = 'mse' | 'cross-entropy';

/** Sums or means of the losses of training and held-out rows. */
export interface Losses {
  train: number;
  heldOut: number;
}

export interface Observations {
  dataset: Dataset;
  /** Target result, 0 to 1 for White. */
  targets: Float64Array;
  /** Weight of each position; 0 for excluded ones. */
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

/** Returns the loss of an expected result against its target. */
export const positionLoss = (expected: number, target: number, loss: LossKind): number =>
  loss === 'mse' ? (expected - target) ** 2 : crossEntropy(expected, target);

/** The derivatives of each position's loss with respect to its evaluation in centipawns, times its weight. */
export interface Derivatives {
  slopes: Float64Array;
  /** Gauss–Newton part of the second derivative, never negative. */
  curvatures: Float64Array;
  /** Sum of losses, and sum of position weights. */
  loss: number;
  total: number;
}

/** Returns the derivatives at the expected results. */
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

/** Returns the sum of slope · coefficients, which is the gradient of the summed loss at the point of linearisation. */
export function gradientOf(rows: Linearised, slopes: Float64Array, terms: number): Float64Array {
  const { offsets, packed, phase } = rows;
  const gradient = new Float64Array(2 * terms);
  const factors = new Float64Array(2 * SUM_PARTS);
  for (let row = 0; row < slopes.length; row++) {
    if (slopes[row] === 0) continue;
    const mg = (slopes[row] * phase[row]) / 24;
    partFactors(rows, row, mg, slopes[row] - mg, factors);
    for (let at = offsets[row]; at < offsets[row + 1]; at++) {
      const term = entryIndex(packed[at]);
      const factor = 2 * entryPart(packed[at]);
      const count = entryCoefficient(packed[at]);
      gradient[term] += count * factors[factor];
      gradient[terms + term] += count * factors[factor + 1];
    }
  }
  return gradient;
}
