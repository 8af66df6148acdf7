// The principal variation from each ply, in a triangular table.

import { PV_ROW, pv, pvLength } from './plies.js';

/** Begins an empty principal variation at the ply. */
export function clearPv(ply: i32): void {
  pvLength[ply] = 0;
}

/** Makes the ply's principal variation the move followed by the next ply's. */
export function updatePv(ply: i32, move: Move): void {
  const at = ply * PV_ROW;
  const below = at + PV_ROW;
  const length = pvLength[ply + 1];
  pv[at] = move;
  for (let i = 0; i < length; i++) pv[at + 1 + i] = pv[below + i];
  pvLength[ply] = length + 1;
}
