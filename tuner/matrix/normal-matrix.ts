// normalMatrix(): Σ v·vᵀ over groups of positions, where v is the sum of factor · tapered coefficients over the positions of a group. If
// each position is its own group, and the factors are square roots of the curvatures of the loss, this is the Gauss–Newton matrix.
// signedSums(): Σ ±v over single positions, with random signs. The vectors are collected in a buffer, and WebAssembly (wasm/squares.ts)
// sums them.

import { mirror, type SymmetricMatrix } from './cholesky.js';
import { type SparseRows, SparseSum } from './sparse-sum.js';
import { loops, workspace } from './workspace.js';

/** Number of entries in the buffer of vectors. It fits into the cache together with a band of the matrix. */
const WAITING = 2 ** 16;

/** The rows to sum: their number and, for each index, the row, its factor and its group. Rows of a group must be adjacent. */
export interface Selection {
  length: number;
  rowAt: (index: number) => number;
  factorAt: (index: number) => number;
  groupAt: (index: number) => number;
}

/**
 * Returns Σ v·vᵀ over groups of adjacent rows with equal `groupOf`, with both triangles filled. `factors` has one number per row. The
 * matrix has one row for each of the `coordinates`, which are indices of a weight vector.
 */
export function normalMatrix(
  rows: SparseRows,
  factors: Float64Array,
  groupOf: ArrayLike<number>,
  terms: number,
  coordinates: Uint32Array,
  order?: Uint32Array,
): SymmetricMatrix {
  return atCoordinates(pairSquares(rows, selectionOf(factors, groupOf, order), terms), coordinates, terms);
}

/** Returns a selection of all rows. */
const selectionOf = (
  factors: Float64Array,
  groupOf: ArrayLike<number>,
  order: Uint32Array = Uint32Array.from(factors.keys()),
): Selection => ({
  length: factors.length,
  rowAt: (index) => order[index],
  factorAt: (index) => factors[order[index]],
  groupAt: (index) => groupOf[order[index]],
});

/** The vectors in the buffer: addresses of their terms, pairs of values, ends, and group numbers. */
interface Waiting {
  addresses: [terms: number, values: number, ends: number, groups: number];
  /** Number of vectors, and a view of their group numbers. `take` may overwrite the view. */
  vectors: number;
  groups: Uint32Array;
}

/**
 * Computes one vector per group of the selection, in order. When the buffer is full, and after the last group, calls `take`, which adds the
 * vectors to the result: `numbers` float64 numbers at the given address, initially zero. With `isSorted`, the terms of each vector are in
 * ascending order. Returns the result.
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

/** Returns the length of the result of pairSquares(): four numbers for each pair of terms in the lower triangle. */
export const pairNumbers = (terms: number): number => 2 * terms * (terms + 1);

/**
 * Returns Σ v·vᵀ over the groups of a selection, for all terms: for each pair a ≥ b, the sums of mg·mg, mg·eg, eg·mg and eg·eg of a and b.
 * The array is valid until the next use of the workspace.
 */
export function pairSquares(rows: SparseRows, selection: Selection, terms: number): Float64Array {
  return collect(rows, selection, terms, pairNumbers(terms), true, ({ addresses, vectors }, at) =>
    loops.addSquares(at, terms, ...addresses, vectors),
  );
}

/** Number of sums with different random signs. A row's signs are the low bits of an integer; a set bit is a minus. */
export const DRAWS = 16;
/** Integer that takes the place of the signs of a row that is left out. */
export const LEFT_OUT = 2 ** DRAWS;

/**
 * Returns DRAWS sums Σ ±v over the rows for each array in `signs`, which has one integer per row. Bit j of the integer is the sign in sum
 * j. Each sum has one value for each of the `coordinates`.
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

/** Returns the matrix of some coordinates from the result of pairSquares(), times `factor`, with both triangles filled. */
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

/** Returns the indices of the coordinates marked 1. */
export function coordinatesOf(free: Uint8Array): Uint32Array {
  return Uint32Array.from(free.keys()).filter((i) => free[i] === 1);
}

/** Adds a small ridge to the diagonal. It makes the matrix invertible if terms are redundant, and hardly affects evaluations. */
export function addRidge({ values, size }: SymmetricMatrix): void {
  let trace = 0;
  for (let i = 0; i < size; i++) trace += values[i * size + i];
  for (let i = 0; i < size; i++) values[i * size + i] += 1e-9 * (trace / size) + Number.MIN_VALUE;
}
