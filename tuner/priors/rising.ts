// makeRise(): tables of danger that never fall. Where a fitted table falls, the cells of the fall get their mean, weighed by how often
// they occur (pool adjacent violators, the least squares under that order).

import { TERMS } from '../../engine/eval/terms.js';

interface Pool {
  sum: number;
  weight: number;
  cells: number;
}

/** Moves the weights of tables that are declared as danger; terms marked 1 in `frozen` keep their rows as they are. */
export function makeRise(weights: Float64Array, occurrences: ArrayLike<number>, frozen?: ArrayLike<number>): void {
  const terms = weights.length / 2;
  for (const { offset, size, shape, orders } of TERMS) {
    if (orders[orders.length - 1] !== 'danger') continue;
    const width = shape[shape.length - 1];
    for (let from = offset; from < offset + size; from += width) {
      const cells = Array.from({ length: width }, (_, i) => from + i);
      if (cells.some((cell) => frozen?.[cell] === 1)) continue;
      // A cell that never occurs follows its neighbours
      const counts = cells.map((cell) => occurrences[cell] + 1e-6);
      for (const first of [from, terms + from]) {
        const values = weights.subarray(first, first + width);
        values.set(rising(values, counts));
      }
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
