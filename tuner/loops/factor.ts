// The factor of engine/eval/score.ts, and its slope.

import { WHOLE } from '../../engine/eval/score.js';

/** Returns the factor of an endgame value from its sum. */
export function factorAt(sum: f64): f64 {
  return 1 + Math.max(-WHOLE, Math.min(WHOLE, sum)) / WHOLE;
}

/** Returns by how much that grows with the sum. */
export function factorSlope(sum: f64): f64 {
  return sum > -WHOLE && sum < WHOLE ? 1.0 / WHOLE : 0;
}
