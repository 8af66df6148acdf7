// maximiseEvidence(): the strengths of a prior that make the data most likely, on a quadratic model of their misfit (Laplace). Each strength
// is multiplied by what its contrasts should come to over what they do come to, the fixed point of MacKay, as Wood and Fasiolo's
// generalised Fellner–Schall update for penalties that overlap. Errors that come in groups (games) disturb some contrasts more than the model
// thinks and others less: what they add is measured by groups drawn with random signs (the sandwich estimator's trace, by Hutchinson).

import { factorize, invertFactor, type SymmetricMatrix } from '../matrix/cholesky.js';
import { solveEach } from '../matrix/solve-each.js';
import type { Draws } from './draws.js';
import type { Contrast } from './penalty.js';

/** Misfit ½ bᵀ H b − bᵀ pull for distances b from the prior. */
export interface QuadraticModel {
  matrix: SymmetricMatrix;
  pull: Float64Array;
  /** Sums of the errors' gradients under random signs, one for each group, and one for each error; in any units. */
  draws?: Draws;
}

export interface Evidence {
  strengths: Float64Array;
  /** How many free parameters the contrasts of each strength amount to, given the others. */
  effective: Float64Array;
  /** The most likely distances from the prior. */
  distances: Float64Array;
  /** Trace of (H + S)⁻¹ times the covariance of the drawn groups. */
  groupTrace: number;
}

/** In 1 / cp²: standard deviations from 0.05 to 1000 cp. */
export const MAX_STRENGTH = 400;
const MIN_STRENGTH = 1e-6;
const MAX_FACTOR = 20;
/** Updates creep towards their fixed point, so each goes further by this power. */
const RELAXATION = 1.5;
/** What groups add to the errors explains at most all but this share of what the contrasts come to. */
const MIN_SHARE = 0.05;
/** Updates that change the parameters' number by less than this share have converged. */
const TOLERANCE = 0.01;

export interface EvidenceSettings {
  /** Deviations of which each set has one more contrast: what the data say little of keeps a sensible strength. */
  usual?: Float64Array;
  /** How many of the last sets keep their first strengths. */
  fixed?: number;
  maxUpdates?: number;
  tolerance?: number;
}

/** Returns the strengths of the sets of contrasts between the model's places, from first guesses on. */
export function maximiseEvidence(
  { matrix, pull, draws = { groups: [], errors: [] } }: QuadraticModel,
  sets: readonly (readonly Contrast[])[],
  first: Float64Array,
  { usual, fixed = 0, maxUpdates = 2, tolerance = TOLERANCE }: EvidenceSettings = {},
): Evidence {
  const { size } = matrix;
  const work = { size, values: new Float64Array(size * size) };
  // (H + S)⁻¹ = Cᵀ C with row i of `columns` the column i of C
  const columns = new Float64Array(size * size);
  const islands = islandsOf(sets, size);
  let strengths: Float64Array = first.slice();
  let effective: Float64Array = new Float64Array(sets.length);
  for (let updates = 1; ; updates++) {
    work.values.set(matrix.values);
    addContrasts(work, sets, strengths);
    if (!factorize(work)) throw new Error('the penalised normal matrix is not positive definite');
    invertFactor(work, columns);
    const [distances, ...moved] = solveEach(columns, [pull, ...draws.groups, ...draws.errors]);

    const expected = priorSquares(islands, sets, strengths, size);
    const left = expected.map((value, set) => {
      return value - sets[set].reduce((sum, contrast) => sum + varianceOf(columns, size, contrast), 0);
    });
    const before = effective;
    effective = strengths.map((strength, set) => strength * Math.max(0, left[set]));
    const total = effective.reduce((sum, value) => sum + value, 0);
    const groups = spreadOf(moved.slice(0, draws.groups.length), draws.groups, sets);
    const errors = spreadOf(moved.slice(draws.groups.length), draws.errors, sets);
    const change = effective.reduce((sum, value, set) => sum + Math.abs(value - before[set]), 0);
    if (change < tolerance * total || updates === maxUpdates) {
      return { strengths, effective, distances, groupTrace: groups.trace };
    }
    strengths = strengths.map((strength, set) => {
      if (set >= sets.length - fixed) return strength;
      const found = squaresOf(sets[set], distances);
      const extra = total * (groups.squares[set] / groups.trace - errors.squares[set] / errors.trace) || 0;
      const one = usual === undefined ? 0 : 1;
      const expects = effective[set] + one;
      const finds = strength * (Math.max(found - extra, MIN_SHARE * found) + one * (usual?.[set] ?? 0) ** 2);
      const factor = (expects / Math.max(finds, 1e-12)) ** RELAXATION;
      const bounded = Math.min(MAX_FACTOR, Math.max(1 / MAX_FACTOR, factor));
      return Math.min(MAX_STRENGTH, Math.max(MIN_STRENGTH, strength * bounded));
    });
  }
}

/** Returns Σ (contrast · vector)². */
const squaresOf = (contrasts: readonly Contrast[], vector: Float64Array): number =>
  contrasts.reduce(
    (sum, contrast) => sum + contrast.reduce((value, [place, factor]) => value + factor * vector[place], 0) ** 2,
    0,
  );

/** Returns the mean of yᵀ (H + S)⁻¹ y over drawn vectors y, and by set that of its squared contrasts with `moved` = (H + S)⁻¹ y. */
function spreadOf(
  moved: readonly Float64Array[],
  drawn: readonly Float64Array[],
  sets: readonly (readonly Contrast[])[],
) {
  const squares = new Float64Array(sets.length);
  let trace = 0;
  for (const [index, vector] of drawn.entries()) {
    trace += vector.reduce((sum, value, i) => sum + value * moved[index][i], 0) / drawn.length;
    for (const [set, contrasts] of sets.entries()) squares[set] += squaresOf(contrasts, moved[index]) / drawn.length;
  }
  return { trace, squares };
}

/** Adds Σ strength · contrast · contrastᵀ. */
export function addContrasts(
  { size, values }: SymmetricMatrix,
  sets: readonly (readonly Contrast[])[],
  strengths: ArrayLike<number>,
): void {
  for (const [set, contrasts] of sets.entries()) {
    for (const contrast of contrasts) {
      for (const [i, a] of contrast) for (const [j, b] of contrast) values[i * size + j] += strengths[set] * a * b;
    }
  }
}

/** Returns xᵀ Cᵀ C x, x given by its places and their factors. */
export function varianceOf(columns: Float64Array, size: number, vector: Contrast): number {
  let squares = 0;
  for (let k = 0; k < size; k++) {
    let value = 0;
    for (let at = 0; at < vector.length; at++) value += vector[at][1] * columns[vector[at][0] * size + k];
    squares += value * value;
  }
  return squares;
}

/** Places that contrasts connect, and by set the contrasts among them. */
interface Island {
  places: number[];
  contrasts: Contrast[][];
}

/** Returns the parts of the places that no contrast connects: the prior's matrix is one block for each. */
function islandsOf(sets: readonly (readonly Contrast[])[], size: number): Island[] {
  const parent = Int32Array.from({ length: size }, (_, place) => place);
  const root = (place: number): number => (parent[place] === place ? place : root(parent[place]));
  for (const contrast of sets.flat()) {
    for (const [place] of contrast) {
      const [a, b] = [root(place), root(contrast[0][0])];
      parent[Math.max(a, b)] = Math.min(a, b);
    }
  }
  const islands = new Map<number, Island>();
  const islandOf = (place: number): Island => {
    const found = islands.get(root(place)) ?? { places: [], contrasts: sets.map(() => []) };
    islands.set(root(place), found);
    return found;
  };
  for (let place = 0; place < size; place++) islandOf(place).places.push(place);
  for (const [set, contrasts] of sets.entries()) {
    for (const contrast of contrasts) islandOf(contrast[0][0]).contrasts[set].push(contrast);
  }
  return [...islands.values()];
}

/** Returns by set what its squared contrasts come to on average where there are no data: tr(S⁻¹ S_set). */
function priorSquares(
  islands: readonly Island[],
  sets: readonly (readonly Contrast[])[],
  strengths: Float64Array,
  size: number,
): Float64Array {
  const expected = new Float64Array(sets.length);
  const placeIn = new Int32Array(size);
  for (const { places, contrasts } of islands) {
    for (const [at, place] of places.entries()) placeIn[place] = at;
    const local = contrasts.map((own) =>
      own.map((contrast) => contrast.map(([place, factor]) => [placeIn[place], factor] as const)),
    );
    const block = { size: places.length, values: new Float64Array(places.length ** 2) };
    addContrasts(block, local, strengths);
    if (!factorize(block)) throw new Error('a weight has no prior');
    const columns = new Float64Array(block.values.length);
    invertFactor(block, columns);
    for (const [set, own] of local.entries()) {
      for (const contrast of own) expected[set] += varianceOf(columns, block.size, contrast);
    }
  }
  return expected;
}
