// Endgame knowledge that overrides the weights: a bare king, king and pawn against king, the wrong bishop, rook against pawn, and material
// that never or rarely wins. The tuner skips such positions.

import { isAttacked } from '../../board/attacked.js';
import { distance } from '../../board/bitboards/attacks.js';
import { highestBit, lowestSquare, popcount, squareBoard, withoutLowest } from '../../board/bitboards/bitboard.js';
import { DARK_SQUARES, EMPTY, FILE_A, FILE_H, KING_ATTACKS, LIGHT_SQUARES } from '../../board/bitboards/tables.js';
import { ALL_BLACK, ALL_WHITE, bb, kingSquare, state } from '../../board/position.js';
import { BISHOP, BLACK, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE } from '../../board/types.js';
import { abs, max } from '../../kernel/primitives.js';
import { isPawnWon } from './kpk.js';

/** Bonus in centipawns for a won endgame against a bare king, to make the search aim for it. */
const MATING = 200;
const PIECE_UNIT = 100;
/** Value of a pawn alongside mating material. It exceeds the largest bonus for driving the king back, so no pawn is given up for it. */
const PAWN_UNIT = 150;
/** Bonus for mating material except bishop and knight alone. It exceeds their corner bonus, so nothing is given up to reach that ending. */
const KNOWN_WIN = 3000;
/** Value of a won king and pawn endgame with the pawn on its second rank. */
const PAWN_WON = 500;
/** Value of each rank that the most advanced pawn has gained. */
const RANK_WON = 16;
/** Divisor of the value of material that rarely wins. */
const RARE_WIN = 8;
/** Maximum phase for endgame knowledge, except against a bare king. */
const LATEST_PHASE = 8;

/** Returns the evaluation in centipawns for White, corrected by endgame knowledge, given the evaluation from the weights. */
export function endgameValue(white: i32): i32 {
  const isWhiteBare = isBare(WHITE);
  const isBlackBare = isBare(BLACK);
  if (isWhiteBare) return isBlackBare ? 0 : 0 - againstBareKing(BLACK, 0 - white);
  if (isBlackBare) return againstBareKing(WHITE, white);
  if (state.phase > LATEST_PHASE || white === 0) return white;
  return white > 0 ? againstFew(WHITE, white) : 0 - againstFew(BLACK, 0 - white);
}

/** A lead in centipawns that isKnownEndgame() uses as a probe. */
const LEAD = 1000;

/** Returns whether endgame knowledge would change a lead of either side in the current position. */
export function isKnownEndgame(): boolean {
  return endgameValue(LEAD) !== LEAD || endgameValue(-LEAD) !== -LEAD;
}

/** Returns whether either side has only its king. */
export function hasBareKing(): boolean {
  return isBare(WHITE) || isBare(BLACK);
}

function isBare(color: Color): boolean {
  const own = color << 3;
  return bb[ALL_WHITE | own] === bb[KING | own];
}

// Stalemate: a bare king is to move, is not in check and has no free square
function isStalemated(color: Color): boolean {
  if (state.stm !== color) return false;
  const king = kingSquare[color];
  const occupied = (bb[ALL_WHITE] | bb[ALL_BLACK]) & ~squareBoard(king);
  for (let rest = KING_ATTACKS[king]; rest !== EMPTY; rest = withoutLowest(rest)) {
    if (!isAttacked(lowestSquare(rest), color ^ 1, occupied)) return false;
  }
  return !isAttacked(king, color ^ 1, occupied);
}

function men(color: Color, type: PieceType): i32 {
  return popcount(bb[(color << 3) | type]);
}

// Values from the point of view of `strong`, the only side with more than a king
function againstBareKing(strong: Color, value: i32): i32 {
  if (isStalemated(strong ^ 1)) return 0;
  const isLight = men(strong, ROOK) + men(strong, QUEEN) === 0;
  const knights = men(strong, KNIGHT);
  const bishops = bb[(strong << 3) | BISHOP];
  const onDark = (bishops & DARK_SQUARES) !== EMPTY;
  const onLight = (bishops & LIGHT_SQUARES) !== EMPTY;

  const pawns = men(strong, PAWN);
  const isBishopKnight = isLight && knights > 0 && onDark !== onLight;
  if (isLight && !isBishopKnight && knights < 3 && !(onDark && onLight)) {
    if (pawns === 0) return 0;
    if (knights > 0) return value;
    if (!onDark && !onLight && pawns === 1) return pawnValue(strong);
    return isWrongCorner(strong, onDark, onLight) ? 0 : value;
  }
  // The weights for squares and mobility would interfere with the drive towards mate
  const won = PIECE_UNIT * worthOf(strong) + MATING;
  if (isBishopKnight && pawns === 0 && worthOf(strong) === 6) return won + drivenBack(strong, onDark, onLight);
  return won + KNOWN_WIN + PAWN_UNIT * pawns + RANK_WON * furthestRank(strong) + drivenBack(strong, false, false);
}

// Rank of the most advanced pawn from its own side, 0 without pawns
function furthestRank(strong: Color): i32 {
  const pawns = bb[(strong << 3) | PAWN];
  if (pawns === EMPTY) return 0;
  return strong === WHITE ? lowestSquare(highestBit(pawns)) >> 3 : 7 - (lowestSquare(pawns) >> 3);
}

function pawnValue(strong: Color): i32 {
  const pawn = lowestSquare(bb[(strong << 3) | PAWN]);
  const isWon = isPawnWon(strong, kingSquare[strong], pawn, kingSquare[strong ^ 1], state.stm);
  const rank = strong === WHITE ? pawn >> 3 : 7 - (pawn >> 3);
  return isWon ? PAWN_WON + RANK_WON * (rank - 1) : 0;
}

// All pawns on one edge file, the weaker king in or next to the corner ahead of them, and no bishop that controls it
function isWrongCorner(strong: Color, onDark: boolean, onLight: boolean): boolean {
  const pawns = bb[(strong << 3) | PAWN];
  const file = (pawns & ~FILE_A) === EMPTY ? 0 : (pawns & ~FILE_H) === EMPTY ? 7 : -1;
  if (file < 0) return false;
  const corner = strong === WHITE ? 56 + file : file;
  const isDark = ((corner ^ (corner >> 3)) & 1) === 0;
  return !(isDark ? onDark : onLight) && distance(kingSquare[strong ^ 1], corner) <= 1;
}

/** Score that drives a bare king to the edge, close to the other king; with bishop and knight, to the corners of the bishop's colour. */
function drivenBack(strong: Color, toDark: boolean, toLight: boolean): i32 {
  const king = kingSquare[strong ^ 1];
  const other = kingSquare[strong];
  const file = king & 7;
  const rank = king >> 3;
  if (toDark || toLight) {
    // 0 along the diagonal of the wrong corners, 7 in the right ones; the edge has no value, because it leads to wrong corners
    const corner = abs(toDark ? 7 - file - rank : file - rank);
    return 300 * corner + 20 * (7 - distance(king, other));
  }
  const apart = abs(file - (other & 7)) + abs(rank - (other >> 3));
  const edge = max(file, 7 - file) + max(rank, 7 - rank) - 8;
  return 10 * edge + 6 * (14 - apart);
}

// Values from the point of view of the favoured side; both sides have more than a king
function againstFew(strong: Color, value: i32): i32 {
  if (men(strong, PAWN) > 0) return value;
  const weak = strong ^ 1;
  const worth = worthOf(strong);
  // A single minor piece can hardly ever mate
  if (worth <= 3) return 0;
  // Pawns of the weaker side do not help the stronger one
  if (worth - worthOf(weak) <= 3) return (value / RARE_WIN) | 0;
  if (men(weak, PAWN) === 0) return value;
  const isKnights = worth === 6 && men(strong, BISHOP) === 0;
  const isRookPawn = worth === 5 && worthOf(weak) === 0 && men(weak, PAWN) === 1;
  return isKnights || (isRookPawn && isPawnSafe(strong)) ? (value / RARE_WIN) | 0 : value;
}

function worthOf(color: Color): i32 {
  return 3 * (men(color, KNIGHT) + men(color, BISHOP)) + 5 * men(color, ROOK) + 9 * men(color, QUEEN);
}

/**
 * Rook against pawn: returns whether an advanced pawn has its king beside it and the other king is too far away to stop it. A king
 * behind a pawn three squares from promotion does not count, because the rook can cut it off.
 */
function isPawnSafe(strong: Color): boolean {
  const weak = strong ^ 1;
  const pawn = lowestSquare(bb[(weak << 3) | PAWN]);
  const toGo = weak === WHITE ? 7 - (pawn >> 3) : pawn >> 3;
  const promotion = (pawn & 7) | (weak === WHITE ? 56 : 0);
  const tempo = state.stm === strong ? 1 : 0;
  const ahead = (kingSquare[weak] >> 3) - (pawn >> 3);
  const isCutOff = toGo === 3 && (weak === WHITE ? ahead < 0 : ahead > 0);
  return (
    toGo <= 3 &&
    !isCutOff &&
    distance(kingSquare[weak], pawn) <= 1 &&
    distance(kingSquare[strong], promotion) > toGo + 1 + tempo
  );
}
