// tiesOf(): what keeps the two coordinates of an untapered value together; even() makes them equal.

import { byWeight, type Model } from '../model/model.js';
import type { Contrast } from './penalty.js';

/** Returns the differences between middlegame and endgame of untapered values of which both are marked 1. */
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

/** Gives both coordinates of untapered values their mean, in place. */
export function even(model: Model, weights: Float64Array): void {
  const { terms, size } = model;
  for (const { offset, size: cells, isUntapered } of terms) {
    if (isUntapered !== true) continue;
    for (let i = offset; i < offset + cells; i++) weights[i] = weights[size + i] = (weights[i] + weights[size + i]) / 2;
  }
}
