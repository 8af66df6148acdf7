// Leaves of labels: the positions at the ends of the principal variations of their searches, and their evaluations by other weights.

import { parseFen } from '../../engine/board/fen.js';
import { state } from '../../engine/board/position.js';
import { WHITE } from '../../engine/board/types.js';
import { currentWeights, evaluate, setWeights } from '../../engine/engine.js';
import type { Leaf } from '../../selfplay/positions/labelled.js';

/** The leaf of a labelled position, and the row of the position. */
export interface RowLeaf extends Leaf {
  row: number;
}

/** Returns the static evaluations of the leaves in cp for White, by weights in toVector()'s layout. Restores the engine's weights. */
export function evaluationsOf(leaves: readonly RowLeaf[], weights: Float64Array): Int32Array {
  const inUse = currentWeights();
  const size = weights.length / 2;
  setWeights(Int32Array.from(weights.subarray(0, size)), Int32Array.from(weights.subarray(size)));
  const evaluations = Int32Array.from(leaves, ({ fen }) => {
    parseFen(fen);
    return state.stm === WHITE ? evaluate() : -evaluate();
  });
  setWeights(inUse.mg, inUse.eg);
  return evaluations;
}
