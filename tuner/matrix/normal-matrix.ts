// normalMatrix(): sums of squares Σ v·vᵀ over groups of positions, v = Σ factor·x, x a position's tapered coefficients. If each position is
// a group and the factors are the roots of the loss's curvatures, this is the Gauss–Newton matrix.

import type { SymmetricMatrix } from './cholesky.js';
import { type SparseRows, SparseSum } from './sparse-sum.js';
import { loops, workspace } from './workspace.js';

/** Buffered vector entries; with a band of the matrix they fit the cache. */
const WAITING = 2 ** 16;

/**
 * The rows to sum: their number, and by index the row, its factor and its group. Neighbouring rows of a group are added before squaring.
 */
export interface Selection {
  length: number;
  rowAt: (index: number) => number;
  factorAt: (index: number) => number;
  groupAt: (index: number) => number;
}

/** A matrix with two rows and columns for each term, middlegame and endgame; lower triangle, rows of `width`. */
export interface PairMatrix {
  values: Float64Array;
  width: number;
}

/** Returns the sum over groups of neighbouring rows with equal `groupOf`, for some coordinates of weight vectors. */
export function normalMatrix(
  rows: SparseRows,
  factors: Float64Array,
  groupOf: ArrayLike<number>,
  terms: number,
  coordinates: Uint32Array,
): SymmetricMatrix {
  const all = {
    length: factors.length,
    rowAt: (index: number) => index,
    factorAt: (index: number) => factors[index],
    groupAt: (index: number) => groupOf[index],
  };
  return atCoordinates(pairSquares(rows, all, terms), coordinates, terms);
}

/** Returns the sum over the groups of a selection, valid until the next matrix is made. */
export function pairSquares(rows: SparseRows, selection: Selection, terms: number): PairMatrix {
  const { length, rowAt, factorAt, groupAt } = selection;
  // Entries as terms and pairs of values, ends of vectors, and scratch numbers for the loop
  const entries = WAITING + terms;
  const { width, addresses, end, buffer, rows: rowsAt } = workspace(2 * terms, 1, entries * 28);
  const [valuesAt, termsAt, endsAt, nextAt] = [end, end + 16 * entries, end + 20 * entries, end + 24 * entries];
  const values = new Float64Array(buffer, valuesAt, 2 * entries);
  const termOf = new Uint32Array(buffer, termsAt, entries);
  const ends = new Uint32Array(buffer, endsAt, entries);
  const sum = new SparseSum(rows, terms);
  let vectors = 0;
  let count = 0;
  ends[0] = 0;
  for (let index = 0; index < length; index++) {
    sum.add(rowAt(index), factorAt(index));
    const isLast = index + 1 === length;
    if (!isLast && groupAt(index + 1) === groupAt(index)) continue;
    for (let i = 0; i < sum.size; i++, count++) {
      termOf[count] = sum.terms[i];
      values[2 * count] = sum.values[2 * sum.terms[i]];
      values[2 * count + 1] = sum.values[2 * sum.terms[i] + 1];
    }
    if (sum.size > 0) ends[++vectors] = count;
    sum.clear();
    if (count < WAITING && !isLast) continue;
    loops.addSquares(addresses[0], width, termsAt, valuesAt, endsAt, nextAt, vectors);
    count = 0;
    vectors = 0;
  }
  return { values: rowsAt(0), width };
}

/** Returns the rows and columns of some coordinates, both triangles, scaled by a factor. */
export function atCoordinates(
  { values: pairs, width }: PairMatrix,
  coordinates: Uint32Array,
  terms: number,
  factor = 1,
): SymmetricMatrix {
  const size = coordinates.length;
  const values = new Float64Array(size * size);
  const places = coordinates.map((coordinate) => (coordinate < terms ? 2 * coordinate : 2 * (coordinate - terms) + 1));
  for (const [i, a] of places.entries()) {
    for (let j = 0; j <= i; j++) {
      const b = places[j];
      values[i * size + j] = values[j * size + i] = factor * (a > b ? pairs[a * width + b] : pairs[b * width + a]);
    }
  }
  return { size, values };
}

/** Returns the coordinates marked 1. */
export function coordinatesOf(free: Uint8Array): Uint32Array {
  return Uint32Array.from(free.keys()).filter((i) => free[i] === 1);
}

/** Adds a small ridge to the diagonal, so that redundant terms leave the matrix invertible without changing evaluations. */
export function addRidge({ values, size }: SymmetricMatrix): void {
  let trace = 0;
  for (let i = 0; i < size; i++) trace += values[i * size + i];
  for (let i = 0; i < size; i++) values[i * size + i] += 1e-9 * (trace / size) + Number.MIN_VALUE;
}
