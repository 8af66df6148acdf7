// The quiet end of the quiescence search's line, which the tuner puts in the place of a position.

import type { Move } from './board/move.js';
import { kernel } from './search/kernel.js';
import { counters, NEXT_POLL, NODES, STOPPED, signals } from './search/plies.js';
import { control, rootPv } from './search/root/control.js';
import { INFINITE, MATE_BOUND } from './search/score.js';

/** Returns the moves of the quiescence search's principal variation from the position, which is left as it was; empty when it is quiet. */
export function resolveQuiet(): Move[] {
  signals[STOPPED] = 0;
  counters[NEXT_POLL] = counters[NODES];
  control.nodeLimit = Number.POSITIVE_INFINITY;
  control.deadline = Number.POSITIVE_INFINITY;
  kernel.startAtRoot();
  const score = kernel.qsearch(-INFINITE, INFINITE, 0, 0);
  return Math.abs(score) >= MATE_BOUND ? [] : rootPv();
}
