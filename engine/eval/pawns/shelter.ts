// Pawns around the kings: the value of shelter and storm, their contribution to king danger, and the distance of the king from the nearest
// pawn. A side's result for its last king square is stored with the pawn cache entry.

import { distance } from '../../board/bitboards/attacks.js';
import { flip, lowestSquare, shiftUp, withoutLowest } from '../../board/bitboards/bitboard.js';
import { EMPTY, FILE_A } from '../../board/bitboards/tables.js';
import { bb, kingSquare } from '../../board/position.js';
import { BLACK, PAWN, WHITE } from '../../board/types.js';
import { min } from '../../kernel/primitives.js';
import { FLANKS } from '../masks.js';
import { SHELTER_DANGER, SHELTER_KING, SHELTER_SCORE, SHELTER_SIDE, shelterTable as table } from '../pawn-cache.js';
import * as T from '../terms.js';
import { weigh, weighDanger } from '../trace.js';
import { TRACING } from '../workspace.js';

/** Distance that stands for "no pawn". */
const NONE = 7;

/** Returns the packed score of the pawns around both kings, White minus Black; `entry` is the pawn cache entry. */
export function scoreShelters(entry: i32): i32 {
  return shelterOf(WHITE, entry) - shelterOf(BLACK, entry);
}

function shelterOf(us: Color, entry: i32): i32 {
  const at = entry + SHELTER_SIDE * us;
  const king = kingSquare[us];
  if (!TRACING && table[at + SHELTER_KING] === king + 1) return table[at + SHELTER_SCORE];
  const white = bb[PAWN];
  const black = bb[(BLACK << 3) | PAWN];
  const score =
    us === WHITE ? scoreShelter(us, king, at, white, black) : scoreShelter(us, king ^ 56, at, flip(black), flip(white));
  table[at + SHELTER_KING] = king + 1;
  table[at + SHELTER_SCORE] = score;
  return score;
}

// All boards from the king's point of view
function scoreShelter(us: Color, king: Square, at: i32, owns: u64, theirs: u64): i32 {
  let score = 0;
  let danger = 0;
  const kingFile = king & 7;
  const kingRank = king >> 3;
  const centre = kingFile === 0 ? 1 : kingFile === 7 ? 6 : kingFile;
  for (let file = centre - 1; file <= centre + 1; file++) {
    const own = nearest(owns, file, kingRank);
    score += weigh(us, T.KING_SHELTER + (file === kingFile ? 64 : 0) + file * 8 + own, 1);

    const their = nearest(theirs, file, kingRank);
    const isBlocked = own !== NONE && their === own + 1;
    score += weigh(us, T.KING_STORM + (isBlocked ? 32 : 0) + (file < 4 ? file : 7 - file) * 8 + their, 1);

    const bare = T.DANGER_SHELTER + (file === kingFile ? 8 : 0) + own;
    const stormed = T.DANGER_STORM + (isBlocked ? 8 : 0) + their;
    danger += weighDanger(us ^ 1, bare, 1) + weighDanger(us ^ 1, stormed, 1);
  }
  table[at + SHELTER_DANGER] = danger;
  return score + scoreCompany(us, king, owns | theirs);
}

// Scores the king's distance from the nearest pawn, and a flank without pawns
function scoreCompany(us: Color, king: Square, pawns: u64): i32 {
  if (pawns === EMPTY) return 0;
  let closest = 7;
  for (let rest = pawns; rest !== EMPTY; rest = withoutLowest(rest)) {
    closest = min(closest, distance(king, lowestSquare(rest)));
  }
  const isBare = (pawns & (FLANKS[king & 7] | FLANKS[8 | (king & 7)])) === EMPTY;
  return weigh(us, T.KING_PAWN_DISTANCE + closest, 1) + (isBare ? weigh(us, T.PAWNLESS_FLANK, 1) : 0);
}

/** Returns the distance in ranks from the king to the nearest pawn on a file, beside or ahead of the king, or NONE. */
function nearest(pawns: u64, file: i32, kingRank: i32): i32 {
  const ahead = pawns & shiftUp(FILE_A, file + 8 * kingRank);
  return ahead === EMPTY ? NONE : (lowestSquare(ahead) >> 3) - kingRank;
}
