// Legal moves, generated with check and pin masks: a piece may go only where it ends a check and only along the line of its pin.
// One small function for each kind of piece, since V8 optimises large ones badly.

import { lsb } from '../kernel/integers.js';
import { isAttacked } from './attacked.js';
import { KING_ATTACKS as KINGS, KNIGHT_ATTACKS as KNIGHTS, LINE } from './bitboards/attack-tables.js';
import { bishopAttacks, highHalf, lowHalf, rookAttacks } from './bitboards/attacks.js';
import { bitHi, bitLo, hasSquare, lowestSquare, popcount, withoutLowest } from './bitboards/bitboard.js';
import { canCastle, findCheckSquares, findChecksAndPins } from './checks.js';
import { CASTLING } from './move.js';
import { pawnCaptures, pawnSteps } from './pawn-moves.js';
import { ALL_WHITE, bb, CASTLING_RIGHTS, castlingRook, KING_SQUARE, STM, state } from './position.js';
import { BISHOP, KNIGHT, PAWN, QUEEN, ROOK } from './types.js';
import {
  CHECK_HI,
  CHECK_LO,
  CHECKERS,
  COUNT_ONLY,
  checkSquares,
  masks,
  moves,
  OCC_HI,
  OCC_LO,
  PIN_HI,
  PIN_LO,
} from './workspace.js';

/** What to generate: captures and promotions, everything else, or both. */
export const NOISY = 1;
export const QUIET = 2;
export const ALL = 3;

/** Writes all legal moves from `moves[start]` on and returns the index after the last. */
export function generateLegal(start: i32): i32 {
  return generate(start, ALL);
}

/** Writes the legal moves of a kind (NOISY, QUIET or ALL) from `moves[start]` on and returns the index after the last. */
export function generate(start: i32, kind: i32): i32 {
  const us = state[STM];
  findChecksAndPins(us);
  const ours = ALL_WHITE | (us << 4);
  const theirs = ours ^ 16;
  const occLo = masks[OCC_LO];
  const occHi = masks[OCC_HI];
  const targetLo = kind === ALL ? ~bb[ours] : kind === NOISY ? bb[theirs] : ~occLo;
  const targetHi = kind === ALL ? ~bb[ours + 1] : kind === NOISY ? bb[theirs + 1] : ~occHi;

  let n = kingMoves(start, us, targetLo, targetHi);
  if (masks[CHECKERS] > 1) return n;
  if (masks[CHECKERS] === 0 && (kind & QUIET) !== 0 && state[CASTLING_RIGHTS] !== 0) n = castlingMoves(n, us);
  const goalLo = targetLo & masks[CHECK_LO];
  const goalHi = targetHi & masks[CHECK_HI];
  n = knightMoves(n, us, goalLo, goalHi);
  for (let type = BISHOP; type <= QUEEN; type++) n = sliderMoves(n, us, type, goalLo, goalHi);
  if ((kind & QUIET) !== 0) n = pawnSteps(n, goalLo, goalHi);
  return (kind & NOISY) !== 0 ? pawnCaptures(n) : n;
}

/**
 * Writes the legal quiet moves that check directly, but no castling, from `moves[start]` on and returns the index after the last. The side to
 * move must not be in check.
 */
export function generateChecks(start: i32): i32 {
  const us = state[STM];
  findChecksAndPins(us);
  findCheckSquares();
  const freeLo = ~masks[OCC_LO];
  const freeHi = ~masks[OCC_HI];
  let n = knightMoves(start, us, freeLo & checkSquares[2 * KNIGHT], freeHi & checkSquares[2 * KNIGHT + 1]);
  for (let type = BISHOP; type <= QUEEN; type++) {
    n = sliderMoves(n, us, type, freeLo & checkSquares[2 * type], freeHi & checkSquares[2 * type + 1]);
  }
  return pawnSteps(n, checkSquares[2 * PAWN], checkSquares[2 * PAWN + 1]);
}

/** Returns the number of legal moves: nothing is written where counting bits does. */
export function countLegal(start: i32): i32 {
  masks[COUNT_ONLY] = 1;
  const end = generate(start, ALL);
  masks[COUNT_ONLY] = 0;
  return end - start;
}

function pushMoves(n: i32, from: Square, lo: i32, hi: i32): i32 {
  if (masks[COUNT_ONLY] !== 0) return n + popcount(lo, hi);
  while (lo !== 0) {
    moves[n++] = from | (lsb(lo) << 6);
    lo &= lo - 1;
  }
  while (hi !== 0) {
    moves[n++] = from | ((32 + lsb(hi)) << 6);
    hi &= hi - 1;
  }
  return n;
}

function kingMoves(n: i32, us: Color, targetLo: i32, targetHi: i32): i32 {
  const king = state[KING_SQUARE + us];
  // The king does not hide the squares behind it from a slider
  const occLo = masks[OCC_LO] & ~bitLo(king);
  const occHi = masks[OCC_HI] & ~bitHi(king);
  let lo = KINGS[2 * king] & targetLo;
  let hi = KINGS[2 * king + 1] & targetHi;
  while ((lo | hi) !== 0) {
    const to = lowestSquare(lo, hi);
    hi = withoutLowest(lo, hi);
    lo &= lo - 1;
    if (!isAttacked(to, us ^ 1, occLo, occHi)) moves[n++] = king | (to << 6);
  }
  return n;
}

function castlingMoves(n: i32, us: Color): i32 {
  for (let right = 2 * us; right < 2 * us + 2; right++) {
    if (((state[CASTLING_RIGHTS] >> right) & 1) !== 0 && canCastle(us, right)) {
      moves[n++] = state[KING_SQUARE + us] | (castlingRook[right] << 6) | (CASTLING << 14);
    }
  }
  return n;
}

function knightMoves(n: i32, us: Color, goalLo: i32, goalHi: i32): i32 {
  const knights = (2 * KNIGHT) | (us << 4);
  // A pinned knight never moves
  let lo = bb[knights] & ~masks[PIN_LO];
  let hi = bb[knights + 1] & ~masks[PIN_HI];
  while ((lo | hi) !== 0) {
    const from = lowestSquare(lo, hi);
    hi = withoutLowest(lo, hi);
    lo &= lo - 1;
    n = pushMoves(n, from, KNIGHTS[2 * from] & goalLo, KNIGHTS[2 * from + 1] & goalHi);
  }
  return n;
}

function sliderMoves(n: i32, us: Color, type: PieceType, goalLo: i32, goalHi: i32): i32 {
  const at = 2 * type + (us << 4);
  let lo = bb[at];
  let hi = bb[at + 1];
  const king = state[KING_SQUARE + us] << 6;
  const occLo = masks[OCC_LO];
  const occHi = masks[OCC_HI];
  const pinLo = masks[PIN_LO];
  const pinHi = masks[PIN_HI];
  while ((lo | hi) !== 0) {
    const from = lowestSquare(lo, hi);
    hi = withoutLowest(lo, hi);
    lo &= lo - 1;
    let attackLo = 0;
    let attackHi = 0;
    if (type !== ROOK) {
      const attacks = bishopAttacks(from, occLo, occHi);
      attackLo = lowHalf(attacks);
      attackHi = highHalf(attacks);
    }
    if (type !== BISHOP) {
      const attacks = rookAttacks(from, occLo, occHi);
      attackLo |= lowHalf(attacks);
      attackHi |= highHalf(attacks);
    }
    attackLo &= goalLo;
    attackHi &= goalHi;
    if (hasSquare(pinLo, pinHi, from)) {
      attackLo &= LINE[2 * (king | from)];
      attackHi &= LINE[2 * (king | from) + 1];
    }
    n = pushMoves(n, from, attackLo, attackHi);
  }
  return n;
}
