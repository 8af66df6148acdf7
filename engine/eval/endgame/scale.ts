// The scale of the endgame score. Terms for the remaining material, from the point of view of the side that is ahead, add up to a factor.
// Pawns raise it, and bishops of opposite colours lower it (after Stockfish, Ethereal, Weiss and Sirius). A lead of more than a minor
// piece, not counting pawns, is winning and is not scaled.

import { popcount } from '../../board/bitboards/bitboard.js';
import { DARK_SQUARES, EMPTY, LIGHT_SQUARES } from '../../board/bitboards/tables.js';
import { both, pawnCount } from '../../board/placement.js';
import { bb, state } from '../../board/position.js';
import { BISHOP, BLACK, KNIGHT, QUEEN, ROOK, WHITE } from '../../board/types.js';
import { min } from '../../kernel/primitives.js';
import { PASSED, PAWN_COUNTS, pawnInts, pawnTable } from '../pawn-cache.js';
import { egOf, mgOf, packScore, scaledEndgame } from '../score.js';
import { SCALE_BISHOPS, SCALE_PAWNS, SCALE_PIECES, SCALE_WAYS } from '../terms.js';
import { weighScale } from '../trace.js';
import { TRACING } from '../workspace.js';

/** Returns the packed score, White minus Black, with its endgame value scaled; `pawns` is the position's entry in the pawn cache. */
export function scaleEndgame(score: i32, pawns: i32): i32 {
  const eg = egOf(score);
  const strong = eg < 0 ? BLACK : WHITE;
  // The other side is traced too, because it may be ahead with other weights
  if (TRACING) scaleOf(strong ^ 1, pawns);
  return packScore(mgOf(score), scaledEndgame(eg, egOf(scaleOf(strong, pawns))));
}

function scaleOf(us: Color, pawns: i32): i32 {
  if (leadOf(us) > 1) return 0;
  const counts = pawnInts[2 * pawns + PAWN_COUNTS];
  const own = pawnCount(us);
  let scale = weighScale(us, SCALE_PAWNS + own, 1) + weighScale(us, SCALE_PIECES + piecesLeft(), 1);
  if (hasOppositeBishops()) {
    const others = min((state.phase - 1) >> 1, 3);
    scale += weighScale(us, SCALE_BISHOPS + others, 1);
  }
  const files = (counts >> 24) | (counts >> 16);
  if ((files & 0x0f) !== 0 && (files & 0xf0) !== 0) scale += weighScale(us, SCALE_WAYS, 1);
  if (pawnTable[pawns + PASSED + us] !== EMPTY) scale += weighScale(us, SCALE_WAYS + 1, 1);
  if (own - pawnCount(us ^ 1) > 2) scale += weighScale(us, SCALE_WAYS + 2, 1);
  return scale | 0;
}

// Material lead in minor pieces, without pawns: a rook counts two, a queen four
function leadOf(us: Color): i32 {
  const own = us << 3;
  const minors = popcount(bb[own | KNIGHT] | bb[own | BISHOP]);
  return 2 * (minors + 2 * popcount(bb[own | ROOK]) + 4 * popcount(bb[own | QUEEN])) - state.phase;
}

// Pieces on the board as flags: 1 minor pieces, 2 rooks, 4 queens
function piecesLeft(): i32 {
  const minors = both(KNIGHT) | both(BISHOP);
  return (minors !== EMPTY ? 1 : 0) + (both(ROOK) !== EMPTY ? 2 : 0) + (both(QUEEN) !== EMPTY ? 4 : 0);
}

// Each side's bishops are on one colour, opposite to the other side's
function hasOppositeBishops(): boolean {
  const white = bishopColors(bb[BISHOP]);
  const black = bishopColors(bb[(BLACK << 3) | BISHOP]);
  return white + black === 3 && white !== 0 && black !== 0;
}

// 1 dark, 2 light
function bishopColors(bishops: u64): i32 {
  return ((bishops & DARK_SQUARES) !== EMPTY ? 1 : 0) + ((bishops & LIGHT_SQUARES) !== EMPTY ? 2 : 0);
}
