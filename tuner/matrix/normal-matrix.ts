// normalMatrix(): sums of squares Σ v·vᵀ over groups of positions, v = Σ factor·x, x a position's tapered coefficients. With each position
// a group of its own and the roots of the loss's curvatures as factors this is the Gauss–Newton matrix.

import { type Dataset, entryCoefficient, entryTerm } from '../dataset/dataset.js';
import type { SymmetricMatrix } from './cholesky.js';

/** Entries of vectors that wait to be added, and the rows of the matrix that they are added to at a time: both fit a cache. */
const WAITING = 2 ** 20;
const BAND = 64;

/** Returns the sum over groups of neighbouring rows with equal `groupOf`, for some coordinates of weight vectors. */
export function normalMatrix(
  { offsets, packed, phase }: Dataset,
  factors: Float64Array,
  groupOf: ArrayLike<number>,
  terms: number,
  coordinates: Uint32Array,
): SymmetricMatrix {
  const size = coordinates.length;
  const placeOf = new Int32Array(2 * terms).fill(-1);
  for (const [place, coordinate] of coordinates.entries()) placeOf[coordinate] = place;
  const matrix = { size, values: new Float64Array(size * size) };
  const vector = new Float64Array(size);
  const isTouched = new Uint8Array(size);
  const touched = new Uint32Array(size);
  let count = 0;
  const add = (place: number, value: number): void => {
    if (place < 0 || value === 0) return;
    if (isTouched[place] === 0) touched[count++] = place;
    isTouched[place] = 1;
    vector[place] += value;
  };
  const waiting: Waiting = {
    places: new Uint32Array(WAITING + size),
    values: new Float64Array(WAITING + size),
    ends: [0],
  };
  for (let row = 0; row < factors.length; row++) {
    const mg = (factors[row] * phase[row]) / 24;
    for (let at = offsets[row]; factors[row] !== 0 && at < offsets[row + 1]; at++) {
      const coefficient = entryCoefficient(packed[at]);
      add(placeOf[entryTerm(packed[at])], coefficient * mg);
      add(placeOf[terms + entryTerm(packed[at])], coefficient * (factors[row] - mg));
    }
    if (row + 1 < factors.length && groupOf[row + 1] === groupOf[row]) continue;
    let end = waiting.ends[waiting.ends.length - 1];
    for (const place of touched.subarray(0, count).sort()) {
      waiting.places[end] = place;
      waiting.values[end++] = vector[place];
      vector[place] = 0;
      isTouched[place] = 0;
    }
    count = 0;
    waiting.ends.push(end);
    if (end >= WAITING) addSquares(matrix, waiting);
  }
  addSquares(matrix, waiting);
  for (let i = 0; i < size; i++) for (let j = 0; j < i; j++) matrix.values[j * size + i] = matrix.values[i * size + j];
  return matrix;
}

/** Sparse vectors one behind the other, their places ascending; vector i ends at `ends[i + 1]`. */
interface Waiting {
  places: Uint32Array;
  values: Float64Array;
  ends: number[];
}

/** Adds the lower triangles of the vectors' squares, a band of rows at a time, and empties the list. */
function addSquares({ size, values }: SymmetricMatrix, waiting: Waiting): void {
  const { places, values: entries, ends } = waiting;
  const next = ends.slice();
  for (let band = BAND; band < size + BAND; band += BAND) {
    for (let index = 0; index + 1 < ends.length; index++) {
      let a = next[index];
      for (; a < ends[index + 1] && places[a] < band; a++) {
        const row = places[a] * size;
        for (let b = ends[index]; b <= a; b++) values[row + places[b]] += entries[a] * entries[b];
      }
      next[index] = a;
    }
  }
  waiting.ends = [0];
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
