// pairOf() and directionFrom(): Nocedal's recursion (L-BFGS): the last few steps with the changes of the gradient correct an approximate inverse
// of the second derivatives.

import { dot, type Point } from './line-search.js';

/** A step and the change of the gradient over it. */
export interface Pair {
  step: Float64Array;
  change: Float64Array;
}

type End = Pick<Point, 'weights' | 'gradient'>;

/** Returns the pair of a step, or null if the gradient did not increase along it and the matrix would not stay positive definite. */
export function pairOf(from: End, to: End): Pair | null {
  const step = to.weights.map((value, i) => value - from.weights[i]);
  const change = to.gradient.map((value, i) => value - from.gradient[i]);
  return dot(step, change) > 0 ? { step, change } : null;
}

/** Returns the direction down the gradient; `solve` applies the approximate inverse without the pairs. */
export function directionFrom(
  gradient: Float64Array,
  pairs: readonly Pair[],
  solve: (vector: Float64Array) => Float64Array,
): Float64Array {
  const rest = gradient.map((value) => -value);
  const shares: number[] = [];
  for (const { step, change } of [...pairs].reverse()) {
    const share = dot(step, rest) / dot(step, change);
    shares.push(share);
    for (let i = 0; i < rest.length; i++) rest[i] -= share * change[i];
  }
  const direction = solve(rest);
  for (const { step, change } of pairs) {
    const share = (shares.pop() ?? 0) - dot(change, direction) / dot(step, change);
    for (let i = 0; i < direction.length; i++) direction[i] += share * step[i];
  }
  return direction;
}
