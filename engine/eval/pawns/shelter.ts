// Pawns around the kings: the own ones that shelter, the enemy's that storm. Kept in the pawn cache for the kings seen last.

import { flipHalf } from '../../board/bitboards/bitboard.js';
import { bb, KING_SQUARE, state } from '../../board/position.js';
import { BLACK, WHITE } from '../../board/types.js';
import { lsb } from '../../kernel/integers.js';
import { SHELTER_KINGS, SHELTER_SCORE, pawnTable as table } from '../pawn-cache.js';
import { KING_SHELTER, KING_STORM } from '../terms.js';
import { count, tracing } from '../trace.js';
import { weightVector as W } from '../weights-in-use.js';

/** How far no pawn is. */
const NONE = 7;

/** Returns the packed score of both kings' pawns, White minus Black; `entry` is that of the pawn cache. */
export function scoreShelters(entry: i32): i32 {
  const white = state[KING_SQUARE];
  const black = state[KING_SQUARE + 1];
  const kings = 1 + ((white << 6) | black);
  if (!tracing && table[entry + SHELTER_KINGS] === kings) return table[entry + SHELTER_SCORE];
  const score =
    scoreShelter(WHITE, white, bb[0], bb[1], bb[16], bb[17]) -
    scoreShelter(BLACK, black ^ 56, flipHalf(bb[17]), flipHalf(bb[16]), flipHalf(bb[1]), flipHalf(bb[0]));
  table[entry + SHELTER_KINGS] = kings;
  table[entry + SHELTER_SCORE] = score;
  return score;
}

// All boards as seen from the king's own end
function scoreShelter(us: Color, king: Square, ownLo: i32, ownHi: i32, theirLo: i32, theirHi: i32): i32 {
  let score = 0;
  const kingFile = king & 7;
  const kingRank = king >> 3;
  const centre = kingFile === 0 ? 1 : kingFile === 7 ? 6 : kingFile;
  for (let file = centre - 1; file <= centre + 1; file++) {
    const own = nearest(ownLo, ownHi, file, kingRank);
    const shelter = KING_SHELTER + (file === kingFile ? 64 : 0) + file * 8 + own;
    score += W[shelter];
    if (tracing) count(us, shelter, 1);

    const their = nearest(theirLo, theirHi, file, kingRank);
    const isBlocked = own !== NONE && their === own + 1;
    const storm = KING_STORM + (isBlocked ? 32 : 0) + (file < 4 ? file : 7 - file) * 8 + their;
    score += W[storm];
    if (tracing) count(us, storm, 1);
  }
  return score;
}

/** Ranks from the nearest pawn on a file, not behind the king, to the king. */
function nearest(lo: i32, hi: i32, file: i32, kingRank: i32): i32 {
  const mask = 0x01010101 << file;
  const below = kingRank < 4 ? lo & mask & (-1 << (8 * kingRank)) : 0;
  if (below !== 0) return (lsb(below) >> 3) - kingRank;
  const above = hi & mask & (kingRank < 4 ? -1 : -1 << (8 * (kingRank - 4)));
  return above === 0 ? NONE : ((32 + lsb(above)) >> 3) - kingRank;
}
