// lineSearch(): finds a point that satisfies the strong Wolfe conditions, as conjugate gradients require, by bracketing and cubic
// interpolation (Nocedal and Wright, chapter 3).

import { dot } from '../matrix/cholesky.js';
import type { Losses } from '../objective/loss.js';
import type { State } from './method.js';
import type { Surface } from './surface.js';

export interface Point {
  weights: Float64Array;
  losses: Losses;
  /** Train loss plus penalty. */
  value: number;
  gradient: Float64Array;
}

/** Sufficient decrease (c₁), as a share of the decrease that the initial slope predicts. */
const ENOUGH = 1e-4;
/** Maximum number of points tried. */
const TRIALS = 12;
/** Growth of the step until the minimum is bracketed. */
const GROWTH = 4;

/** Returns the point at the weights. It takes one pass over the data. */
async function pointAt(surface: Surface, weights: Float64Array): Promise<Point> {
  const gradient = new Float64Array(surface.dimension);
  const losses = await surface.gradient(weights, gradient);
  return { weights, losses, value: losses.train + surface.penalty(weights), gradient };
}

interface End {
  step: number;
  value: number;
  slope: number;
}

/**
 * Returns a point along the direction, and its step, with sufficient decrease and an absolute slope of at most `flatness` times the initial
 * slope. If no tried point qualifies, returns the best point with sufficient decrease, or null. `first` is the first step.
 */
export async function lineSearch(
  surface: Surface,
  from: Point,
  direction: Float64Array,
  first: number,
  flatness: number,
): Promise<{ point: Point; step: number } | null> {
  const slope = dot(from.gradient, direction);
  if (!(slope < 0)) return null;
  let low: End = { step: 0, value: from.value, slope };
  let high: End | null = null;
  let best: { point: Point; step: number } | null = null;
  let step = first;
  for (let trial = 0; trial < TRIALS; trial++) {
    const at = from.weights.map((value, i) => value + step * direction[i]);
    const point = await pointAt(surface, at);
    const end: End = { step, value: point.value, slope: dot(point.gradient, direction) };
    const isLow = end.value <= from.value + ENOUGH * step * slope;
    if (!isLow || end.value >= low.value) {
      high = end;
    } else {
      best = { point, step };
      if (Math.abs(end.slope) <= -flatness * slope) return best;
      if (high === null ? end.slope >= 0 : end.slope * (high.step - low.step) >= 0) high = low;
      low = end;
    }
    step = high === null ? GROWTH * step : between(low, high);
  }
  return best;
}

/** Returns the minimum of the cubic that fits the values and slopes at both ends, kept away from the ends. */
function between(low: End, high: End): number {
  const width = high.step - low.step;
  const a = low.slope + high.slope - (3 * (low.value - high.value)) / -width;
  const root = Math.sqrt(Math.max(0, a * a - low.slope * high.slope));
  const share = 1 - (high.slope + Math.sign(width) * root - a) / (high.slope - low.slope + 2 * Math.sign(width) * root);
  return low.step + width * Math.min(0.9, Math.max(0.1, Number.isFinite(share) ? share : 0.5));
}

// beginAt() and advance(): the first and the next point of a method with line searches, with its test of convergence.

export interface CurvedState extends State, Point {
  /** Consecutive epochs with negligible gain. */
  idle: number;
}

/** IDLE_EPOCHS epochs in a row with a gain below MIN_GAIN end the fit. */
const MIN_GAIN = 1e-9;
const IDLE_EPOCHS = 3;

/** Returns the state at the weights before the first epoch. */
export async function beginAt(surface: Surface, weights: Float64Array): Promise<CurvedState> {
  return { ...(await pointAt(surface, weights.slice())), epoch: 0, done: false, idle: 0 };
}

/** Moves to the next point. Without one (null), the method has converged. */
export function advance(state: CurvedState, next: Point | null): void {
  if (next === null) {
    state.done = true;
    return;
  }
  state.idle = state.value - next.value < MIN_GAIN ? state.idle + 1 : 0;
  state.done = state.idle >= IDLE_EPOCHS;
  Object.assign(state, next);
}
