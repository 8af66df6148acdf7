// The curve of engine/eval/score.ts without its rounding, and its slope.

import { KNEE } from '../../engine/eval/score.js';

/** Returns what a sum of danger is worth in centipawns. */
export function dangerAt(sum: f64): f64 {
  const danger = Math.max(sum, 0);
  const bent = Math.min(danger, KNEE);
  return 0.125 * sum + (bent * (2 * danger - bent)) / 2048;
}

/** Returns by how much that grows with the sum. */
export function dangerSlope(sum: f64): f64 {
  return 0.125 + Math.min(Math.max(sum, 0), KNEE) / 1024;
}
