// componentsOf() returns the connected components of the weights. Weights are connected if an expectation of the prior combines them. The
// matrix of the prior has one block for each component. Each component therefore has directions in which the prior is a standard normal
// distribution. The data contain information about only a few of these directions.

import { dot, factorize, type SymmetricMatrix } from '../matrix/cholesky.js';
import { eigen } from '../matrix/eigen.js';
import type { Contrast } from './penalty.js';

/** Connected places, and their contrasts by set, with indices within the component. */
export interface Component {
  places: number[];
  contrasts: Contrast[][];
}

/** Returns the connected components of the places. */
export function componentsOf(sets: readonly (readonly Contrast[])[], size: number): Component[] {
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
  const components = new Map<number, Component>();
  const placeIn = new Int32Array(size);
  for (let place = 0; place < size; place++) {
    const component = components.get(root(place)) ?? { places: [], contrasts: sets.map(() => []) };
    components.set(root(place), component);
    placeIn[place] = component.places.push(place) - 1;
  }
  for (const [set, contrasts] of sets.entries()) {
    for (const contrast of contrasts) {
      const local = contrast.map(([place, factor]) => [placeIn[place], factor] as const);
      components.get(root(contrast[0][0]))?.contrasts[set].push(local);
    }
  }
  return [...components.values()];
}

/** Directions of a component, one per row, of unit length under the prior. The direction with the most information is the first. */
export interface Directions {
  places: readonly number[];
  rows: Float64Array[];
  /** Information in the data about each direction, relative to the prior. */
  information: number[];
  /** Number of informed directions. */
  kept: number;
}

/** A direction with less information hardly affects the others, and is treated separately. */
const MIN_INFORMATION = 0.03;

/** Returns the directions of a component in which `data` and the prior are both diagonal; throws an Error if a weight has no prior. */
export function directionsOf(
  { places, contrasts }: Component,
  strengths: ArrayLike<number>,
  data: SymmetricMatrix,
): Directions {
  const size = places.length;
  const block = { size, values: new Float64Array(size * size) };
  for (const [set, own] of contrasts.entries()) addContrasts(block, own, strengths[set]);
  if (!factorize(block)) throw new Error('a weight has no prior');
  // The rows of the inverse factor have unit length under the prior
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
      const share = vectors[at * size + i];
      for (let j = 0; j < size; j++) row[j] += share * units[i][j];
    }
    return row;
  });
  const sorted = order.map((at) => values[at]);
  return { places, rows, information: sorted, kept: sorted.filter((value) => value > MIN_INFORMATION).length };
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

/** Returns the rows of L⁻¹, the inverse of a Cholesky factor L. */
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
  const product = new Float64Array(row.length);
  for (const [i, a] of places.entries()) {
    let sum = 0;
    for (let j = 0; j < row.length; j++) sum += values[a * size + places[j]] * row[j];
    product[i] = sum;
  }
  return product;
}
