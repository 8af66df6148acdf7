// The product of a sparse row with the weights, and the addition of a row to the gradient. Together, they take nearly all the time of a
// pass. Middlegame and endgame are the two lanes of a vector. PART_SLOPES contains the slopes of the parts. ../../objective/signed-rows.ts
// describes the layout of the rows.

import { GRADIENT, PART_SLOPES, ROW_SUMS, STARTS, STREAM, WEIGHTS } from './tables.js';

/** Writes the sums of a row's first three parts, middlegame and endgame, to ROW_SUMS; returns the start of the scales. */
export function sumRow(row: i32): usize {
  return sumPart(sumPart(sumPart(STREAM + ((<usize>STARTS[row]) << 2), 0), 16), 32);
}

/** Returns the scale sum of a side (0 White, 1 Black); the scales of the row begin at `start`. */
export function sumScale(start: usize, side: i32): f64 {
  // Branch-free, because a branch on the side ahead would often be mispredicted
  let at = select(start, endOf(start), side === 0);
  const units = at + 4 + ((<usize>load<u16>(at)) << 3);
  const end = endOf(at);
  let sum: f64 = 0;
  for (at += 4; at < units; at += 8) {
    const ofTwo = endgameAt(load<u16>(at)) + endgameAt(load<u16>(at, 2));
    sum += ofTwo + (endgameAt(load<u16>(at, 4)) + endgameAt(load<u16>(at, 6)));
  }
  for (; at < end; at += 4) sum += <f64>load<i16>(at, 2) * endgameAt(load<u16>(at));
  return sum;
}

function endgameAt(reference: u16): f64 {
  return load<f64>(changetype<usize>(WEIGHTS) + ((<usize>reference) << 4), 8);
}

function endOf(start: usize): usize {
  return start + 4 + ((<usize>load<u16>(start)) << 3) + ((<usize>load<u16>(start, 2)) << 2);
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

/** Adds the row's coefficients to the gradient, multiplied by (mg, eg) and by the slopes of their parts when it was last scored. */
export function addRow(row: i32, mg: f64, eg: f64): void {
  const slopes = slopesAt(row);
  const pair = pairOf(mg, eg);
  const white = addPart(STREAM + ((<usize>STARTS[row]) << 2), pairOf(mg, eg * load<f64>(slopes, 32)));
  const black = addPart(white, f64x2.mul(pair, v128.load(slopes)));
  const scales = addPart(black, f64x2.mul(pair, v128.load(slopes, 16)));
  const scale = load<f64>(slopes, 40);
  if (scale !== 0) addPart(select(scales, endOf(scales), scale > 0), pairOf(0, eg * scale));
}

function addPart(start: usize, pair: v128): usize {
  const gradient = changetype<usize>(GRADIENT);
  const end = endOf(start);
  for (let at = addUnits(start, pair); at < end; at += 4) {
    const coefficient = f64x2.splat(<f64>load<i16>(at, 2));
    addTo(gradient, load<u16>(at), f64x2.mul(coefficient, pair));
  }
  return end;
}

/**
 * Adds the squares of the coefficients to the gradient, multiplied by (mg, eg) and by the squared slopes. For a weight in several parts,
 * the product of the parts is left out. The slopes of the two dangers have opposite signs, so such a sum is usually too large.
 */
export function addRowSquares(row: i32, mg: f64, eg: f64): void {
  const slopes = slopesAt(row);
  const pair = pairOf(mg, eg);
  const factor = load<f64>(slopes, 32);
  const white = addPartSquares(STREAM + ((<usize>STARTS[row]) << 2), pairOf(mg, eg * factor * factor));
  const ofWhite = v128.load(slopes);
  const black = addPartSquares(white, f64x2.mul(f64x2.mul(pair, ofWhite), ofWhite));
  const ofBlack = v128.load(slopes, 16);
  const scales = addPartSquares(black, f64x2.mul(f64x2.mul(pair, ofBlack), ofBlack));
  const scale = load<f64>(slopes, 40);
  if (scale !== 0) addPartSquares(select(scales, endOf(scales), scale > 0), pairOf(0, eg * scale * scale));
}

function addPartSquares(start: usize, pair: v128): usize {
  const gradient = changetype<usize>(GRADIENT);
  const end = endOf(start);
  for (let at = addUnits(start, pair); at < end; at += 4) {
    const coefficient = <f64>load<i16>(at, 2);
    addTo(gradient, load<u16>(at), f64x2.mul(f64x2.splat(coefficient * coefficient), pair));
  }
  return end;
}

/** Adds the coefficients ±1 of a part; returns the start of the others. */
function addUnits(start: usize, pair: v128): usize {
  const gradient = changetype<usize>(GRADIENT);
  const end = start + 4 + ((<usize>load<u16>(start)) << 3);
  for (let at = start + 4; at < end; at += 8) {
    addTo(gradient, load<u16>(at), pair);
    addTo(gradient, load<u16>(at, 2), pair);
    addTo(gradient, load<u16>(at, 4), pair);
    addTo(gradient, load<u16>(at, 6), pair);
  }
  return end;
}

function slopesAt(row: i32): usize {
  return changetype<usize>(PART_SLOPES) + 48 * <usize>row;
}

function pairOf(mg: f64, eg: f64): v128 {
  return f64x2.replace_lane(f64x2.splat(mg), 1, eg);
}

function pairAt(table: usize, reference: u16): v128 {
  return v128.load(table + ((<usize>reference) << 4));
}

function addTo(table: usize, reference: u16, pair: v128): void {
  const address = table + ((<usize>reference) << 4);
  v128.store(address, f64x2.add(v128.load(address), pair));
}
