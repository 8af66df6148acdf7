// Pawn structure: terms that depend only on pawns, and boards that other terms use, such as passed pawns and pawn spans. Both are
// stored in the pawn cache; a tracing evaluation always recomputes the entry.

import {
  backward,
  flip,
  hasSquare,
  lowBits,
  lowestSquare,
  pawnAttacks,
  popcount,
  shiftDown,
  squareBoard,
  withoutLowest,
} from '../../board/bitboards/bitboard.js';
import { DARK_SQUARES, EMPTY, LIGHT_SQUARES, PAWN_ATTACKS } from '../../board/bitboards/tables.js';
import { bb, keys } from '../../board/position.js';
import { BLACK, PAWN, WHITE } from '../../board/types.js';
import { min } from '../../kernel/primitives.js';
import { BESIDE, BLACK_CAMP, FORWARD, HELPERS, NEIGHBOURS, PASSAGE, WHITE_CAMP } from '../masks.js';
import * as cache from '../pawn-cache.js';
import * as T from '../terms.js';
import { weigh } from '../trace.js';
import { BY_ANY, attackMap as map, TRACING } from '../workspace.js';

/** Returns the start of the position's entry in pawnTable, filled if necessary. */
export function findPawns(): i32 {
  const key = keys.pawns;
  const entry = (lowBits(key) & (cache.PAWN_ENTRIES - 1)) * cache.STRIDE;
  if (!TRACING && cache.pawnTable[entry + cache.ENTRY_KEY] === key) return entry;
  cache.pawnTable[entry + cache.ENTRY_KEY] = key;
  cache.shelterTable[entry + cache.SHELTER_KING] = 0;
  cache.shelterTable[entry + cache.SHELTER_SIDE + cache.SHELTER_KING] = 0;
  const white = bb[PAWN];
  const black = bb[(BLACK << 3) | PAWN];
  const score = scoreSide(WHITE, entry, white, black) - scoreSide(BLACK, entry, flip(black), flip(white));
  cache.pawnInts[2 * entry + cache.PAWN_SCORE] = (score + scoreCamp(WHITE, entry) - scoreCamp(BLACK, entry)) | 0;
  cache.pawnInts[2 * entry + cache.PAWN_COUNTS] = countSide(white) | (countSide(black) << 8);
  return entry;
}

/** One side's part of PAWN_COUNTS. */
function countSide(pawns: u64): i32 {
  // Composed positions may have more than eight pawns, but BISHOP_PAWNS has cells only up to eight
  const onDark = min(8, popcount(pawns & DARK_SQUARES));
  const onLight = min(8, popcount(pawns & LIGHT_SQUARES));
  let files = pawns | shiftDown(pawns, 32);
  files |= shiftDown(files, 16);
  files |= shiftDown(files, 8);
  return onDark | (onLight << 4) | ((lowBits(files) & 0xff) << 16);
}

// All boards from the side's point of view
function scoreSide(us: Color, entry: i32, own: u64, their: u64): i32 {
  let score = 0;
  let passed = EMPTY;
  let span = EMPTY;
  for (let rest = own; rest !== EMPTY; rest = withoutLowest(rest)) {
    const square = lowestSquare(rest);
    const stop = square + 8;
    const file = square & 7;
    const rank = square >> 3;
    const ahead = FORWARD[square];
    const flanks = PASSAGE[square] & ~ahead;
    const fellows = BESIDE[square] & own;
    const defenders = PAWN_ATTACKS[64 | square] & own;
    span |= flanks;

    const isUnopposed = (ahead & their) === EMPTY;
    const stoppers = PASSAGE[square] & their;

    if ((ahead & own) !== EMPTY) {
      // A capture may still take the pawn off its file
      score += weigh(us, T.PAWN_STACKED + ((flanks & their) !== EMPTY ? 8 : 0) + file, 1);
      if (hasSquare(own, stop)) score += weigh(us, T.PAWN_DOUBLED, 1);
    } else if (stoppers === EMPTY) {
      passed |= squareBoard(square);
      score += weigh(us, T.PASSED_FILE + file, 1);
      if ((fellows | defenders) !== EMPTY) score += weigh(us, T.PASSED_CONNECTED + rank, 1);
    } else if (isUnopposed) {
      // A candidate (as in Ethereal) is stopped only by pawns that attack it or the next square, and enough friendly pawns support that
      // square
      const threats = popcount(PAWN_ATTACKS[square] & their);
      const nextThreats = popcount(PAWN_ATTACKS[stop] & their);
      if (popcount(stoppers) === threats + nextThreats && popcount(fellows) >= nextThreats) {
        score += weigh(us, T.PAWN_CANDIDATE + (popcount(defenders) >= threats ? 8 : 0) + rank, 1);
      }
    }

    const isAlone = (NEIGHBOURS[square] & own) === EMPTY;
    const isBackward = !isAlone && (HELPERS[square] & own) === EMPTY && (PAWN_ATTACKS[stop] & their) !== EMPTY;
    if (isAlone) score += weigh(us, T.PAWN_ISOLATED + (isUnopposed ? 8 : 0) + file, 1);
    if (isBackward) score += weigh(us, T.PAWN_BACKWARD + (isUnopposed ? 8 : 0) + rank, 1);
    if (fellows !== EMPTY) score += weigh(us, T.PAWN_PHALANX + rank, 1);
    if (defenders !== EMPTY) score += weigh(us, T.PAWN_SUPPORTED + rank, popcount(defenders));
  }

  cache.pawnTable[entry + cache.PASSED + us] = us === WHITE ? passed : flip(passed);
  cache.pawnTable[entry + cache.SPAN + us] = us === WHITE ? span : flip(span);
  return score;
}

/**
 * Returns the packed score of the squares of a side's camp that hold no friendly pawn and that no enemy pawn attacks. Stores those behind
 * friendly pawns in the pawn cache.
 */
function scoreCamp(us: Color, entry: i32): i32 {
  const pawns = bb[(us << 3) | PAWN];
  const camp = us === WHITE ? WHITE_CAMP : BLACK_CAMP;
  const safe = camp & ~(pawns | pawnAttacks(us ^ 1, bb[((us ^ 1) << 3) | PAWN]));
  // Up to three squares behind friendly pawns
  const once = backward(us, pawns);
  const twice = backward(us, once);
  cache.pawnTable[entry + cache.CAMP + us] = safe & (once | twice | backward(us, twice));
  return weigh(us, T.SPACE, popcount(safe));
}

/** Returns the packed score of the unattacked camp squares behind friendly pawns. The attack maps must be complete. */
export function scoreSpace(us: Color, entry: i32): i32 {
  return weigh(us, T.SPACE + 1, popcount(cache.pawnTable[entry + cache.CAMP + us] & ~map[((us ^ 1) << 3) | BY_ANY]));
}
