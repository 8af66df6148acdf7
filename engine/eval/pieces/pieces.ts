// Attack maps of both sides. They begin with pawns and kings. Knights, bishops, rooks and queens are then added, and their mobility and
// pressure on the king are scored at the same time. The maps are built in local variables and written once per kind of piece, which saves
// memory accesses.

import { pieceAttacks } from '../../board/bitboards/attacks.js';
import { east, forward, lowestSquare, popcount, west, withoutLowest } from '../../board/bitboards/bitboard.js';
import { EMPTY, FULL, KING_ATTACKS, RANK_2, RANK_3, RANK_6, RANK_7 } from '../../board/bitboards/tables.js';
import { both } from '../../board/placement.js';
import { ALL_BLACK, ALL_WHITE, bb, kingSquare } from '../../board/position.js';
import { BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE } from '../../board/types.js';
import { min } from '../../kernel/primitives.js';
import { RINGS } from '../masks.js';
import * as T from '../terms.js';
import { weigh, weighDanger } from '../trace.js';
import { BY_ANY, BY_TWO, attackMap as map, mobilityArea, ringAttackers, ringDanger } from '../workspace.js';
import { scoreBishopPost, scoreKnightPost, scorePosts, scoreRookPost } from './piece-terms.js';

/** Starts the maps of a side with its pawns and its king. */
export function startAttacks(us: Color): void {
  const own = us << 3;
  const king = kingSquare[us];
  const ahead = forward(us, bb[own | PAWN]);
  const toEast = east(ahead);
  const toWest = west(ahead);
  const pawns = toEast | toWest;
  const around = KING_ATTACKS[king];
  map[own | PAWN] = pawns;
  map[own | KING] = around;
  map[own | BY_ANY] = pawns | around;
  map[own | BY_TWO] = (toEast & toWest) | (pawns & around);
  ringAttackers[us] = 0;
  ringDanger[us] = 0;
}

/**
 * Finds the squares that count towards a side's mobility: those not attacked by enemy pawns and not occupied by the side's king or by one
 * of its pawns that is blocked or on the second or third rank. startAttacks() must have been called for both sides.
 */
export function findArea(us: Color): void {
  const own = us << 3;
  // Squares directly behind a piece of either side
  const blocked = forward(us ^ 1, bb[ALL_WHITE] | bb[ALL_BLACK]);
  const home = us === WHITE ? RANK_2 | RANK_3 : RANK_6 | RANK_7;
  mobilityArea[us] = FULL ^ ((bb[own | PAWN] & (blocked | home)) | bb[own | KING] | map[(own ^ 8) | PAWN]);
}

/** Returns the packed score of a side's knights to queens, and adds their attacks to its maps; `entry` is the pawn cache entry. */
export function scorePieces(us: Color, entry: i32): i32 {
  const occupied = bb[ALL_WHITE] | bb[ALL_BLACK];
  const queens = both(QUEEN);
  return (
    scorePosts(us, entry) +
    scoreType(us, KNIGHT, T.KNIGHT_MOBILITY, occupied, entry) +
    scoreType(us, BISHOP, T.BISHOP_MOBILITY, occupied & ~queens, entry) +
    scoreType(us, ROOK, T.ROOK_MOBILITY, occupied & ~(queens | bb[(us << 3) | ROOK]), entry) +
    scoreType(us, QUEEN, T.QUEEN_MOBILITY, occupied, entry)
  );
}

// Mobility, pressure on the enemy king and placement of one kind of piece; `occupied` holds the pieces that stop sliders
function scoreType(us: Color, type: PieceType, mobilities: i32, occupied: u64, entry: i32): i32 {
  const own = us << 3;
  let any = map[own | BY_ANY];
  let two = map[own | BY_TWO];
  let all = EMPTY;
  let score = 0;
  for (let pieces = bb[own | type]; pieces !== EMPTY; pieces = withoutLowest(pieces)) {
    const square = lowestSquare(pieces);
    const seen = pieceAttacks(type, square, occupied);
    two |= any & seen;
    any |= seen;
    all |= seen;
    score += weigh(us, mobilities + popcount(seen & mobilityArea[us]), 1);
    const ring = popcount(seen & RINGS[kingSquare[us ^ 1]]);
    if (ring !== 0) {
      const at = type - KNIGHT;
      ringAttackers[us]++;
      ringDanger[us] += weighDanger(us, T.DANGER_ATTACKERS + at, 1) + weighDanger(us, T.DANGER_RING + at, ring);
    }
    if (type === KNIGHT) score += scoreKnightPost(us, square, seen, entry);
    else if (type === BISHOP) score += scoreBishopPost(us, square, seen, entry);
    else if (type === ROOK) score += scoreRookPost(us, square, seen, entry);
  }
  map[own | type] = all;
  map[own | BY_ANY] = any;
  map[own | BY_TWO] = two;
  return score;
}

/** Last index of the freedom tables. */
const MAX_FREEDOM = 27;

/** Returns the packed score of the squares to which a side's rooks and queens can safely move. The attack maps must be complete. */
export function scoreFreedom(us: Color): i32 {
  const them = (us ^ 1) << 3;
  const minors = map[them | KNIGHT] | map[them | BISHOP];
  return freedomOf(us, ROOK, T.ROOK_FREEDOM, minors) + freedomOf(us, QUEEN, T.QUEEN_FREEDOM, minors | map[them | ROOK]);
}

// The squares of all pieces of a type are counted together
function freedomOf(us: Color, type: PieceType, table: i32, lesser: u64): i32 {
  const piece = (us << 3) | type;
  if (bb[piece] === EMPTY) return 0;
  const squares = table + min(MAX_FREEDOM, popcount(map[piece] & mobilityArea[us] & ~lesser));
  return weigh(us, squares, 1);
}
