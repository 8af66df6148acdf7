// Where pieces stand: outposts, behind pawns, near their king, on open files; bishops among their own pawns; pieces shut in.
// What holds for few positions is asked of all pieces of a kind at once.

import { KING_DISTANCE as DISTANCE } from '../../board/bitboards/attack-tables.js';
import { popcount } from '../../board/bitboards/bitboard.js';
import { bb, CASTLING_RIGHTS, KING_SQUARE, state } from '../../board/position.js';
import { BISHOP, DARK_SQUARES, KNIGHT, PAWN, WHITE } from '../../board/types.js';
import { AREA_HI, AREA_LO, attackMap as map, sides as side } from '../attack-map.js';
import { PAWN_COUNTS, SPAN, pawnTable as table } from '../pawn-cache.js';
import {
  BISHOP_DIAGONAL,
  BISHOP_PAIR,
  BISHOP_PAWNS,
  BISHOP_TRAPPED,
  KNIGHT_PAWNS,
  KNIGHT_REACH,
  MINOR_BEHIND_PAWN,
  MINOR_KING_DISTANCE,
  OUTPOST,
  ROOK_FILE,
  ROOK_PAWNS,
  ROOK_SEVENTH,
  ROOK_TRAPPED,
} from '../terms.js';
import { count, tracing } from '../trace.js';
import { weightVector as W } from '../weights-in-use.js';

// Fourth to sixth rank of a side, by half
function outpostRanksLo(us: Color): i32 {
  return us === WHITE ? ~0x00ffffff : ~0x0000ffff;
}
function outpostRanksHi(us: Color): i32 {
  return us === WHITE ? 0x0000ffff : 0x000000ff;
}
const CENTRE_LO = 0x18000000;
const CENTRE_HI = 0x00000018;
/** Where bishops get shut in: the edge files on the sixth and seventh rank, in the half that is the enemy's. */
const EDGES = 0x00818100;

/** Returns what a side's pieces gain together: the bishop pair, outposts, minor pieces behind pawns, bishops shut in; packed. */
export function scorePosts(us: Color, entry: i32): i32 {
  const own = us << 4;
  const span = entry + SPAN + 2 * (us ^ 1);
  const postsLo = outpostRanksLo(us) & ~table[span];
  const postsHi = outpostRanksHi(us) & ~table[span + 1];
  const pawnsLo = bb[0] | bb[16];
  const pawnsHi = bb[1] | bb[17];
  const behindLo = us === WHITE ? (pawnsLo >>> 8) | (pawnsHi << 24) : pawnsLo << 8;
  const behindHi = us === WHITE ? pawnsHi >>> 8 : (pawnsHi << 8) | (pawnsLo >>> 24);
  let score = 0;
  for (let type = KNIGHT; type <= BISHOP; type++) {
    const at = type - KNIGHT;
    const lo = bb[own + 2 * type];
    const hi = bb[own + 2 * type + 1];
    if (((lo & postsLo) | (hi & postsHi)) !== 0) {
      const heldLo = postsLo & map[own + 2 * PAWN];
      const heldHi = postsHi & map[own + 2 * PAWN + 1];
      const posts = popcount(lo & postsLo, hi & postsHi);
      const held = popcount(lo & heldLo, hi & heldHi);
      const outpost = OUTPOST + 2 * at;
      score += (posts - held) * W[outpost] + held * W[outpost + 1];
      if (tracing) {
        count(us, outpost, posts - held);
        count(us, outpost + 1, held);
      }
    }
    if (((lo & behindLo) | (hi & behindHi)) !== 0) {
      const behind = popcount(lo & behindLo, hi & behindHi);
      score += behind * W[MINOR_BEHIND_PAWN + at];
      if (tracing) count(us, MINOR_BEHIND_PAWN + at, behind);
    }
  }
  const bishopsLo = bb[own + 2 * BISHOP];
  const bishopsHi = bb[own + 2 * BISHOP + 1];
  const bishops = bishopsLo | bishopsHi;
  if ((bishops & DARK_SQUARES) !== 0 && (bishops & ~DARK_SQUARES) !== 0) {
    score += W[BISHOP_PAIR];
    if (tracing) count(us, BISHOP_PAIR, 1);
  }
  const atEdge = EDGES & (us === WHITE ? bishopsHi : bishopsLo);
  return atEdge === 0 ? score : score + scoreTrapped(us, atEdge);
}

// Bishops at the edge, in the enemy's half of the board, that an enemy pawn shuts in
function scoreTrapped(us: Color, bishops: i32): i32 {
  const them = (us ^ 1) << 4;
  const pawns = us === WHITE ? bb[them + 1] : bb[them];
  const beside = ((pawns & 0x02020202) >>> 1) | ((pawns & 0x40404040) << 1);
  // The pawn stands a rank nearer to the middle of the board
  const shut = bishops & (us === WHITE ? beside << 8 : beside >>> 8);
  const trapped = popcount(shut, 0);
  if (tracing) count(us, BISHOP_TRAPPED, trapped);
  return trapped * W[BISHOP_TRAPPED];
}

function ownPawns(us: Color, entry: i32): i32 {
  const counts = table[entry + PAWN_COUNTS] >> (8 * us);
  const pawns = (counts & 15) + ((counts >> 4) & 15);
  return pawns > 8 ? 8 : pawns;
}

// Knights and bishops by their distance from the own king
function nearKing(us: Color, type: PieceType, square: Square): i32 {
  const near = MINOR_KING_DISTANCE + 8 * (type - KNIGHT) + DISTANCE[(state[KING_SQUARE + us] << 6) | square];
  if (tracing) count(us, near, 1);
  return W[near];
}

/** Returns the packed score of where a knight stands, given what it attacks; `entry` is that of the pawn cache. */
export function scoreKnightPost(us: Color, square: Square, attacksLo: i32, attacksHi: i32, entry: i32): i32 {
  const own = us << 4;
  const pawns = KNIGHT_PAWNS + ownPawns(us, entry);
  let score = W[pawns] + nearKing(us, KNIGHT, square);
  if (tracing) count(us, pawns, 1);

  const span = entry + SPAN + 2 * (us ^ 1);
  const postsLo = outpostRanksLo(us) & ~table[span];
  const postsHi = outpostRanksHi(us) & ~table[span + 1];
  const reachLo = attacksLo & postsLo & map[own + 2 * PAWN];
  const reachHi = attacksHi & postsHi & map[own + 2 * PAWN + 1];
  if ((reachLo | reachHi) !== 0 && (((square < 32 ? postsLo : postsHi) >>> square) & 1) === 0) {
    score += W[KNIGHT_REACH];
    if (tracing) count(us, KNIGHT_REACH, 1);
  }
  return score;
}

/** Returns the packed score of where a bishop stands, given what it attacks; `entry` is that of the pawn cache. */
export function scoreBishopPost(us: Color, square: Square, attacksLo: i32, attacksHi: i32, entry: i32): i32 {
  const isLight = (square ^ (square >> 3)) & 1;
  const pawns = BISHOP_PAWNS + ((table[entry + PAWN_COUNTS] >> (8 * us + 4 * isLight)) & 15);
  let score = W[pawns] + nearKing(us, BISHOP, square);
  if (tracing) count(us, pawns, 1);
  if ((attacksLo & CENTRE_LO) !== 0 && (attacksHi & CENTRE_HI) !== 0) {
    score += W[BISHOP_DIAGONAL];
    if (tracing) count(us, BISHOP_DIAGONAL, 1);
  }
  return score;
}

/** Returns the packed score of where a rook stands, given what it attacks; `entry` is that of the pawn cache. */
export function scoreRookPost(us: Color, square: Square, attacksLo: i32, attacksHi: i32, entry: i32): i32 {
  const own = us << 4;
  const them = own ^ 16;
  const file = square & 7;
  const rank = us === WHITE ? square >> 3 : 7 - (square >> 3);
  const king = state[KING_SQUARE + us];
  const filled = table[entry + PAWN_COUNTS] >>> (16 + file);
  const pawns = ROOK_PAWNS + ownPawns(us, entry);
  let score = W[pawns];
  if (tracing) count(us, pawns, 1);

  if (((filled >>> (8 * us)) & 1) === 0) {
    const open = ROOK_FILE + (((filled >>> (8 * (us ^ 1))) & 1) ^ 1);
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
