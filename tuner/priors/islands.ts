// islandsOf(): the parts of the weights that no expectation connects. The prior's matrix is one block for each, so that each has coordinates of
// its own, in which the prior is a standard normal distribution and the data act on few directions.

import { factorize, type SymmetricMatrix } from '../matrix/cholesky.js';
import { eigen } from '../matrix/eigen.js';
import type { Contrast } from './penalty.js';

/** Places that contrasts connect, and by set the contrasts among them, of places within the island. */
export interface Island {
  places: number[];
  contrasts: Contrast[][];
}

/** Returns the parts of the places that no contrast connects. */
export function islandsOf(sets: readonly (readonly Contrast[])[], size: number): Island[] {
  const parent = Int32Array.from({ length: size }, (_, place) => place);
  const root = (place: number): number => {
    if (parent[place] !== place) parent[place] = root(parent[place]);
    return parent[place];
  };
  for (const contrasts of sets) {
    for (const contrast of contrasts) {
      for (const [place] of contrast) {
        const [a, b] = [root(place), root(contrast[0][0])];
        parent[Math.max(a, b)] = Math.min(a, b);
      }
    }
  }
  const islands = new Map<number, Island>();
  const placeIn = new Int32Array(size);
  for (let place = 0; place < size; place++) {
    const island = islands.get(root(place)) ?? { places: [], contrasts: sets.map(() => []) };
    islands.set(root(place), island);
    placeIn[place] = island.places.push(place) - 1;
  }
  for (const [set, contrasts] of sets.entries()) {
    for (const contrast of contrasts) {
      const local = contrast.map(([place, factor]) => [placeIn[place], factor] as const);
      islands.get(root(contrast[0][0]))?.contrasts[set].push(local);
    }
  }
  return [...islands.values()];
}

/** Directions of an island: each row is one, of unit length under the prior; the first are those that the data act on most. */
export interface Directions {
  places: readonly number[];
  rows: Float64Array[];
  /** What the data say of each, where the prior says 1. */
  information: number[];
  /** How many of them the data say something of. */
  kept: number;
}

/** With less than this, a direction hardly acts on the others and is looked at by itself. */
const LEAST_INFORMATION = 0.03;

/** Returns the directions of an island in which data of this matrix and the prior are both diagonal; throws if a weight has no prior. */
export function directionsOf(
  { places, contrasts }: Island,
  strengths: ArrayLike<number>,
  data: SymmetricMatrix,
): Directions {
  const size = places.length;
  const block = { size, values: new Float64Array(size * size) };
  for (const [set, own] of contrasts.entries()) addContrasts(block, own, strengths[set]);
  if (!factorize(block)) throw new Error('a weight has no prior');
  // The columns of the inverse transposed factor are directions of unit length
  const units = inverseRows(block);
  const products = units.map((row) => productWith(data, places, row));
  const information = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) information[i * size + j] = information[j * size + i] = dot(units[i], products[j]);
  }
  const { values, vectors } = eigen({ size, values: information });
  const order = [...values.keys()].sort((a, b) => values[b] - values[a]);
  const rows = order.map((at) => {
    const row = new Float64Array(size);
    for (let i = 0; i < size; i++) {
      const share = vectors[i * size + at];
      for (let j = 0; j < size; j++) row[j] += share * units[i][j];
    }
    return row;
  });
  const sorted = order.map((at) => values[at]);
  return { places, rows, information: sorted, kept: sorted.filter((value) => value > LEAST_INFORMATION).length };
}

/** Adds strength · Σ contrast · contrastᵀ. */
export function addContrasts(
  { size, values }: SymmetricMatrix,
  contrasts: readonly Contrast[],
  strength: number,
): void {
  for (const contrast of contrasts) {
    for (const [i, a] of contrast) for (const [j, b] of contrast) values[i * size + j] += strength * a * b;
  }
}

/** Returns the rows of L⁻¹ of a Cholesky factor L. */
function inverseRows({ size, values }: SymmetricMatrix): Float64Array[] {
  const rows: Float64Array[] = [];
  for (let i = 0; i < size; i++) {
    const row = new Float64Array(size);
    row[i] = 1;
    for (let k = 0; k < i; k++) {
      const factor = values[i * size + k];
      if (factor !== 0) for (let j = 0; j <= k; j++) row[j] -= factor * rows[k][j];
    }
    for (let j = 0; j <= i; j++) row[j] /= values[i * size + i];
    rows.push(row);
  }
  return rows;
}

function productWith({ size, values }: SymmetricMatrix, places: readonly number[], row: Float64Array): Float64Array {
  return Float64Array.from(places, (a) => {
    let sum = 0;
    for (let j = 0; j < places.length; j++) sum += values[a * size + places[j]] * row[j];
    return sum;
  });
}

/** Returns the sum of the products. */
export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
