// The evaluation of a row from the sums of its parts, with the danger curve and the endgame factor of the favoured side; and the product of
// the linearised row with a vector.

import { dangerAt, dangerSlope, factorAt, factorSlope } from '../curves.js';
import { sumRow, sumScale } from './row.js';
import { ENDGAMES, FIXED, PART_SLOPES, PHASE, REST, ROW_SUMS, SCALE } from './tables.js';

/** Returns the evaluation of a row in centipawns for White, interpolated without rounding, and stores the slopes of its parts. */
export function scoreRow(row: i32): f64 {
  const scales = sumRow(row);
  const mg = ROW_SUMS[0] + dangerAt(ROW_SUMS[2]) - dangerAt(ROW_SUMS[4]);
  const eg = endgame();
  const sum = sumScale(scales, eg < 0 ? 1 : 0);
  const scale = scaleOf(row);
  const factor = scale * factorAt(sum);
  const at = 6 * row;
  PART_SLOPES[at] = dangerSlope(ROW_SUMS[2]);
  PART_SLOPES[at + 1] = factor * dangerSlope(ROW_SUMS[3]);
  PART_SLOPES[at + 2] = -dangerSlope(ROW_SUMS[4]);
  PART_SLOPES[at + 3] = -factor * dangerSlope(ROW_SUMS[5]);
  PART_SLOPES[at + 4] = factor;
  PART_SLOPES[at + 5] = scale * eg * factorSlope(sum);
  const score = tapered(row, mg, factor * eg);
  return FIXED !== 0 ? score + REST[row] : score;
}

/** Returns the product of the linearised row and the weights, with the slopes from the last scoring of the row. */
export function dotRow(row: i32): f64 {
  const scales = sumRow(row);
  const at = 6 * row;
  const scale = PART_SLOPES[at + 5];
  const mg = ROW_SUMS[0] + PART_SLOPES[at] * ROW_SUMS[2] + PART_SLOPES[at + 2] * ROW_SUMS[4];
  const plain =
    PART_SLOPES[at + 4] * ROW_SUMS[1] + PART_SLOPES[at + 1] * ROW_SUMS[3] + PART_SLOPES[at + 3] * ROW_SUMS[5];
  return tapered(row, mg, scale === 0 ? plain : plain + scale * sumScale(scales, scale < 0 ? 1 : 0));
}

/** Stores the endgame value of a row before scaling, and its factors for White and Black. */
export function keepEndgame(row: i32): void {
  const scales = sumRow(row);
  ENDGAMES[3 * row] = endgame();
  ENDGAMES[3 * row + 1] = scaleOf(row) * factorAt(sumScale(scales, 0));
  ENDGAMES[3 * row + 2] = scaleOf(row) * factorAt(sumScale(scales, 1));
}

/** Returns the endgame factor given with the row; 1 if the rows have none. */
function scaleOf(row: i32): f64 {
  return FIXED !== 0 ? SCALE[row] : 1;
}

function endgame(): f64 {
  return ROW_SUMS[1] + dangerAt(ROW_SUMS[3]) - dangerAt(ROW_SUMS[5]);
}

function tapered(row: i32, mg: f64, eg: f64): f64 {
  const phase: f64 = PHASE[row];
  return (mg * phase + eg * (24 - phase)) / 24;
}
