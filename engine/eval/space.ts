// Space: room for pieces in the middle of a side's own camp.

import { popcount } from '../board/bitboard.js';
import { bb as boards } from '../board/position.js';
import type { Color } from '../board/types.js';
import * as types from '../board/types.js';
import * as attacks from './attack-map.js';
import * as terms from './terms.js';
import { count, tracing } from './trace.js';
import { weightVector } from './weight-vector.js';

const { PAWN, WHITE } = types;
const { BY_ANY, attackMap: map } = attacks;
const { SPACE } = terms;

const bb = boards;
const W = weightVector;

/** Files c to f on the second to fourth rank, in the half where a side's camp is. */
const CAMP = Int32Array.of(0x3c3c3c00, 0x003c3c3c);

/** Returns the packed score of a side's space; all attacks must be known. */
export function scoreSpace(us: Color): number {
  const own = us << 4;
  const them = own ^ 16;
  const lo = bb[own];
  const hi = bb[own + 1];
  const safe = CAMP[us] & ~bb[own + us] & ~map[them + 2 * PAWN + us];
  // Up to three squares behind own pawns, and attacked by no piece either
  const behind =
    us === WHITE
      ? (lo >>> 8) | (lo >>> 16) | (lo >>> 24) | (hi << 24) | (hi << 16) | (hi << 8)
      : (hi << 8) | (hi << 16) | (hi << 24) | (lo >>> 24) | (lo >>> 16) | (lo >>> 8);
  const squares = popcount(safe, 0);
  const sheltered = popcount(safe & behind & ~map[them + BY_ANY + us], 0);
  if (tracing) {
    count(us, SPACE, squares);
    count(us, SPACE + 1, sheltered);
  }
  return (squares * W[SPACE] + sheltered * W[SPACE + 1]) | 0;
}
