// The passes over a range of rows: losses, gradient, odds, and the diagonal and products of the Gauss–Newton matrix. A `squared` of 0 means
// cross-entropy.

import { crossEntropy, exponential, logistic } from '../curves.js';
import { addRow, addRowSquares } from './row.js';
import { dotRow, keepEndgame, scoreRow } from './score.js';
import {
  BATCH,
  CURVATURE,
  GRADIENT,
  GRADIENTS,
  HELD_OUT,
  ODDS,
  PHASE,
  PLAIN,
  RESULT,
  STRIP,
  STRIP_VALUES,
  SUMS,
  TARGET,
  TERMS,
  WEIGHT,
} from './tables.js';

function targetOf(row: i32): f64 {
  return PLAIN !== 0 ? 0.5 * RESULT[row] : TARGET[row];
}

function weightOf(row: i32): f64 {
  return PLAIN !== 0 ? 1 : WEIGHT[row];
}

/** Adds a row's share of the gradient; `slope` is the derivative of its loss with respect to its evaluation. */
function addSlope(row: i32, slope: f64): void {
  const mg = (slope * PHASE[row]) / 24;
  addRow(row, mg, slope - mg);
}

function slopeAt(p: f64, miss: f64, scale: f64, squared: i32): f64 {
  return squared !== 0 ? 2 * scale * miss * p * (1 - p) : scale * miss;
}

/** Stores the losses of the rows in two sums (train, held-out) and, if requested, adds the gradient of the training rows. */
export function passRows(from: i32, to: i32, scale: f64, squared: i32, withGradient: i32, slot: i32): void {
  SUMS[slot] = 0;
  SUMS[slot + 1] = 0;
  for (let start = from; start < to; start += STRIP) {
    const end = start + STRIP < to ? start + STRIP : to;
    for (let row = start; row < end; row++) STRIP_VALUES[row - start] = scoreRow(row);
    scoresToSlopes(start, end, scale, squared, slot);
    if (withGradient === 0) continue;
    for (let row = start; row < end; row++) if (HELD_OUT[row] === 0) addSlope(row, STRIP_VALUES[row - start]);
  }
}

/** Adds the strip's losses to the sums and replaces its scores with slopes. */
function scoresToSlopes(from: i32, to: i32, scale: f64, squared: i32, slot: i32): void {
  let train = SUMS[slot];
  let heldOut = SUMS[slot + 1];
  for (let row = from; row < to; row++) {
    const target = targetOf(row);
    const weight = weightOf(row);
    const p = logistic(scale * STRIP_VALUES[row - from]);
    const miss = p - target;
    const error = weight * (squared !== 0 ? miss * miss : crossEntropy(p, target));
    if (HELD_OUT[row] !== 0) heldOut += error;
    else train += error;
    STRIP_VALUES[row - from] = weight * slopeAt(p, miss, scale, squared);
  }
  SUMS[slot] = train;
  SUMS[slot + 1] = heldOut;
}

/** Adds the gradient of the rows in part of BATCH. */
export function batchRows(from: i32, to: i32, scale: f64, squared: i32): void {
  for (let at = from; at < to; at++) {
    const row = BATCH[at];
    const p = logistic(scale * scoreRow(row));
    addSlope(row, weightOf(row) * slopeAt(p, p - targetOf(row), scale, squared));
  }
}

/**
 * Stores the Gauss–Newton part of the second derivative of each sampled training row's loss with respect to its score, adds the rows to the
 * diagonal of the Gauss–Newton matrix (see addRowSquares), and sums their weights.
 */
export function lineariseRows(from: i32, to: i32, stride: i32, scale: f64, squared: i32, slot: i32): void {
  let sum: f64 = 0;
  for (let at = from; at < to; at++) {
    const row = at * stride;
    CURVATURE[at] = 0;
    if (HELD_OUT[row] !== 0) continue;
    const weight = weightOf(row);
    const p = logistic(scale * scoreRow(row));
    const slope = scale * p * (1 - p);
    const curvature = weight * (squared !== 0 ? 2 * slope * slope : scale * slope);
    CURVATURE[at] = curvature;
    sum += weight;
    const mg: f64 = PHASE[row] / 24.0;
    const eg: f64 = (24.0 - PHASE[row]) / 24.0;
    addRowSquares(row, curvature * mg * mg, curvature * eg * eg);
  }
  SUMS[slot] = sum;
}

/** Adds the product of the sampled rows' matrix and the weights. */
export function productRows(from: i32, to: i32, stride: i32): void {
  for (let start = from; start < to; start += STRIP) {
    const end = start + STRIP < to ? start + STRIP : to;
    for (let at = start; at < end; at++) {
      if (CURVATURE[at] !== 0) STRIP_VALUES[at - start] = CURVATURE[at] * dotRow(at * stride);
    }
    for (let at = start; at < end; at++) if (CURVATURE[at] !== 0) addSlope(at * stride, STRIP_VALUES[at - start]);
  }
}

/** Stores exp(−scale · score) of each row and the components of its endgame value. */
export function oddsRows(from: i32, to: i32, scale: f64): void {
  for (let row = from; row < to; row++) {
    ODDS[row] = exponential(-scale * scoreRow(row));
    keepEndgame(row);
  }
}

/** Clears the gradient for the next block. */
export function clearGradient(): void {
  for (let i = 0; i < 4 * (TERMS + 1); i++) GRADIENT[i] = 0;
}

/** Stores a block's gradient, with the sums for coefficients of −1 multiplied by `sign`. */
export function storeGradient(block: i32, sign: f64): void {
  const first = 2 * TERMS * block;
  const negative = 2 * (TERMS + 1);
  for (let i = 0; i < 2 * TERMS; i++) GRADIENTS[first + i] = GRADIENT[i] + sign * GRADIENT[negative + i];
}
