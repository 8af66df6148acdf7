// Penalty: a quadratic form in the distance from the prior, added to the mean loss. It is a weighted sum of squared contrasts. Each
// contrast combines only a few weights, so the matrix is sparse. All contrasts in a set have the same strength.

import type { SymmetricMatrix } from '../matrix/cholesky.js';
import { byWeight, type Model } from '../model/model.js';

/** A weighted sum of distances from the prior that is expected to be near zero, as pairs of coordinate and factor. */
export type Contrast = readonly (readonly [coordinate: number, factor: number])[];

/** Returns the value of a contrast. */
export const contrastAt = (contrast: Contrast, values: Float64Array): number =>
  contrast.reduce((sum, [coordinate, factor]) => sum + factor * values[coordinate], 0);

export interface Penalty {
  prior: Float64Array;
  /** Sparse rows of the symmetric matrix Q: the mean loss grows by (w − prior)ᵀ Q (w − prior). */
  starts: Uint32Array;
  columns: Uint32Array;
  values: Float64Array;
  /** Ratio of Q to the inverse covariance of the prior: the error divided by the number of independent errors in the mean loss. */
  noise: number;
}

/** Returns the penalty noise · Σ strength · contrast², summed over the sets of contrasts. */
export function penaltyOf(
  prior: Float64Array,
  noise: number,
  sets: readonly { strength: number; contrasts: readonly Contrast[] }[],
): Penalty {
  const rows = Array.from(prior, () => new Map<number, number>());
  for (const { strength, contrasts } of sets) {
    for (const contrast of contrasts) {
      for (const [i, a] of contrast) {
        for (const [j, b] of contrast) rows[i].set(j, (rows[i].get(j) ?? 0) + noise * strength * a * b);
      }
    }
  }
  const entries = rows.map((row) => [...row].sort((a, b) => a[0] - b[0]));
  const starts = new Uint32Array(rows.length + 1);
  entries.forEach((row, i) => {
    starts[i + 1] = starts[i] + row.length;
  });
  const columns = Uint32Array.from(entries.flatMap((row) => row.map(([column]) => column)));
  const values = Float64Array.from(entries.flatMap((row) => row.map(([, value]) => value)));
  return { prior, starts, columns, values, noise };
}

/** Returns the penalty for a loss over `times` times as many independent errors. */
export function forData(penalty: Penalty, times: number): Penalty {
  return { ...penalty, noise: penalty.noise / times, values: penalty.values.map((value) => value / times) };
}

/** Returns the entry of Q in row `i` and column `j`, by default the diagonal entry. */
export function entryAt({ starts, columns, values }: Penalty, i: number, j = i): number {
  for (let at = starts[i]; at < starts[i + 1]; at++) if (columns[at] === j) return values[at];
  return 0;
}

/** Returns coordinate `i` of Q times a vector. */
export function productAt({ starts, columns, values }: Penalty, vector: Float64Array, i: number): number {
  let sum = 0;
  for (let at = starts[i]; at < starts[i + 1]; at++) sum += values[at] * vector[columns[at]];
  return sum;
}

/** Returns the penalty at the weights. */
export function penaltyAt(penalty: Penalty, weights: Float64Array): number {
  const distance = weights.map((weight, i) => weight - penalty.prior[i]);
  return distance.reduce((sum, value, i) => (value === 0 ? sum : sum + value * productAt(penalty, distance, i)), 0);
}

/** Adds `times` · Q to a matrix over some coordinates. */
export function addPenalty(
  { size, values }: SymmetricMatrix,
  { starts, columns, values: entries }: Penalty,
  coordinates: Uint32Array,
  times: number,
): void {
  const placeOf = new Int32Array(starts.length).fill(-1);
  for (const [place, coordinate] of coordinates.entries()) placeOf[coordinate] = place;
  for (const [place, coordinate] of coordinates.entries()) {
    for (let at = starts[coordinate]; at < starts[coordinate + 1]; at++) {
      const other = placeOf[columns[at]];
      if (other >= 0) values[place * size + other] += times * entries[at];
    }
  }
}

// tiesOf(): ties between the two coordinates of each untapered value. even() makes the coordinates equal.

/** Returns contrasts between the middlegame and endgame coordinates of untapered values, if both are marked 1 in `free`. */
export function tiesOf(model: Model, free: Uint8Array): Contrast[] {
  const { size } = model;
  return byWeight(model, ({ isUntapered }) => isUntapered === true).flatMap((isTied, i): Contrast[] =>
    isTied && free[i] === 1 && free[size + i] === 1
      ? [
          [
            [i, 1],
            [size + i, -1],
          ],
        ]
      : [],
  );
}

/** Sets both coordinates of untapered values to their mean, in place. */
export function even(model: Model, weights: Float64Array): void {
  const { terms, size } = model;
  for (const { offset, size: cells, isUntapered } of terms) {
    if (isUntapered !== true) continue;
    for (let i = offset; i < offset + cells; i++) weights[i] = weights[size + i] = (weights[i] + weights[size + i]) / 2;
  }
}
