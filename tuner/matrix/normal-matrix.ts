// normalMatrix(): sums of squares Σ v·vᵀ over groups of positions, v = Σ factor·x, x a position's tapered coefficients. If each position is
// a group and the factors are the roots of the loss's curvatures, this is the Gauss–Newton matrix. signedSums(): sums Σ ±v of the vectors
// of single positions under random signs. The sums are computed in WebAssembly (wasm/squares.ts), from vectors that are collected in a
// buffer.

import { mirror, type SymmetricMatrix } from './cholesky.js';
import { type SparseRows, SparseSum } from './sparse-sum.js';
import { loops, workspace } from './workspace.js';

/** Number of buffered vector entries. Together with a band of the matrix they fit into the cache. */
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

/** Returns the sum over groups of neighbouring rows with equal `groupOf`, for some coordinates of weight vectors. */
export function normalMatrix(
  rows: SparseRows,
  factors: Float64Array,
  groupOf: ArrayLike<number>,
  terms: number,
  coordinates: Uint32Array,
): SymmetricMatrix {
  return atCoordinates(pairSquares(rows, selectionOf(factors, groupOf), terms), coordinates, terms);
}

/** Returns all rows as a selection. */
const selectionOf = (factors: Float64Array, groupOf: ArrayLike<number>): Selection => ({
  length: factors.length,
  rowAt: (index) => index,
  factorAt: (index) => factors[index],
  groupAt: (index) => groupOf[index],
});

/** Vectors in the buffer: addresses of their terms, pairs of values, ends, and of the number of each one's group. */
interface Waiting {
  addresses: [terms: number, values: number, ends: number, groups: number];
  /** Number of the vectors, and the last of these arrays itself, which may be overwritten. */
  vectors: number;
  groups: Uint32Array;
}

/**
 * Calls `take` with the vectors of a selection's groups, in order, and the address of the returned numbers, zero at first. With `isSorted`,
 * a vector's terms ascend.
 */
function collect(
  rows: SparseRows,
  { length, rowAt, factorAt, groupAt }: Selection,
  terms: number,
  numbers: number,
  isSorted: boolean,
  take: (waiting: Waiting, at: number) => void,
): Float64Array {
  const entries = WAITING + terms;
  const { end: at, buffer } = workspace(0, 0, 8 * numbers + entries * 28);
  const result = new Float64Array(buffer, at, numbers).fill(0);
  const valuesAt = at + 8 * numbers;
  const [termsAt, endsAt, groupsAt] = [valuesAt + 16 * entries, valuesAt + 20 * entries, valuesAt + 24 * entries];
  const values = new Float64Array(buffer, valuesAt, 2 * entries);
  const termOf = new Uint32Array(buffer, termsAt, entries);
  const ends = new Uint32Array(buffer, endsAt, entries);
  const groups = new Uint32Array(buffer, groupsAt, entries);
  const sum = new SparseSum(rows, terms);
  let group = 0;
  let vectors = 0;
  let count = 0;
  ends[0] = 0;
  for (let index = 0; index < length; index++) {
    sum.add(rowAt(index), factorAt(index));
    const isLast = index + 1 === length;
    if (!isLast && groupAt(index + 1) === groupAt(index)) continue;
    if (isSorted) sum.sort();
    for (let i = 0; i < sum.size; i++, count++) {
      const term = sum.terms[i];
      termOf[count] = term;
      values[2 * count] = sum.values[2 * term];
      values[2 * count + 1] = sum.values[2 * term + 1];
    }
    if (sum.size > 0) {
      groups[vectors] = group;
      ends[++vectors] = count;
    }
    group++;
    sum.clear();
    if (count < WAITING && !isLast) continue;
    take({ addresses: [termsAt, valuesAt, endsAt, groupsAt], vectors, groups }, at);
    count = 0;
    vectors = 0;
  }
  return result;
}

/** Numbers of a matrix with two rows and columns for each term: four for each pair of terms, lower triangle. */
export const pairNumbers = (terms: number): number => 2 * terms * (terms + 1);

/**
 * Returns the sum over the groups of a selection, valid until the next call: for terms a ≥ b the products mg·mg, mg·eg, eg·mg, eg·eg of a
 * and b.
 */
export function pairSquares(rows: SparseRows, selection: Selection, terms: number): Float64Array {
  return collect(rows, selection, terms, pairNumbers(terms), true, ({ addresses, vectors }, at) =>
    loops.addSquares(at, terms, ...addresses, vectors),
  );
}

/** Number of sums under random signs, one for each of the lowest bits of a number. */
export const DRAWS = 16;
/** The numbers above these signs leave a row out. */
export const LEFT_OUT = 2 ** DRAWS;

/**
 * Returns for each of `signs`, a number per row, the sums of the rows' vectors under the signs that its bits give, for some coordinates.
 */
export function signedSums(
  rows: SparseRows,
  factors: Float64Array,
  signs: readonly Uint32Array[],
  terms: number,
  coordinates: Uint32Array,
): Float64Array[][] {
  const numbers = 2 * DRAWS * terms;
  const all = selectionOf(factors, Uint32Array.from(factors.keys()));
  const sums = collect(rows, all, terms, signs.length * numbers, false, ({ addresses, vectors, groups }, at) => {
    const order = groups.slice(0, vectors);
    for (const [index, own] of signs.entries()) {
      for (let i = 0; i < vectors; i++) groups[i] = own[order[i]];
      loops.addSigned(at + 8 * index * numbers, ...addresses, vectors);
    }
  });
  const placeOf = (i: number): number => DRAWS * (i < terms ? 2 * i : 2 * (i - terms) + 1);
  return signs.map((_, index) =>
    Array.from({ length: DRAWS }, (_, draw) =>
      Float64Array.from(coordinates, (i) => sums[index * numbers + placeOf(i) + draw]),
    ),
  );
}

/** Returns the rows and columns of some coordinates, both triangles, scaled by a factor. */
export function atCoordinates(
  pairs: Float64Array,
  coordinates: Uint32Array,
  terms: number,
  factor = 1,
): SymmetricMatrix {
  const size = coordinates.length;
  const values = new Float64Array(size * size);
  const termOf = coordinates.map((coordinate) => coordinate % terms);
  const phaseOf = coordinates.map((coordinate) => (coordinate < terms ? 0 : 1));
  for (let i = 0; i < size; i++) {
    const [a, phase] = [termOf[i], phaseOf[i]];
    const row = 2 * a * (a + 1) + 2 * phase;
    for (let j = 0; j <= i; j++) {
      const [b, other] = [termOf[j], phaseOf[j]];
      const at = a >= b ? row + 4 * b + other : 2 * b * (b + 1) + 4 * a + 2 * other + phase;
      values[i * size + j] = factor * pairs[at];
    }
  }
  const matrix = { size, values };
  mirror(matrix);
  return matrix;
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
