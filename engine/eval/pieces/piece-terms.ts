// Terms for the placement of pieces: outposts; pieces behind pawns, near their own king or on open files; bishops and friendly pawns; and
// trapped pieces. Terms that rarely apply are tested for all pieces of a kind at once.

import { distance } from '../../board/bitboards/attacks.js';
import { backward, beside, forward, hasSquare, popcount } from '../../board/bitboards/bitboard.js';
import { DARK_SQUARES, EMPTY, LIGHT_SQUARES, RANK_2, RANK_7 } from '../../board/bitboards/tables.js';
import { both, pawnCount } from '../../board/placement.js';
import { bb, kingSquare, state } from '../../board/position.js';
import { BISHOP, KNIGHT, PAWN, WHITE } from '../../board/types.js';
import { BLACK_CENTRE, BLACK_EDGES, BLACK_OUTPOSTS, WHITE_CENTRE, WHITE_EDGES, WHITE_OUTPOSTS } from '../masks.js';
import { PAWN_COUNTS, pawnInts, pawnTable, SPAN } from '../pawn-cache.js';
import * as T from '../terms.js';
import { weigh } from '../trace.js';
import { attackMap as map, mobilityArea } from '../workspace.js';

/** Returns the squares on the fourth to sixth ranks that no enemy pawn attacks or can attack later. */
function outposts(us: Color, entry: i32): u64 {
  return (us === WHITE ? WHITE_OUTPOSTS : BLACK_OUTPOSTS) & ~pawnTable[entry + SPAN + (us ^ 1)];
}

/** Returns the packed score of terms counted for a side as a whole: bishop pair, outposts, minor pieces behind pawns, trapped bishops. */
export function scorePosts(us: Color, entry: i32): i32 {
  const own = us << 3;
  const posts = outposts(us, entry);
  const behind = backward(us, both(PAWN));
  let score = 0;
  for (let type = KNIGHT; type <= BISHOP; type++) {
    const at = type - KNIGHT;
    const pieces = bb[own | type];
    if ((pieces & posts) !== EMPTY) {
      const all = popcount(pieces & posts);
      const held = popcount(pieces & posts & map[own | PAWN]);
      const outpost = T.OUTPOST + 2 * at;
      score += weigh(us, outpost, all - held) + weigh(us, outpost + 1, held);
    }
    if ((pieces & behind) !== EMPTY) score += weigh(us, T.MINOR_BEHIND_PAWN + at, popcount(pieces & behind));
  }
  const bishops = bb[own | BISHOP];
  if ((bishops & DARK_SQUARES) !== EMPTY && (bishops & LIGHT_SQUARES) !== EMPTY) score += weigh(us, T.BISHOP_PAIR, 1);
  const atEdge = bishops & (us === WHITE ? WHITE_EDGES : BLACK_EDGES);
  if (atEdge === EMPTY) return score;
  // Trapped by an enemy pawn on the next file, one rank nearer to the middle
  const trapped = atEdge & forward(us, beside(bb[((us ^ 1) << 3) | PAWN]));
  return score + weigh(us, T.BISHOP_TRAPPED, popcount(trapped));
}

// Knights and bishops by their distance from their own king
function nearKing(us: Color, type: PieceType, square: Square): i32 {
  return weigh(us, T.MINOR_KING_DISTANCE + 8 * (type - KNIGHT) + distance(kingSquare[us], square), 1);
}

/** Returns the packed score of a knight's placement, given its attacks; `entry` is the pawn cache entry. */
export function scoreKnightPost(us: Color, square: Square, attacks: u64, entry: i32): i32 {
  let score = weigh(us, T.KNIGHT_PAWNS + pawnCount(us), 1) + nearKing(us, KNIGHT, square);

  const posts = outposts(us, entry);
  if ((attacks & posts & map[(us << 3) | PAWN]) !== EMPTY && !hasSquare(posts, square)) {
    score += weigh(us, T.KNIGHT_REACH, 1);
  }
  return score;
}

/** Returns the packed score of a bishop's placement, given its attacks; `entry` is the pawn cache entry. */
export function scoreBishopPost(us: Color, square: Square, attacks: u64, entry: i32): i32 {
  const isLight = (square ^ (square >> 3)) & 1;
  const pawns = T.BISHOP_PAWNS + ((pawnInts[2 * entry + PAWN_COUNTS] >> (8 * us + 4 * isLight)) & 15);
  let score = weigh(us, pawns, 1) + nearKing(us, BISHOP, square);
  if ((attacks & WHITE_CENTRE) !== EMPTY && (attacks & BLACK_CENTRE) !== EMPTY) {
    score += weigh(us, T.BISHOP_DIAGONAL, 1);
  }
  return score;
}

/** Returns the packed score of a rook's placement, given its attacks; `entry` is the pawn cache entry. */
export function scoreRookPost(us: Color, square: Square, attacks: u64, entry: i32): i32 {
  const file = square & 7;
  const rank = us === WHITE ? square >> 3 : 7 - (square >> 3);
  const king = kingSquare[us];
  const filled = pawnInts[2 * entry + PAWN_COUNTS] >>> (16 + file);
  let score = weigh(us, T.ROOK_PAWNS + pawnCount(us), 1);

  if (((filled >>> (8 * us)) & 1) === 0) {
    score += weigh(us, T.ROOK_FILE + (((filled >>> (8 * (us ^ 1))) & 1) ^ 1), 1);
  } else if (rank === 0 && king >> 3 === square >> 3) {
    // Between its king and the corner, with few moves
    const kingFile = king & 7;
    const isOutside = kingFile < 4 ? file < kingFile : file > kingFile;
    if (isOutside && popcount(attacks & mobilityArea[us]) <= 3) {
      score += weigh(us, T.ROOK_TRAPPED + (((state.castlingRights >> (2 * us)) & 3) === 0 ? 0 : 1), 1);
    }
  }

  if (rank === 6) {
    const theirKing = kingSquare[us ^ 1] >> 3;
    const prey = bb[((us ^ 1) << 3) | PAWN] & (us === WHITE ? RANK_7 : RANK_2);
    if (prey !== EMPTY || theirKing === (us === WHITE ? 7 : 0)) score += weigh(us, T.ROOK_SEVENTH, 1);
  }
  return score;
}
