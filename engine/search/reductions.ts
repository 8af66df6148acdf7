// Late move reductions by the logarithms of depth and move number, in a table that is rebuilt when a search parameter changes.

import { regionOf } from '../kernel/memory.js';
import { P, PARAMS, params } from './params.js';

const { int32s } = regionOf('search/reductions');

/** Reduction of late moves in 1/1024 plies: entry `min(depth, 63) << 6 | min(moves, 63)`. */
export const reductions = int32s(64 * 64);

function fill(): void {
  for (let depth = 1; depth < 64; depth++) {
    for (let moves = 1; moves < 64; moves++) {
      const product = Math.log(depth) * Math.log(moves);
      reductions[(depth << 6) | moves] = 1024 * (P.LMR_BASE / 100 + (product * 100) / P.LMR_DIVISOR);
    }
  }
}
fill();

/** Sets a search parameter by its declared name and rebuilds the table. */
export function setParam(name: string, value: number): void {
  if (Object.hasOwn(PARAMS, name)) params[PARAMS[name].index] = value;
  fill();
}
