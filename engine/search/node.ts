// Entering a node of the search: counting it, and asking now and then whether the search must end.

import { poll } from '../kernel/host.js';
import { counters, NEXT_POLL, NODES, SELDEPTH, STOPPED, signals } from './plies.js';

/** Counts a node; tells whether the search must end instead, in which case the node does not count. */
export function enterNode(ply: i32): boolean {
  if (counters[NODES] >= counters[NEXT_POLL]) poll();
  if (signals[STOPPED] !== 0) return true;
  counters[NODES] += 1;
  if (ply > counters[SELDEPTH]) counters[SELDEPTH] = ply;
  return false;
}
