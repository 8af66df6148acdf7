// risesOf() and makeRise(): keep tables of danger non-negative and rising, or falling no more than the prior's. While a fit goes on, neighbours that would fall
// are tied; where the fitted table still falls, the cells of the fall get their mean, weighed by how often they occur (pool adjacent violators,
// the least squares under that order).

import type { Model } from '../model/model.js';
import type { Contrast } from './penalty.js';

/** Returns the steps from nothing to the first cells of tables of danger and between neighbours, of which all coordinates are marked 1. */
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

/** Returns the steps that are to be tied: those that fall below the prior's and below zero, and those tied before that still would. */
export function fallsOf(
  rises: readonly Contrast[],
  weights: Float64Array,
  prior: Float64Array,
  tied: readonly Contrast[],
): Contrast[] {
  const before = new Set(tied);
  return rises.filter((rise) => {
    const step = rise.reduce((sum, [i, factor]) => sum + factor * weights[i], 0);
    const usual = rise.reduce((sum, [i, factor]) => sum + factor * prior[i], 0);
    return step < usual && (step < 0 || before.has(rise));
  });
}

/** The first cell of each row of a table of danger, and its number of cells. */
function dangerRows({ terms }: Model): { from: number; width: number }[] {
  return terms
    .filter(({ orders }) => orders[orders.length - 1] === 'danger')
    .flatMap(({ offset, size, shape }) => {
      const width = shape[shape.length - 1];
      return Array.from({ length: size / width }, (_, row) => ({ from: offset + row * width, width }));
    });
}

interface Pool {
  sum: number;
  weight: number;
  cells: number;
}

/** Moves the weights of tables that are declared as danger; terms marked 1 in `frozen` keep their rows as they are. */
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
    // A cell that never occurs follows its neighbours
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

/** Returns the values nearest to these, by weighted squares, that never fall. */
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
