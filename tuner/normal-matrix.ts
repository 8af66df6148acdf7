// Normal matrices Σ dᵢ·xᵢxᵢᵀ over traced positions, xᵢ being the position's tapered coefficients, and Cholesky's method to
// solve with them. Tapering splits into phase² · mg·mg, phase · (1 − phase) · mg·eg and (1 − phase)² · eg·eg, so each pair of
// terms of a position is multiplied once and added to three sums that lie side by side.

import type { Dataset } from './dataset.js';

/** A symmetric matrix, row by row; only the lower triangle is read. Coordinates are those of weight vectors. */
export interface SymmetricMatrix {
  size: number;
  values: Float64Array;
}

/** Sums by pairs of terms, the larger index first: mg·mg, mg·eg and eg·eg of pair (i, j) at 3 (i (i + 1) / 2 + j). */
export type PairSums = Float64Array;

/** Returns sums of nothing for so many terms. */
export const emptySums = (terms: number): PairSums => new Float64Array((3 * terms * (terms + 1)) / 2);

/** Adds the positions from row `from` to before `to`, each times its factor; positions of factor 0 cost nothing. */
export function addPositions(
  sums: PairSums,
  dataset: Dataset,
  factors: Float64Array,
  from = 0,
  to = factors.length,
): void {
  const { offsets, packed, phase } = dataset;
  for (let row = from; row < to; row++) {
    const factor = factors[row];
    if (factor === 0) continue;
    const mg = phase[row] / 24;
    const both = factor * mg * (1 - mg);
    const middle = factor * mg * mg;
    const end = factor * (1 - mg) * (1 - mg);
    const first = offsets[row];
    const last = offsets[row + 1];
    // Entries ascend by term, so every pair lies in the lower triangle
    for (let a = first; a < last; a++) {
      const entry = packed[a];
      const term = entry >> 9;
      const count = (entry << 23) >> 23;
      const base = 3 * ((term * (term + 1)) / 2);
      for (let b = first; b <= a; b++) {
        const other = packed[b];
        const product = count * ((other << 23) >> 23);
        const at = base + 3 * (other >> 9);
        sums[at] += middle * product;
        sums[at + 1] += both * product;
        sums[at + 2] += end * product;
      }
    }
  }
}

/** Returns the whole matrix of some sums, both triangles filled. */
export function matrixOf(sums: PairSums, terms: number): SymmetricMatrix {
  const size = 2 * terms;
  const values = new Float64Array(size * size);
  const set = (i: number, j: number, value: number): void => {
    values[i * size + j] = value;
    values[j * size + i] = value;
  };
  for (let i = 0, at = 0; i < terms; i++) {
    for (let j = 0; j <= i; j++, at += 3) {
      set(i, j, sums[at]);
      set(terms + i, j, sums[at + 1]);
      set(terms + j, i, sums[at + 1]);
      set(terms + i, terms + j, sums[at + 2]);
    }
  }
  return { size, values };
}

/** Replaces the matrix by its Cholesky factor L (lower triangle); returns false, the matrix spoilt, if it is not positive definite. */
export function factorize({ size, values }: SymmetricMatrix): boolean {
  // Coordinates that nothing ties to those before them, as held ones are, cost nothing
  const isAlone = new Uint8Array(size);
  for (let i = 0; i < size; i++) {
    const row = i * size;
    isAlone[i] = isZero(values, row, row + i) ? 1 : 0;
    for (let j = 0; isAlone[i] === 0 && j < i; j++) {
      if (isAlone[j] === 1 && values[row + j] === 0) continue;
      values[row + j] = (values[row + j] - dotRows(values, row, j * size, j)) / values[j * size + j];
    }
    const pivot = values[row + i] - (isAlone[i] === 1 ? 0 : dotRows(values, row, row, i));
    if (!(pivot > 0)) return false;
    values[row + i] = Math.sqrt(pivot);
  }
  return true;
}

/** Solves L Lᵀ x = b in place, L being what factorize() left. */
export function solveFactorized({ size, values }: SymmetricMatrix, b: Float64Array): void {
  for (let i = 0; i < size; i++) {
    let sum = b[i];
    for (let j = 0; j < i; j++) sum -= values[i * size + j] * b[j];
    b[i] = sum / values[i * size + i];
  }
  for (let i = size - 1; i >= 0; i--) {
    b[i] /= values[i * size + i];
    for (let j = 0; j < i; j++) b[j] -= values[i * size + j] * b[i];
  }
}

function isZero(values: Float64Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (values[i] !== 0) return false;
  return true;
}

function dotRows(values: Float64Array, a: number, b: number, length: number): number {
  let sum = 0;
  for (let k = 0; k < length; k++) sum += values[a + k] * values[b + k];
  return sum;
}

/** Replaces what factorize() left by the inverse of the original matrix, both triangles filled. */
export function invertFactorized({ size, values }: SymmetricMatrix): void {
  const factor = new Float64Array(size);
  // The inverse of L, row by row
  for (let i = 0; i < size; i++) {
    const row = i * size;
    factor.set(values.subarray(row, row + i + 1));
    values.fill(0, row, row + size);
    for (let k = 0; k < i; k++) addScaled(values, row, values, k * size, -factor[k], k + 1);
    values[row + i] = 1;
    for (let j = 0; j <= i; j++) values[row + j] /= factor[i];
  }
  // Its transpose times itself: row k only adds to rows up to k, which no later row of the inverse of L needs
  const line = new Float64Array(size);
  for (let k = 0; k < size; k++) {
    const row = k * size;
    line.set(values.subarray(row, row + k + 1));
    values.fill(0, row, row + k + 1);
    for (let i = 0; i <= k; i++) addScaled(values, i * size, line, 0, line[i], i + 1);
  }
  for (let i = 0; i < size; i++) for (let j = 0; j < i; j++) values[j * size + i] = values[i * size + j];
}

/** target[at …] += factor · source[from …]. */
function addScaled(
  target: Float64Array,
  at: number,
  source: Float64Array,
  from: number,
  factor: number,
  length: number,
): void {
  if (factor === 0) return;
  for (let i = 0; i < length; i++) target[at + i] += factor * source[from + i];
}
