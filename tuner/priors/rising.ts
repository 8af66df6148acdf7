// risesOf(), fallsOf() and makeRise() keep danger tables non-negative and non-decreasing, or at least limit their falls to those of the
// prior's tables. While the prior is learnt, decreasing neighbours are tied. After the fit, the cells of remaining violations get their
// mean, weighted by frequency (pool adjacent violators, the least-squares solution).

import { type Model, widthOf } from '../model/model.js';
import { type Contrast, contrastAt } from './penalty.js';

/**
 * Returns the steps of each row of the danger tables: from zero to its first cell, and between neighbouring cells. Steps with a coordinate
 * not marked 1 in `free` are left out.
 */
export function risesOf(model: Model, free: Uint8Array): Contrast[] {
  return dangerRows(model).flatMap(({ from, width }) =>
    [from, model.size + from].flatMap((first) =>
      Array.from({ length: width }, (_, i): Contrast => {
        const cell = first + i;
        if (i === 0) return [[cell, 1]];
        return [
          [cell, 1],
          [cell - 1, -1],
        ];
      }).filter((rise) => rise.every(([coordinate]) => free[coordinate] === 1)),
    ),
  );
}

/** Returns the steps to tie: steps below zero and below the prior's step, and earlier ties that are still below the prior's step. */
export function fallsOf(
  rises: readonly Contrast[],
  weights: Float64Array,
  prior: Float64Array,
  tied: readonly Contrast[],
): Contrast[] {
  const before = new Set(tied);
  return rises.filter((rise) => {
    const step = contrastAt(rise, weights);
    return step < contrastAt(rise, prior) && (step < 0 || before.has(rise));
  });
}

/** Returns the first cell and the number of cells of each row of the danger tables. */
function dangerRows({ terms }: Model): { from: number; width: number }[] {
  return terms
    .filter(({ orders }) => orders[orders.length - 1] === 'danger')
    .flatMap(({ offset, size, shape }) => {
      const width = widthOf({ shape });
      return Array.from({ length: size / width }, (_, row) => ({ from: offset + row * width, width }));
    });
}

interface Pool {
  sum: number;
  weight: number;
  cells: number;
}

/** Adjusts the weights of danger tables in place; rows with a weight marked 1 in `frozen` are unchanged. */
export function makeRise(
  model: Model,
  weights: Float64Array,
  prior: Float64Array,
  occurrences: ArrayLike<number>,
  frozen?: ArrayLike<number>,
): void {
  const terms = weights.length / 2;
  for (const { from, width } of dangerRows(model)) {
    const cells = Array.from({ length: width }, (_, i) => from + i);
    if (cells.some((cell) => frozen?.[cell] === 1)) continue;
    // A cell that never occurs gets almost no weight, so it follows its neighbours
    const counts = cells.map((cell) => occurrences[cell] + 1e-6);
    for (const first of [from, terms + from]) {
      let fall = 0;
      const falls = cells.map((_, i) => {
        fall += Math.min(0, prior[first + i] - (i > 0 ? prior[first + i - 1] : 0));
        return fall;
      });
      const values = weights.subarray(first, first + width);
      const risen = rising(
        values.map((value, i) => value - falls[i]),
        counts,
      );
      values.set(risen.map((value, i) => Math.max(0, value) + falls[i]));
    }
  }
}

/** Returns the nearest non-decreasing values by weighted least squares. */
export function rising(values: ArrayLike<number>, weights: ArrayLike<number>): number[] {
  const pools: Pool[] = [];
  for (let i = 0; i < values.length; i++) {
    let pool: Pool = { sum: weights[i] * values[i], weight: weights[i], cells: 1 };
    for (let last = pools.at(-1); last !== undefined && meanOf(last) > meanOf(pool); last = pools.at(-1)) {
      pool = { sum: last.sum + pool.sum, weight: last.weight + pool.weight, cells: last.cells + pool.cells };
      pools.pop();
    }
    pools.push(pool);
  }
  return pools.flatMap((pool) => Array.from({ length: pool.cells }, () => meanOf(pool)));
}

const meanOf = ({ sum, weight }: Pool): number => sum / weight;
