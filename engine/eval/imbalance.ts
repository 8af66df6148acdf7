// What pieces are worth beside which others: the bishop pair, and knights and rooks by how many pawns stand with them.

import { popcount } from '../board/bitboard.js';
import { bb as boards } from '../board/position.js';
import type { Color } from '../board/types.js';
import * as types from '../board/types.js';
import * as terms from './terms.js';
import { count, tracing } from './trace.js';
import { weightVector } from './weight-vector.js';

const { BISHOP, DARK_SQUARES, KNIGHT, ROOK } = types;
const { BISHOP_PAIR, KNIGHT_PAWNS, ROOK_PAWNS } = terms;

const bb = boards;
const W = weightVector;

/** Returns the packed score of a side's combination of pieces. */
export function scoreImbalance(us: Color): number {
  const own = us << 4;
  let score = 0;

  // A pair is one on each colour of squares
  const bishopsLo = bb[own + 2 * BISHOP];
  const bishopsHi = bb[own + 2 * BISHOP + 1];
  const onDark = (bishopsLo | bishopsHi) & DARK_SQUARES;
  const onLight = (bishopsLo | bishopsHi) & ~DARK_SQUARES;
  if (onDark !== 0 && onLight !== 0) {
    score += W[BISHOP_PAIR];
    if (tracing) count(us, BISHOP_PAIR, 1);
  }

  const pawns = popcount(bb[own], bb[own + 1]);
  const knights = popcount(bb[own + 2 * KNIGHT], bb[own + 2 * KNIGHT + 1]);
  score += knights * W[KNIGHT_PAWNS + pawns];
  if (tracing) count(us, KNIGHT_PAWNS + pawns, knights);

  const rooks = popcount(bb[own + 2 * ROOK], bb[own + 2 * ROOK + 1]);
  score += rooks * W[ROOK_PAWNS + pawns];
  if (tracing) count(us, ROOK_PAWNS + pawns, rooks);
  return score;
}
