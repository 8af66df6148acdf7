// normalMatrix(): sums of squares Σ v·vᵀ over groups of positions, v = Σ factor·x, x a position's tapered coefficients. With each position
// a group of its own and the roots of the loss's curvatures as factors this is the Gauss–Newton matrix.

import { entryCoefficient, entryPart, entryTerm, type Linearised, PARTS, partFactors } from '../dataset/dataset.js';
import type { SymmetricMatrix } from './cholesky.js';
import { loops, workspace } from './workspace.js';

/** Entries of vectors that wait to be added: they and a band of the matrix fit a cache. */
const WAITING = 2 ** 16;

/** Returns the sum over groups of neighbouring rows with equal `groupOf`, for some coordinates of weight vectors. */
export function normalMatrix(
  rows: Linearised,
  factors: Float64Array,
  groupOf: ArrayLike<number>,
  terms: number,
  coordinates: Uint32Array,
): SymmetricMatrix {
  const { offsets, packed, phase } = rows;
  const counts = new Float64Array(2 * PARTS);
  // Entries as terms and pairs of values; ends of vectors, and as many numbers for the loop
  const entries = WAITING + terms;
  const { width, addresses, end, buffer, rows: rowsAt } = workspace(2 * terms, 1, entries * 28);
  const [valuesAt, termsAt, endsAt, nextAt] = [end, end + 16 * entries, end + 20 * entries, end + 24 * entries];
  const values = new Float64Array(buffer, valuesAt, 2 * entries);
  const termOf = new Uint32Array(buffer, termsAt, entries);
  const ends = new Uint32Array(buffer, endsAt, entries);
  const sums = new Float64Array(2 * terms);
  const isTouched = new Uint8Array(terms);
  let vectors = 0;
  ends[0] = 0;
  let count = 0;
  let first = 0;
  for (let row = 0; row < factors.length; row++) {
    const mg = (factors[row] * phase[row]) / 24;
    partFactors(rows, row, mg, factors[row] - mg, counts);
    for (let at = offsets[row]; factors[row] !== 0 && at < offsets[row + 1]; at++) {
      const part = 2 * entryPart(packed[at]);
      // The scale of the side that is behind
      if (counts[part] === 0 && counts[part + 1] === 0) continue;
      const term = entryTerm(packed[at]);
      const coefficient = entryCoefficient(packed[at]);
      if (isTouched[term] === 0) termOf[count++] = term;
      isTouched[term] = 1;
      sums[2 * term] += coefficient * counts[part];
      sums[2 * term + 1] += coefficient * counts[part + 1];
    }
    if ((row + 1 < factors.length && groupOf[row + 1] === groupOf[row]) || count === first) continue;
    termOf.subarray(first, count).sort();
    for (; first < count; first++) {
      const term = termOf[first];
      values[2 * first] = sums[2 * term];
      values[2 * first + 1] = sums[2 * term + 1];
      sums.fill(0, 2 * term, 2 * term + 2);
      isTouched[term] = 0;
    }
    ends[++vectors] = count;
    if (count < WAITING && row + 1 < factors.length) continue;
    loops.addSquares(addresses[0], width, termsAt, valuesAt, endsAt, nextAt, vectors);
    count = 0;
    first = 0;
    vectors = 0;
  }
  loops.addSquares(addresses[0], width, termsAt, valuesAt, endsAt, nextAt, vectors);
  return atCoordinates(rowsAt(0), width, coordinates, terms);
}

/** Returns the rows and columns of some coordinates, both triangles, of a matrix with pairs of rows and columns for terms. */
function atCoordinates(pairs: Float64Array, width: number, coordinates: Uint32Array, terms: number): SymmetricMatrix {
  const size = coordinates.length;
  const values = new Float64Array(size * size);
  const places = coordinates.map((coordinate) => (coordinate < terms ? 2 * coordinate : 2 * (coordinate - terms) + 1));
  for (const [i, a] of places.entries()) {
    for (let j = 0; j <= i; j++) {
      const b = places[j];
      values[i * size + j] = values[j * size + i] = a > b ? pairs[a * width + b] : pairs[b * width + a];
    }
  }
  return { size, values };
}

/** Returns the coordinates marked 1. */
export function coordinatesOf(free: Uint8Array): Uint32Array {
  return Uint32Array.from(free.keys()).filter((i) => free[i] === 1);
}

/** Adds to the diagonal what keeps a matrix of redundant terms invertible without moving any evaluation. */
export function addRidge({ values, size }: SymmetricMatrix): void {
  let trace = 0;
  for (let i = 0; i < size; i++) trace += values[i * size + i];
  for (let i = 0; i < size; i++) values[i * size + i] += 1e-9 * (trace / size) + Number.MIN_VALUE;
}
