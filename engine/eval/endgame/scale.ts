// How much of an endgame advantage counts: what is left on the board, as the side that is ahead sees it, adds up to the factor of the
// endgame value. Pawns to win with raise it, bishops of opposite colours lower it (after Stockfish, Ethereal, Weiss and Sirius).
// Pieces that are more than a minor piece ahead win without pawns too, so that their lead is not scaled.

import { popcount } from '../../board/bitboards/bitboard.js';
import { bb, PHASE, state } from '../../board/position.js';
import { BISHOP, BLACK, DARK_SQUARES, KNIGHT, QUEEN, ROOK, WHITE } from '../../board/types.js';
import { min } from '../../kernel/integers.js';
import { scaledEndgame } from '../factor.js';
import { PASSED, PAWN_COUNTS, pawnTable as table } from '../pawn-cache.js';
import { egOf, mgOf, packScore } from '../score.js';
import { SCALE_BISHOPS, SCALE_PAWNS, SCALE_PIECES, SCALE_WAYS } from '../terms.js';
import { countScale, tracing } from '../trace.js';
import { weightVector as W } from '../weights-in-use.js';

/** Returns the packed score, White minus Black, with its endgame value scaled; `pawns` is the position's entry in the pawn cache. */
export function scaleEndgame(score: i32, pawns: i32): i32 {
  const eg = egOf(score);
  const strong = eg < 0 ? BLACK : WHITE;
  // Whom the weights favour may change while they are learnt
  if (tracing) scaleOf(strong ^ 1, pawns);
  return packScore(mgOf(score), scaledEndgame(eg, egOf(scaleOf(strong, pawns))));
}

function scaleOf(us: Color, pawns: i32): i32 {
  if (leadOf(us) > 1) return 0;
  const counts = table[pawns + PAWN_COUNTS];
  const own = pawnsOf(counts, us);
  const pieces = piecesLeft();
  let scale = W[SCALE_PAWNS + own] + W[SCALE_PIECES + pieces];
  if (tracing) {
    countScale(us, SCALE_PAWNS + own, 1);
    countScale(us, SCALE_PIECES + pieces, 1);
  }
  if (hasOppositeBishops()) {
    const others = min((state[PHASE] - 1) >> 1, 3);
    scale += W[SCALE_BISHOPS + others];
    if (tracing) countScale(us, SCALE_BISHOPS + others, 1);
  }
  const files = (counts >> 24) | (counts >> 16);
  if ((files & 0x0f) !== 0 && (files & 0xf0) !== 0) {
    scale += W[SCALE_WAYS];
    if (tracing) countScale(us, SCALE_WAYS, 1);
  }
  const passed = pawns + PASSED + 2 * us;
  if ((table[passed] | table[passed + 1]) !== 0) {
    scale += W[SCALE_WAYS + 1];
    if (tracing) countScale(us, SCALE_WAYS + 1, 1);
  }
  if (own - pawnsOf(counts, us ^ 1) > 2) {
    scale += W[SCALE_WAYS + 2];
    if (tracing) countScale(us, SCALE_WAYS + 2, 1);
  }
  return scale | 0;
}

function pawnsOf(counts: i32, us: Color): i32 {
  const own = counts >> (8 * us);
  return min(8, (own & 15) + ((own >> 4) & 15));
}

// In minor pieces: a rook is two of them, a queen four
function leadOf(us: Color): i32 {
  const at = us << 4;
  const minorsLo = bb[at + 2 * KNIGHT] | bb[at + 2 * BISHOP];
  const minorsHi = bb[at + 2 * KNIGHT + 1] | bb[at + 2 * BISHOP + 1];
  const rooks = popcount(bb[at + 2 * ROOK], bb[at + 2 * ROOK + 1]);
  const queens = popcount(bb[at + 2 * QUEEN], bb[at + 2 * QUEEN + 1]);
  return 2 * (popcount(minorsLo, minorsHi) + 2 * rooks + 4 * queens) - state[PHASE];
}

// Which pieces either side has: 1 minor pieces, 2 rooks, 4 queens
function piecesLeft(): i32 {
  return (isLeft(KNIGHT) || isLeft(BISHOP) ? 1 : 0) + (isLeft(ROOK) ? 2 : 0) + (isLeft(QUEEN) ? 4 : 0);
}

function isLeft(type: PieceType): boolean {
  const own = 2 * type;
  return (bb[own] | bb[own + 1] | bb[own + 16] | bb[own + 17]) !== 0;
}

// Each side's bishops stand on one colour, and not on the same
function hasOppositeBishops(): boolean {
  const whites = bishopColors(2 * BISHOP);
  const blacks = bishopColors(2 * BISHOP + 16);
  return whites + blacks === 3 && whites !== 0 && blacks !== 0;
}

// 1 dark, 2 light
function bishopColors(at: i32): i32 {
  const lo = bb[at];
  const hi = bb[at + 1];
  return (((lo | hi) & DARK_SQUARES) !== 0 ? 1 : 0) + (((lo | hi) & ~DARK_SQUARES) !== 0 ? 2 : 0);
}
