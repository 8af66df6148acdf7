// Node entry: counts nodes and polls for the end of the search.

import { poll } from '../kernel/host.js';
import { counters, NEXT_POLL, NODES, SELDEPTH, STOPPED, signals } from './plies.js';

/** Counts a node. Returns true, and does not count it, if the search must stop. */
export function enterNode(ply: i32): boolean {
  if (counters[NODES] >= counters[NEXT_POLL]) poll();
  if (signals[STOPPED] !== 0) return true;
  counters[NODES] += 1;
  if (ply > counters[SELDEPTH]) counters[SELDEPTH] = ply;
  return false;
}
