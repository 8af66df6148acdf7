// A sparse row times the weights, and added to the gradient: the loops that take nearly all the time, here in
// JavaScript. wasm/row.ts is the other body, which handles mg and eg in one instruction; both add in the same order and
// give the same bits. How a row is laid out is in ../objective/signed-rows.ts: five parts, which act as BENDS says.

import * as tables from './tables.js';

// Constants of this module, which V8 folds into the code; it looks imported ones up each time
const BENDS = tables.BENDS;
const GRADIENT = tables.GRADIENT;
const ROW_SUMS = tables.ROW_SUMS;
const STARTS = tables.STARTS;
const STREAM = tables.STREAM;
const WEIGHTS = tables.WEIGHTS;

/** Puts what the first three parts of a row come to into ROW_SUMS, mg and eg of each; returns where the scales begin. */
export function sumRow(row: i32): i32 {
  return sumPart(sumPart(sumPart(2 * STARTS[row], 0), 2), 4);
}

/** Returns the sum, as the endgame has it, of the scale of White or of Black (1), the scales beginning at `start`. */
export function sumScale(start: i32, side: i32): f64 {
  let at = side === 0 ? start : endOf(start);
  const units = at + 2 + 4 * STREAM[at];
  const end = endOf(at);
  let sum = 0;
  for (at += 2; at < units; at += 4) {
    const ofTwo = WEIGHTS[2 * STREAM[at] + 1] + WEIGHTS[2 * STREAM[at + 1] + 1];
    sum += ofTwo + (WEIGHTS[2 * STREAM[at + 2] + 1] + WEIGHTS[2 * STREAM[at + 3] + 1]);
  }
  for (; at < end; at += 2) sum += ((STREAM[at + 1] << 16) >> 16) * WEIGHTS[2 * STREAM[at] + 1];
  return sum;
}

function endOf(start: i32): i32 {
  return start + 2 + 4 * STREAM[start] + 2 * STREAM[start + 1];
}

// Returns where the next part begins
function sumPart(start: i32, sum: i32): i32 {
  let at = start;
  const quads = STREAM[at];
  const others = STREAM[at + 1];
  let mg0 = 0;
  let mg1 = 0;
  let mg2 = 0;
  let mg3 = 0;
  let eg0 = 0;
  let eg1 = 0;
  let eg2 = 0;
  let eg3 = 0;
  at += 2;
  for (const end = at + 4 * quads; at < end; at += 4) {
    const pair0 = 2 * STREAM[at];
    const pair1 = 2 * STREAM[at + 1];
    const pair2 = 2 * STREAM[at + 2];
    const pair3 = 2 * STREAM[at + 3];
    mg0 += WEIGHTS[pair0];
    eg0 += WEIGHTS[pair0 + 1];
    mg1 += WEIGHTS[pair1];
    eg1 += WEIGHTS[pair1 + 1];
    mg2 += WEIGHTS[pair2];
    eg2 += WEIGHTS[pair2 + 1];
    mg3 += WEIGHTS[pair3];
    eg3 += WEIGHTS[pair3 + 1];
  }
  for (const end = at + 2 * others; at < end; at += 2) {
    const pair = 2 * STREAM[at];
    const coefficient = (STREAM[at + 1] << 16) >> 16;
    mg0 += coefficient * WEIGHTS[pair];
    eg0 += coefficient * WEIGHTS[pair + 1];
  }
  ROW_SUMS[sum] = mg0 + mg1 + (mg2 + mg3);
  ROW_SUMS[sum + 1] = eg0 + eg1 + (eg2 + eg3);
  return at;
}

/** Adds the row's coefficients, as they act where it was scored last, times (mg, eg) to the gradient. */
export function addRow(row: i32, mg: f64, eg: f64): void {
  const bends = 6 * row;
  const white = addPart(2 * STARTS[row], mg, eg * BENDS[bends + 4]);
  const black = addPart(white, mg * BENDS[bends], eg * BENDS[bends + 1]);
  const scales = addPart(black, mg * BENDS[bends + 2], eg * BENDS[bends + 3]);
  const scale = BENDS[bends + 5];
  if (scale !== 0) addPart(scale > 0 ? scales : endOf(scales), 0, eg * scale);
}

function addPart(start: i32, mg: f64, eg: f64): i32 {
  const first = start + 2;
  const units = first + 4 * STREAM[start];
  const end = endOf(start);
  addUnits(first, units, mg, eg);
  for (let at = units; at < end; at += 2) {
    const pair = 2 * STREAM[at];
    const coefficient = (STREAM[at + 1] << 16) >> 16;
    GRADIENT[pair] += coefficient * mg;
    GRADIENT[pair + 1] += coefficient * eg;
  }
  return end;
}

/** Adds the squares of those coefficients times (mg, eg) to the gradient; those of a term in several parts one by one. */
export function addRowSquares(row: i32, mg: f64, eg: f64): void {
  const bends = 6 * row;
  const factor = BENDS[bends + 4];
  const white = addPartSquares(2 * STARTS[row], mg, eg * factor * factor);
  const black = addPartSquares(white, mg * BENDS[bends] * BENDS[bends], eg * BENDS[bends + 1] * BENDS[bends + 1]);
  const scales = addPartSquares(
    black,
    mg * BENDS[bends + 2] * BENDS[bends + 2],
    eg * BENDS[bends + 3] * BENDS[bends + 3],
  );
  const scale = BENDS[bends + 5];
  if (scale !== 0) addPartSquares(scale > 0 ? scales : endOf(scales), 0, eg * scale * scale);
}

function addPartSquares(start: i32, mg: f64, eg: f64): i32 {
  const first = start + 2;
  const units = first + 4 * STREAM[start];
  const end = endOf(start);
  addUnits(first, units, mg, eg);
  for (let at = units; at < end; at += 2) {
    const pair = 2 * STREAM[at];
    const coefficient = (STREAM[at + 1] << 16) >> 16;
    GRADIENT[pair] += coefficient * coefficient * mg;
    GRADIENT[pair + 1] += coefficient * coefficient * eg;
  }
  return end;
}

function addUnits(from: i32, to: i32, mg: f64, eg: f64): void {
  for (let at = from; at < to; at++) {
    const pair = 2 * STREAM[at];
    GRADIENT[pair] += mg;
    GRADIENT[pair + 1] += eg;
  }
}
