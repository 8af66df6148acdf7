// Pawns around the kings: the own ones that shelter, the enemy's that storm; what they are worth by themselves, and what they add to the danger
// of a king under attack; and how far from any pawn a king is. Kept beside the pawn cache for the kings seen last.

import { KING_DISTANCE as DISTANCE } from '../../board/bitboards/attack-tables.js';
import { flipHalf, lowestSquare, withoutLowest } from '../../board/bitboards/bitboard.js';
import { bb, KING_SQUARE, state } from '../../board/position.js';
import { BLACK, WHITE } from '../../board/types.js';
import { lsb, min } from '../../kernel/integers.js';
import { FLANKS } from '../attack-map.js';
import { SHELTER_DANGER, SHELTER_KINGS, SHELTER_SCORE, SHELTER_SHIFT, shelterTable as table } from '../pawn-cache.js';
import {
  DANGER_SHELTER,
  DANGER_STORM,
  KING_PAWN_DISTANCE,
  KING_SHELTER,
  KING_STORM,
  PAWNLESS_FLANK,
} from '../terms.js';
import { count, countDanger, tracing } from '../trace.js';
import { weightVector as W } from '../weights-in-use.js';

/** How far no pawn is. */
const NONE = 7;

/** Returns the packed score of both kings' pawns, White minus Black; `entry` is that of the pawn cache. */
export function scoreShelters(entry: i32): i32 {
  const white = state[KING_SQUARE];
  const black = state[KING_SQUARE + 1];
  const kings = 1 + ((white << 6) | black);
  const at = entry >> SHELTER_SHIFT;
  if (!tracing && table[at + SHELTER_KINGS] === kings) return table[at + SHELTER_SCORE];
  const score =
    scoreShelter(WHITE, white, at, bb[0], bb[1], bb[16], bb[17]) -
    scoreShelter(BLACK, black ^ 56, at, flipHalf(bb[17]), flipHalf(bb[16]), flipHalf(bb[1]), flipHalf(bb[0]));
  table[at + SHELTER_KINGS] = kings;
  table[at + SHELTER_SCORE] = score;
  return score;
}

// All boards as seen from the king's own end
function scoreShelter(us: Color, king: Square, at: i32, ownLo: i32, ownHi: i32, theirLo: i32, theirHi: i32): i32 {
  let score = 0;
  let danger = 0;
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

    const bare = DANGER_SHELTER + (file === kingFile ? 8 : 0) + own;
    const stormed = DANGER_STORM + (isBlocked ? 8 : 0) + their;
    danger += W[bare] + W[stormed];
    if (tracing) {
      countDanger(us ^ 1, bare, 1);
      countDanger(us ^ 1, stormed, 1);
    }
  }
  table[at + SHELTER_DANGER + us] = danger;
  return score + scoreCompany(us, king, ownLo | theirLo, ownHi | theirHi);
}

// Whether there are pawns near the king at all
function scoreCompany(us: Color, king: Square, pawnsLo: i32, pawnsHi: i32): i32 {
  if ((pawnsLo | pawnsHi) === 0) return 0;
  let lo = pawnsLo;
  let hi = pawnsHi;
  let distance = 7;
  while ((lo | hi) !== 0) {
    distance = min(distance, DISTANCE[(king << 6) | lowestSquare(lo, hi)]);
    hi = withoutLowest(lo, hi);
    lo &= lo - 1;
  }
  const nearest = KING_PAWN_DISTANCE + distance;
  if (tracing) count(us, nearest, 1);
  if (((pawnsLo | pawnsHi) & FLANKS[king & 7]) !== 0) return W[nearest];
  if (tracing) count(us, PAWNLESS_FLANK, 1);
  return W[nearest] + W[PAWNLESS_FLANK];
}

/** Ranks from the nearest pawn on a file, not behind the king, to the king. */
function nearest(lo: i32, hi: i32, file: i32, kingRank: i32): i32 {
  const mask = 0x01010101 << file;
  const below = kingRank < 4 ? lo & mask & (-1 << (8 * kingRank)) : 0;
  if (below !== 0) return (lsb(below) >> 3) - kingRank;
  const above = hi & mask & (kingRank < 4 ? -1 : -1 << (8 * (kingRank - 4)));
  return above === 0 ? NONE : ((32 + lsb(above)) >> 3) - kingRank;
}
