// The WebAssembly body of ../row.ts: mg and eg are the two lanes of a vector.

import { GRADIENT, PHASE, STARTS, STREAM, WEIGHTS } from './tables.js';

export function dotRow(row: i32): f64 {
  const weights = changetype<usize>(WEIGHTS);
  let at = STREAM + ((<usize>STARTS[row]) << 2);
  const quads = <usize>load<u16>(at);
  const others = <usize>load<u16>(at, 2);
  let sum0 = f64x2.splat(0);
  let sum1 = f64x2.splat(0);
  let sum2 = f64x2.splat(0);
  let sum3 = f64x2.splat(0);
  at += 4;
  for (const end = at + (quads << 3); at < end; at += 8) {
    sum0 = f64x2.add(sum0, pairAt(weights, load<u16>(at)));
    sum1 = f64x2.add(sum1, pairAt(weights, load<u16>(at, 2)));
    sum2 = f64x2.add(sum2, pairAt(weights, load<u16>(at, 4)));
    sum3 = f64x2.add(sum3, pairAt(weights, load<u16>(at, 6)));
  }
  for (const end = at + (others << 2); at < end; at += 4) {
    const coefficient = f64x2.splat(<f64>load<i16>(at, 2));
    sum0 = f64x2.add(sum0, f64x2.mul(coefficient, pairAt(weights, load<u16>(at))));
  }
  const sum = f64x2.add(f64x2.add(sum0, sum1), f64x2.add(sum2, sum3));
  const phase = <f64>PHASE[row];
  return (f64x2.extract_lane(sum, 0) * phase + f64x2.extract_lane(sum, 1) * (24 - phase)) / 24;
}

export function addRow(row: i32, mg: f64, eg: f64): void {
  const gradient = changetype<usize>(GRADIENT);
  const pair = f64x2.replace_lane(f64x2.splat(mg), 1, eg);
  const first = STREAM + ((<usize>STARTS[row]) << 2) + 4;
  const units = first + ((<usize>load<u16>(first - 4)) << 3);
  addUnits(first, units, pair);
  for (let at = units, end = units + ((<usize>load<u16>(first - 2)) << 2); at < end; at += 4) {
    const coefficient = f64x2.splat(<f64>load<i16>(at, 2));
    addTo(gradient, load<u16>(at), f64x2.mul(coefficient, pair));
  }
}

export function addRowSquares(row: i32, mg: f64, eg: f64): void {
  const gradient = changetype<usize>(GRADIENT);
  const pair = f64x2.replace_lane(f64x2.splat(mg), 1, eg);
  const first = STREAM + ((<usize>STARTS[row]) << 2) + 4;
  const units = first + ((<usize>load<u16>(first - 4)) << 3);
  addUnits(first, units, pair);
  for (let at = units, end = units + ((<usize>load<u16>(first - 2)) << 2); at < end; at += 4) {
    const coefficient = <f64>load<i16>(at, 2);
    addTo(gradient, load<u16>(at), f64x2.mul(f64x2.splat(coefficient * coefficient), pair));
  }
}

function addUnits(from: usize, to: usize, pair: v128): void {
  const gradient = changetype<usize>(GRADIENT);
  for (let at = from; at < to; at += 8) {
    addTo(gradient, load<u16>(at), pair);
    addTo(gradient, load<u16>(at, 2), pair);
    addTo(gradient, load<u16>(at, 4), pair);
    addTo(gradient, load<u16>(at, 6), pair);
  }
}

function pairAt(table: usize, reference: u16): v128 {
  return v128.load(table + ((<usize>reference) << 4));
}

function addTo(table: usize, reference: u16, pair: v128): void {
  const address = table + ((<usize>reference) << 4);
  v128.store(address, f64x2.add(v128.load(address), pair));
}
