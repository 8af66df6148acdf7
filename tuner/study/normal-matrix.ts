// Normal matrices Σ dᵢ·xᵢxᵢᵀ over traced positions, xᵢ being the position's tapered coefficients. Tapering splits into
// phase² · mg·mg, phase · (1 − phase) · mg·eg and (1 − phase)² · eg·eg, so each pair of terms of a position is multiplied
// once, added to the sum of its phase, and the sums of a phase go to three that lie side by side.

import type { Dataset } from '../dataset/dataset.js';
import type { SymmetricMatrix } from './cholesky.js';

/** Sums by pairs of terms, the larger index first: mg·mg, mg·eg and eg·eg of pair (i, j) at 3 (i (i + 1) / 2 + j). */
export type PairSums = Float64Array;

const PHASES = 24;

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
  const pairs = new Float64Array(sums.length / 3);
  for (let phase = 0; phase <= PHASES; phase++) {
    pairs.fill(0);
    addPhase(pairs, dataset, { phase, factors, from, to });
    const mg = phase / PHASES;
    const [middle, both, end] = [mg * mg, mg * (1 - mg), (1 - mg) * (1 - mg)];
    for (let at = 0; at < pairs.length; at++) {
      if (pairs[at] === 0) continue;
      sums[3 * at] += middle * pairs[at];
      sums[3 * at + 1] += both * pairs[at];
      sums[3 * at + 2] += end * pairs[at];
    }
  }
}

interface PhaseRows {
  phase: number;
  factors: Float64Array;
  from: number;
  to: number;
}

/** Adds the products of the coefficients of all positions of a phase. */
function addPhase(pairs: Float64Array, { offsets, packed, phase }: Dataset, rows: PhaseRows): void {
  const { factors } = rows;
  for (let row = rows.from; row < rows.to; row++) {
    if (phase[row] !== rows.phase || factors[row] === 0) continue;
    const first = offsets[row];
    const last = offsets[row + 1];
    // Entries ascend by term, so every pair lies in the lower triangle
    for (let a = first; a < last; a++) {
      const term = packed[a] >> 9;
      const factor = factors[row] * ((packed[a] << 23) >> 23);
      const base = (term * (term + 1)) / 2;
      for (let b = first; b <= a; b++) {
        const other = packed[b];
        pairs[base + (other >> 9)] += factor * ((other << 23) >> 23);
      }
    }
  }
}

/** Returns the matrix of some sums for the given coordinates of weight vectors, both triangles filled. */
export function matrixOf(sums: PairSums, terms: number, coordinates: Uint32Array): SymmetricMatrix {
  const size = coordinates.length;
  const values = new Float64Array(size * size);
  for (let a = 0; a < size; a++) {
    const term = coordinates[a] % terms;
    const endgame = coordinates[a] < terms ? 0 : 1;
    for (let b = 0; b <= a; b++) {
      const other = coordinates[b] % terms;
      const [larger, smaller] = term < other ? [other, term] : [term, other];
      const value = sums[3 * ((larger * (larger + 1)) / 2 + smaller) + endgame + (coordinates[b] < terms ? 0 : 1)];
      values[a * size + b] = value;
      values[b * size + a] = value;
    }
  }
  return { size, values };
}

/** Returns the coordinates marked 1. */
export function coordinatesOf(free: Uint8Array): Uint32Array {
  return Uint32Array.from(free.keys()).filter((i) => free[i] === 1);
}

/** What keeps a matrix of redundant terms invertible without moving any evaluation. */
export function smallestRidge({ values, size }: SymmetricMatrix): number {
  let trace = 0;
  for (let i = 0; i < size; i++) trace += values[i * size + i];
  return 1e-9 * (trace / size) + Number.MIN_VALUE;
}
