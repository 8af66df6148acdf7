// A sparse row times the weights, and added to the gradient: the loops that take nearly all the time, here in
// JavaScript. wasm/row.ts is the other body, which handles mg and eg in one instruction; both add in the same order and
// give the same bits. How a row is laid out is in ../objective/signed-rows.ts: three parts, of which the dangers act as BENDS says.

import * as tables from './tables.js';

// Constants of this module, which V8 folds into the code; it looks imported ones up each time
const BENDS = tables.BENDS;
const GRADIENT = tables.GRADIENT;
const ROW_SUMS = tables.ROW_SUMS;
const STARTS = tables.STARTS;
const STREAM = tables.STREAM;
const WEIGHTS = tables.WEIGHTS;

/** Puts what the parts of a row come to into ROW_SUMS, mg and eg of each. */
export function sumRow(row: i32): void {
  sumPart(sumPart(sumPart(2 * STARTS[row], 0), 2), 4);
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
  const bends = 4 * row;
  const white = addPart(2 * STARTS[row], mg, eg);
  const black = addPart(white, mg * BENDS[bends], eg * BENDS[bends + 1]);
  addPart(black, mg * BENDS[bends + 2], eg * BENDS[bends + 3]);
}

function addPart(start: i32, mg: f64, eg: f64): i32 {
  const first = start + 2;
  const units = first + 4 * STREAM[start];
  const end = units + 2 * STREAM[start + 1];
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
  const bends = 4 * row;
  const white = addPartSquares(2 * STARTS[row], mg, eg);
  const black = addPartSquares(white, mg * BENDS[bends] * BENDS[bends], eg * BENDS[bends + 1] * BENDS[bends + 1]);
  addPartSquares(black, mg * BENDS[bends + 2] * BENDS[bends + 2], eg * BENDS[bends + 3] * BENDS[bends + 3]);
}

function addPartSquares(start: i32, mg: f64, eg: f64): i32 {
  const first = start + 2;
  const units = first + 4 * STREAM[start];
  const end = units + 2 * STREAM[start + 1];
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
