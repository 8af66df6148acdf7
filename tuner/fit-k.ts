// K, the steepness of the sigmoid that turns centipawns into an expected result, by golden-section search: the loss
// has one minimum in K for a fixed evaluation.

const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** K is searched for up to here; an evaluation in centipawns has it near 2, one without information near 0. */
export const K_MAX = 20;

/** Returns the K in (0, K_MAX] with the smallest loss, to within `tolerance`. */
export async function fitK(lossAt: (k: number) => Promise<number>, tolerance = 1e-4): Promise<number> {
  let low = 0;
  let high = K_MAX;
  let left = high - GOLDEN * (high - low);
  let right = low + GOLDEN * (high - low);
  let leftLoss = await lossAt(left);
  let rightLoss = await lossAt(right);
  while (high - low > tolerance) {
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
