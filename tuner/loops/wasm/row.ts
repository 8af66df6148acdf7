// The WebAssembly body of ../row.ts: mg and eg are the two lanes of a vector.

import { BENDS, GRADIENT, ROW_SUMS, STARTS, STREAM, WEIGHTS } from './tables.js';

export function sumRow(row: i32): void {
  sumPart(sumPart(sumPart(STREAM + ((<usize>STARTS[row]) << 2), 0), 16), 32);
}

function sumPart(start: usize, sum: usize): usize {
  const weights = changetype<usize>(WEIGHTS);
  let at = start;
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
  v128.store(changetype<usize>(ROW_SUMS) + sum, f64x2.add(f64x2.add(sum0, sum1), f64x2.add(sum2, sum3)));
  return at;
}

export function addRow(row: i32, mg: f64, eg: f64): void {
  const bends = bendsAt(row);
  const pair = f64x2.replace_lane(f64x2.splat(mg), 1, eg);
  const white = addPart(STREAM + ((<usize>STARTS[row]) << 2), pair);
  const black = addPart(white, f64x2.mul(pair, v128.load(bends)));
  addPart(black, f64x2.mul(pair, v128.load(bends, 16)));
}

function addPart(start: usize, pair: v128): usize {
  const gradient = changetype<usize>(GRADIENT);
  const first = start + 4;
  const units = first + ((<usize>load<u16>(start)) << 3);
  const end = units + ((<usize>load<u16>(start, 2)) << 2);
  addUnits(first, units, pair);
  for (let at = units; at < end; at += 4) {
    const coefficient = f64x2.splat(<f64>load<i16>(at, 2));
    addTo(gradient, load<u16>(at), f64x2.mul(coefficient, pair));
  }
  return end;
}

export function addRowSquares(row: i32, mg: f64, eg: f64): void {
  const bends = bendsAt(row);
  const pair = f64x2.replace_lane(f64x2.splat(mg), 1, eg);
  const white = addPartSquares(STREAM + ((<usize>STARTS[row]) << 2), pair);
  const ofWhite = v128.load(bends);
  const black = addPartSquares(white, f64x2.mul(f64x2.mul(pair, ofWhite), ofWhite));
  const ofBlack = v128.load(bends, 16);
  addPartSquares(black, f64x2.mul(f64x2.mul(pair, ofBlack), ofBlack));
}

function addPartSquares(start: usize, pair: v128): usize {
  const gradient = changetype<usize>(GRADIENT);
  const first = start + 4;
  const units = first + ((<usize>load<u16>(start)) << 3);
  const end = units + ((<usize>load<u16>(start, 2)) << 2);
  addUnits(first, units, pair);
  for (let at = units; at < end; at += 4) {
    const coefficient = <f64>load<i16>(at, 2);
    addTo(gradient, load<u16>(at), f64x2.mul(f64x2.splat(coefficient * coefficient), pair));
  }
  return end;
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

function bendsAt(row: i32): usize {
  return changetype<usize>(BENDS) + ((<usize>row) << 5);
}

function pairAt(table: usize, reference: u16): v128 {
  return v128.load(table + ((<usize>reference) << 4));
}

function addTo(table: usize, reference: u16, pair: v128): void {
  const address = table + ((<usize>reference) << 4);
  v128.store(address, f64x2.add(v128.load(address), pair));
}
