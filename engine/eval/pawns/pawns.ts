// Pawn structure: terms that depend on nothing but pawns, and what other terms go on from, such as passed pawns and spans. All of it
// is kept in the pawn cache; a tracing evaluation always looks anew.

import { flipHalf, lowestSquare, popcount, withoutLowest } from '../../board/bitboards/bitboard.js';
import { bb, PAWN_KEY_HI, PAWN_KEY_LO, state } from '../../board/position.js';
import { BLACK, DARK_SQUARES, WHITE } from '../../board/types.js';
import { min } from '../../kernel/integers.js';
import {
  ENTRIES,
  ENTRY_KEY_HI,
  ENTRY_KEY_LO,
  PASSED,
  PAWN_COUNTS,
  PAWN_SCORE,
  SHELTER_KINGS,
  SHELTER_SHIFT,
  SPAN,
  STRIDE,
  shelterTable,
  pawnTable as table,
} from '../pawn-cache.js';
import {
  PASSED_CONNECTED,
  PASSED_FILE,
  PAWN_BACKWARD,
  PAWN_CANDIDATE,
  PAWN_DOUBLED,
  PAWN_ISOLATED,
  PAWN_PHALANX,
  PAWN_STACKED,
  PAWN_SUPPORTED,
} from '../terms.js';
import { count, tracing } from '../trace.js';
import { weightVector as W } from '../weights-in-use.js';
import { AHEAD, BESIDE, CAPTURES, DEFENDERS, HELPERS, NEIGHBOURS, PASSAGE } from './pawn-masks.js';
import { scoreCamp } from './space.js';

/** Returns where the entry of the position's pawns begins in pawnTable, after filling it if need be. */
export function findPawns(): i32 {
  const keyLo = state[PAWN_KEY_LO];
  const keyHi = state[PAWN_KEY_HI];
  const entry = (keyLo & (ENTRIES - 1)) * STRIDE;
  if (!tracing && table[entry + ENTRY_KEY_LO] === keyLo && table[entry + ENTRY_KEY_HI] === keyHi) return entry;
  table[entry + ENTRY_KEY_LO] = keyLo;
  table[entry + ENTRY_KEY_HI] = keyHi;
  shelterTable[(entry >> SHELTER_SHIFT) + SHELTER_KINGS] = 0;
  const whiteLo = bb[0];
  const whiteHi = bb[1];
  const blackLo = bb[16];
  const blackHi = bb[17];
  const score =
    scoreSide(WHITE, entry, whiteLo, whiteHi, blackLo, blackHi) -
    scoreSide(BLACK, entry, flipHalf(blackHi), flipHalf(blackLo), flipHalf(whiteHi), flipHalf(whiteLo));
  table[entry + PAWN_SCORE] = (score + scoreCamp(WHITE, entry) - scoreCamp(BLACK, entry)) | 0;
  table[entry + PAWN_COUNTS] = countSide(whiteLo, whiteHi) | (countSide(blackLo, blackHi) << 8);
  return entry;
}

/** One side's part of PAWN_COUNTS. */
function countSide(lo: i32, hi: i32): i32 {
  // Made-up positions may have more
  const onDark = min(8, popcount(lo & DARK_SQUARES, hi & DARK_SQUARES));
  const onLight = min(8, popcount(lo & ~DARK_SQUARES, hi & ~DARK_SQUARES));
  const ranks = lo | hi;
  const files = (ranks | (ranks >>> 8) | (ranks >>> 16) | (ranks >>> 24)) & 0xff;
  return onDark | (onLight << 4) | (files << 16);
}

// All boards as seen from the side's own end
function scoreSide(us: Color, entry: i32, ownLo: i32, ownHi: i32, theirLo: i32, theirHi: i32): i32 {
  let score = 0;
  let passedLo = 0;
  let passedHi = 0;
  let spanLo = 0;
  let spanHi = 0;
  let lo = ownLo;
  let hi = ownHi;
  while ((lo | hi) !== 0) {
    const square = lowestSquare(lo, hi);
    hi = withoutLowest(lo, hi);
    lo &= lo - 1;
    const s = 2 * square;
    const stop = s + 16;
    const file = square & 7;
    const rank = square >> 3;
    spanLo |= PASSAGE[s] & ~AHEAD[s];
    spanHi |= PASSAGE[s + 1] & ~AHEAD[s + 1];

    const isStacked = ((AHEAD[s] & ownLo) | (AHEAD[s + 1] & ownHi)) !== 0;
    const isUnopposed = ((AHEAD[s] & theirLo) | (AHEAD[s + 1] & theirHi)) === 0;
    const stoppersLo = PASSAGE[s] & theirLo;
    const stoppersHi = PASSAGE[s + 1] & theirHi;

    if (isStacked) {
      // By whether a capture may still take it off the file
      const mayLeave = ((stoppersLo & ~AHEAD[s]) | (stoppersHi & ~AHEAD[s + 1])) !== 0;
      const stacked = PAWN_STACKED + (mayLeave ? 8 : 0) + file;
      score += W[stacked];
      if (tracing) count(us, stacked, 1);
      const isDoubled = (stop < 64 ? (ownLo >>> (stop >> 1)) & 1 : (ownHi >>> (stop >> 1)) & 1) !== 0;
      if (isDoubled) {
        score += W[PAWN_DOUBLED];
        if (tracing) count(us, PAWN_DOUBLED, 1);
      }
    } else if ((stoppersLo | stoppersHi) === 0) {
      passedLo |= square < 32 ? 1 << square : 0;
      passedHi |= square < 32 ? 0 : 1 << square;
      score += W[PASSED_FILE + file];
      if (tracing) count(us, PASSED_FILE + file, 1);
      const fellows = ((BESIDE[s] | DEFENDERS[s]) & ownLo) | ((BESIDE[s + 1] | DEFENDERS[s + 1]) & ownHi);
      if (fellows !== 0) {
        score += W[PASSED_CONNECTED + rank];
        if (tracing) count(us, PASSED_CONNECTED + rank, 1);
      }
    } else if (isUnopposed) {
      // Ethereal's candidate: nothing stops it but pawns that attack it or its next square, and as many support that square
      const threats = popcount(CAPTURES[s] & theirLo, CAPTURES[s + 1] & theirHi);
      const nextThreats = popcount(CAPTURES[stop] & theirLo, CAPTURES[stop + 1] & theirHi);
      const supporters = popcount(DEFENDERS[s] & ownLo, DEFENDERS[s + 1] & ownHi);
      const nextSupporters = popcount(BESIDE[s] & ownLo, BESIDE[s + 1] & ownHi);
      if (popcount(stoppersLo, stoppersHi) === threats + nextThreats && nextSupporters >= nextThreats) {
        const candidate = PAWN_CANDIDATE + (supporters >= threats ? 8 : 0) + rank;
        score += W[candidate];
        if (tracing) count(us, candidate, 1);
      }
    }

    if (((NEIGHBOURS[s] & ownLo) | (NEIGHBOURS[s + 1] & ownHi)) === 0) {
      const isolated = PAWN_ISOLATED + (isUnopposed ? 8 : 0) + file;
      score += W[isolated];
      if (tracing) count(us, isolated, 1);
    } else if (
      ((HELPERS[s] & ownLo) | (HELPERS[s + 1] & ownHi)) === 0 &&
      ((CAPTURES[stop] & theirLo) | (CAPTURES[stop + 1] & theirHi)) !== 0
    ) {
      const backward = PAWN_BACKWARD + (isUnopposed ? 8 : 0) + rank;
      score += W[backward];
      if (tracing) count(us, backward, 1);
    }

    if (((BESIDE[s] & ownLo) | (BESIDE[s + 1] & ownHi)) !== 0) {
      score += W[PAWN_PHALANX + rank];
      if (tracing) count(us, PAWN_PHALANX + rank, 1);
    }
    const defenders = popcount(DEFENDERS[s] & ownLo, DEFENDERS[s + 1] & ownHi);
    if (defenders !== 0) {
      score += defenders * W[PAWN_SUPPORTED + rank];
      if (tracing) count(us, PAWN_SUPPORTED + rank, defenders);
    }
  }

  const isWhite = us === WHITE;
  table[entry + PASSED + 2 * us] = isWhite ? passedLo : flipHalf(passedHi);
  table[entry + PASSED + 2 * us + 1] = isWhite ? passedHi : flipHalf(passedLo);
  table[entry + SPAN + 2 * us] = isWhite ? spanLo : flipHalf(spanHi);
  table[entry + SPAN + 2 * us + 1] = isWhite ? spanHi : flipHalf(spanLo);
  return score;
}
