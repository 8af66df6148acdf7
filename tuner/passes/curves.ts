// The curves of the error and of the evaluation, computed with operations that round identically in JavaScript and WebAssembly. WebAssembly
// has no exponential function, and the result of Math.exp may differ between machines.

import { KNEE, WHOLE } from '../../engine/eval/score.js';
import { log, powerOfTwo } from './numbers.js';

/** ln 2 in two parts, the first short enough for exact multiples (Cody and Waite). */
const LN2_HIGH: f64 = 0.6931471803691238;
const LN2_LOW: f64 = 1.9082149292705877e-10;
/** 1.5 · 2^52: adding it rounds to an integer. */
const SHIFT: f64 = 6755399441055744;
/** Maximum absolute exponent; e^LIMIT and e^−LIMIT are normal numbers. */
const LIMIT: f64 = 700;

/**
 * Returns e^x with a relative error of at most 2e-14; x is clamped to ±700. With n the nearest integer to x / ln 2, e^x = 2^n · (e^r)^16,
 * where |16r| ≤ ln 2 / 2. The Taylor series of e^r is summed to r^6, with even and odd powers in parallel, and the sum is squared four
 * times.
 */
export function exponential(x: f64): f64 {
  const bounded = Math.max(-LIMIT, Math.min(LIMIT, x));
  const n = bounded * Math.LOG2E + SHIFT - SHIFT;
  const r = 0.0625 * (bounded - n * LN2_HIGH - n * LN2_LOW);
  const s = r * r;
  const even = 1 + s * (1 / 2.0 + s * (1 / 24.0 + s * (1 / 720.0)));
  const odd = 1 + s * (1 / 6.0 + s * (1 / 120.0));
  const e1 = even + r * odd;
  const e2 = e1 * e1;
  const e4 = e2 * e2;
  const e8 = e4 * e4;
  return e8 * e8 * powerOfTwo(n);
}

/** Returns the expected result, 0 to 1; `x` is the score times the scale. */
export function logistic(x: f64): f64 {
  return 1 / (1 + exponential(-x));
}

/** Returns the cross-entropy of an expected result and a target, both 0 to 1. */
export function crossEntropy(p: f64, target: f64): f64 {
  const tiny: f64 = 1e-12;
  return -(target * log(Math.max(p, tiny)) + (1 - target) * log(Math.max(1 - p, tiny)));
}

// The curves of danger and endgame scale (engine/eval/score.ts) without rounding, and their slopes

/** Returns the centipawns for a danger sum. */
export function dangerAt(sum: f64): f64 {
  const danger = Math.max(sum, 0);
  const bent = Math.min(danger, KNEE);
  return 0.125 * sum + (bent * (2 * danger - bent)) / 2048;
}

/** Returns the derivative of dangerAt(). */
export function dangerSlope(sum: f64): f64 {
  return 0.125 + Math.min(Math.max(sum, 0), KNEE) / 1024;
}

/** Returns the factor of an endgame value for a scale sum. */
export function factorAt(sum: f64): f64 {
  return 1 + Math.max(-WHOLE, Math.min(WHOLE, sum)) / WHOLE;
}

/** Returns the derivative of factorAt(). */
export function factorSlope(sum: f64): f64 {
  return sum > -WHOLE && sum < WHOLE ? 1.0 / WHOLE : 0;
}
