// Where pieces stand: outposts, behind pawns, near their king, on open files; bishops among their own pawns; pieces shut in.

import { popcount } from '../board/bitboard.js';
import * as position from '../board/position.js';
import type { Color, PieceType, Square } from '../board/types.js';
import * as types from '../board/types.js';
import * as attacks from './attack-map.js';
import * as structure from './pawns.js';
import * as terms from './terms.js';
import { count, tracing } from './trace.js';
import { weightVector } from './weight-vector.js';

const { CASTLING_RIGHTS, KING_SQUARE, bb, board, state } = position;
const { BISHOP, DARK_SQUARES, KNIGHT, PAWN, WHITE } = types;
const { AREA_HI, AREA_LO, attackMap: map, sides: side } = attacks;
const { SPAN, pawnTable: table } = structure;
const {
  BISHOP_DIAGONAL,
  BISHOP_PAWNS,
  BISHOP_TRAPPED,
  KNIGHT_REACH,
  MINOR_BEHIND_PAWN,
  MINOR_KING_DISTANCE,
  OUTPOST,
  ROOK_FILE,
  ROOK_SEVENTH,
  ROOK_TRAPPED,
} = terms;

const W = weightVector;

/** Fourth to sixth rank of each colour, by half. */
const OUTPOST_RANKS = Int32Array.of(0xff000000, 0x0000ffff, 0xffff0000, 0x000000ff);
const CENTRE_LO = 0x18000000;
const CENTRE_HI = 0x00000018;

/** Returns the packed score of where a knight or bishop stands, given what it attacks; `entry` is that of the pawn cache. */
export function scoreMinorPost(
  us: Color,
  type: PieceType,
  square: Square,
  attacksLo: number,
  attacksHi: number,
  entry: number,
): number {
  const own = us << 4;
  const at = type - KNIGHT;
  const bit = 1 << square;
  const half = square >> 5;
  const span = entry + SPAN + 2 * (us ^ 1);
  let score = 0;

  if ((OUTPOST_RANKS[2 * us + half] & ~table[span + half] & bit) !== 0) {
    const outpost = OUTPOST + 2 * at + ((map[own + 2 * PAWN + half] & bit) === 0 ? 0 : 1);
    score += W[outpost];
    if (tracing) count(us, outpost, 1);
  } else if (type === KNIGHT) {
    const reachLo = attacksLo & OUTPOST_RANKS[2 * us] & ~table[span] & map[own + 2 * PAWN];
    const reachHi = attacksHi & OUTPOST_RANKS[2 * us + 1] & ~table[span + 1] & map[own + 2 * PAWN + 1];
    if ((reachLo | reachHi) !== 0) {
      score += W[KNIGHT_REACH];
      if (tracing) count(us, KNIGHT_REACH, 1);
    }
  }

  const front = us === WHITE ? square + 8 : square - 8;
  if (front >= 0 && front < 64 && (board[front] & 7) === PAWN) {
    score += W[MINOR_BEHIND_PAWN + at];
    if (tracing) count(us, MINOR_BEHIND_PAWN + at, 1);
  }

  const king = state[KING_SQUARE + us];
  const files = Math.abs((king & 7) - (square & 7));
  const ranks = Math.abs((king >> 3) - (square >> 3));
  const near = MINOR_KING_DISTANCE + 8 * at + (files > ranks ? files : ranks);
  score += W[near];
  if (tracing) count(us, near, 1);

  return type === BISHOP ? score + scoreBishopPost(us, square, attacksLo, attacksHi) : score;
}

function scoreBishopPost(us: Color, square: Square, attacksLo: number, attacksHi: number): number {
  const own = us << 4;
  const rank = us === WHITE ? square >> 3 : 7 - (square >> 3);
  const file = square & 7;
  const colour = ((square ^ (square >> 3)) & 1) === 0 ? DARK_SQUARES : ~DARK_SQUARES;
  const pawns = BISHOP_PAWNS + popcount(bb[own] & colour, bb[own + 1] & colour);
  let score = W[pawns];
  if (tracing) count(us, pawns, 1);

  if ((attacksLo & CENTRE_LO) !== 0 && (attacksHi & CENTRE_HI) !== 0) {
    score += W[BISHOP_DIAGONAL];
    if (tracing) count(us, BISHOP_DIAGONAL, 1);
  }

  if ((file === 0 || file === 7) && (rank === 5 || rank === 6)) {
    const shut = (us === WHITE ? square - 8 : square + 8) + (file === 0 ? 1 : -1);
    if (board[shut] === (PAWN | ((us ^ 1) << 3))) {
      score += W[BISHOP_TRAPPED];
      if (tracing) count(us, BISHOP_TRAPPED, 1);
    }
  }
  return score;
}

/** Returns the packed score of where a rook stands, given what it attacks. */
export function scoreRookPost(us: Color, square: Square, attacksLo: number, attacksHi: number): number {
  const own = us << 4;
  const them = own ^ 16;
  const file = square & 7;
  const onFile = 0x01010101 << file;
  const rank = us === WHITE ? square >> 3 : 7 - (square >> 3);
  const king = state[KING_SQUARE + us];
  let score = 0;

  if (((bb[own] | bb[own + 1]) & onFile) === 0) {
    const open = ROOK_FILE + (((bb[them] | bb[them + 1]) & onFile) === 0 ? 1 : 0);
    score += W[open];
    if (tracing) count(us, open, 1);
  } else if (rank === 0 && king >> 3 === square >> 3) {
    // Between its king and the corner, with hardly a move
    const kingFile = king & 7;
    const isOutside = kingFile < 4 ? file < kingFile : file > kingFile;
    if (isOutside && popcount(attacksLo & side[own + AREA_LO], attacksHi & side[own + AREA_HI]) <= 3) {
      const trapped = ROOK_TRAPPED + (((state[CASTLING_RIGHTS] >> (2 * us)) & 3) === 0 ? 0 : 1);
      score += W[trapped];
      if (tracing) count(us, trapped, 1);
    }
  }

  if (rank === 6) {
    const theirKing = state[KING_SQUARE + (us ^ 1)] >> 3;
    const hasPrey = us === WHITE ? (bb[them + 1] & 0x00ff0000) !== 0 : (bb[them] & 0x0000ff00) !== 0;
    if (hasPrey || theirKing === (us === WHITE ? 7 : 0)) {
      score += W[ROOK_SEVENTH];
      if (tracing) count(us, ROOK_SEVENTH, 1);
    }
  }
  return score;
}
