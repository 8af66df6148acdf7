// fitK() fits K, the steepness of the sigmoid that converts centipawns to an expected result. It uses golden-section search: in practice,
// the loss of a fixed evaluation has a single minimum in K.

const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * Range of K. It is near 2 for evaluations in centipawns and good games, and lower for weaker games. With few games, the best K may be
 * near 0, and the weights would then grow without bound.
 */
const K_MIN = 0.25;
const K_MAX = 10;
const TOLERANCE = 1e-4;

/** K if the evaluation does not predict the results, for example if all weights are zero. The fitted weights are then in centipawns. */
export const K_UNKNOWN = 2;

/** Returns the K with the smallest loss, or K_UNKNOWN if none is better than K = 0, which expects half a point in every position. */
export async function fitK(lossAt: (k: number) => Promise<number>): Promise<number> {
  const k = await goldenSection(lossAt);
  return (await lossAt(k)) < (await lossAt(0)) ? k : K_UNKNOWN;
}

/** Returns whether a fitted K is at an end of the range. */
export const isAtEnd = (k: number): boolean => k < 1.01 * K_MIN || k > 0.99 * K_MAX;

/** Returns the warning for a K at an end of its range. */
export const endOfRange = (k: number): string =>
  `K ${k.toFixed(2)} is at an end of its range (${K_MIN} to ${K_MAX}): the start weights hardly predict the results, or their unit is far from a centipawn, so the scale of the weights is uncertain`;

/** Returns the origin of a K from fitK() in brackets, such as ` (fitted to the start weights)`. */
export function originOfK(k: number, weights: string): string {
  if (k === K_UNKNOWN) return ` (assumed: ${weights} do not predict the results)`;
  return isAtEnd(k) ? ' (at an end of its range)' : ` (fitted to ${weights})`;
}

async function goldenSection(lossAt: (k: number) => Promise<number>): Promise<number> {
  let low = K_MIN;
  let high = K_MAX;
  let left = high - GOLDEN * (high - low);
  let right = low + GOLDEN * (high - low);
  let leftLoss = await lossAt(left);
  let rightLoss = await lossAt(right);
  while (high - low > TOLERANCE) {
    if (leftLoss <= rightLoss) {
      high = right;
      right = left;
      rightLoss = leftLoss;
      left = high - GOLDEN * (high - low);
      leftLoss = await lossAt(left);
    } else {
      low = left;
      left = right;
      leftLoss = rightLoss;
      right = low + GOLDEN * (high - low);
      rightLoss = await lossAt(right);
    }
  }
  return (low + high) / 2;
}
