// One sparse row times the weights, and added to the gradient: the loops that take nearly all the time, here in
// JavaScript. wasm/row.ts is the other body, which handles mg and eg in one instruction; both add in the same order and
// give the same bits. How a row is laid out is in ../signed-rows.ts.

import * as tables from './tables.js';

// Constants of this module, which V8 folds into the code; it looks imported ones up each time
const GRADIENT = tables.GRADIENT;
const PHASE = tables.PHASE;
const STARTS = tables.STARTS;
const STREAM = tables.STREAM;
const WEIGHTS = tables.WEIGHTS;

/** Returns the evaluation of a row in centipawns for White, middlegame and endgame interpolated without rounding. */
export function dotRow(row: i32): f64 {
  let at = 2 * STARTS[row];
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
  const mg = mg0 + mg1 + (mg2 + mg3);
  const eg = eg0 + eg1 + (eg2 + eg3);
  return (mg * PHASE[row] + eg * (24 - PHASE[row])) / 24;
}

/** Adds the row's coefficients times (mg, eg) to the gradient. */
export function addRow(row: i32, mg: f64, eg: f64): void {
  const first = 2 * STARTS[row] + 2;
  const units = first + 4 * STREAM[first - 2];
  addUnits(first, units, mg, eg);
  for (let at = units, end = units + 2 * STREAM[first - 1]; at < end; at += 2) {
    const pair = 2 * STREAM[at];
    const coefficient = (STREAM[at + 1] << 16) >> 16;
    GRADIENT[pair] += coefficient * mg;
    GRADIENT[pair + 1] += coefficient * eg;
  }
}

/** Adds the squares of the row's coefficients times (mg, eg) to the gradient. */
export function addRowSquares(row: i32, mg: f64, eg: f64): void {
  const first = 2 * STARTS[row] + 2;
  const units = first + 4 * STREAM[first - 2];
  addUnits(first, units, mg, eg);
  for (let at = units, end = units + 2 * STREAM[first - 1]; at < end; at += 2) {
    const pair = 2 * STREAM[at];
    const coefficient = (STREAM[at + 1] << 16) >> 16;
    GRADIENT[pair] += coefficient * coefficient * mg;
    GRADIENT[pair + 1] += coefficient * coefficient * eg;
  }
}

function addUnits(from: i32, to: i32, mg: f64, eg: f64): void {
  for (let at = from; at < to; at++) {
    const pair = 2 * STREAM[at];
    GRADIENT[pair] += mg;
    GRADIENT[pair + 1] += eg;
  }
}
