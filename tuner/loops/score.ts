// What the sums of a row's parts come to: its evaluation, where the dangers act through their curve, and its product with a vector near
// where it was scored last.

import { dangerAt, dangerSlope } from './danger.js';
import { sumRow } from './row.js';
import { BENDS, PHASE, ROW_SUMS } from './tables.js';

/** Returns the evaluation of a row in centipawns for White, interpolated without rounding, and keeps the slopes of its dangers. */
export function scoreRow(row: i32): f64 {
  sumRow(row);
  const bends = 4 * row;
  BENDS[bends] = dangerSlope(ROW_SUMS[2]);
  BENDS[bends + 1] = dangerSlope(ROW_SUMS[3]);
  BENDS[bends + 2] = -dangerSlope(ROW_SUMS[4]);
  BENDS[bends + 3] = -dangerSlope(ROW_SUMS[5]);
  const mg = ROW_SUMS[0] + dangerAt(ROW_SUMS[2]) - dangerAt(ROW_SUMS[4]);
  const eg = ROW_SUMS[1] + dangerAt(ROW_SUMS[3]) - dangerAt(ROW_SUMS[5]);
  return tapered(row, mg, eg);
}

/** Returns the product of a row, as it acts where it was scored last, with the weights. */
export function dotRow(row: i32): f64 {
  sumRow(row);
  const bends = 4 * row;
  const mg = ROW_SUMS[0] + BENDS[bends] * ROW_SUMS[2] + BENDS[bends + 2] * ROW_SUMS[4];
  const eg = ROW_SUMS[1] + BENDS[bends + 1] * ROW_SUMS[3] + BENDS[bends + 3] * ROW_SUMS[5];
  return tapered(row, mg, eg);
}

function tapered(row: i32, mg: f64, eg: f64): f64 {
  const phase: f64 = PHASE[row];
  return (mg * phase + eg * (24 - phase)) / 24;
}
