// Legal move generation with check and pin masks, and perft. In check, a piece other than the king may move only to squares that block the
// check or capture the checking piece. A pinned piece may move only along its pin.

import { isStopRaised } from '../kernel/primitives.js';
import { isAttacked } from './attacked.js';
import { pieceAttacks } from './bitboards/attacks.js';
import { hasSquare, lowestSquare, popcount, squareBoard, withoutLowest } from './bitboards/bitboard.js';
import { EMPTY, FULL, KING_ATTACKS, LINE } from './bitboards/tables.js';
import { canCastle, findChecksAndPins } from './checks.js';
import { makeMove, unmakeMove } from './makemove.js';
import { CASTLING } from './move-fields.js';
import { pawnCaptures, pawnSteps } from './pawn-moves.js';
import { ALL_WHITE, bb, castlingRook, kingSquare, state } from './position.js';
import { KNIGHT, PAWN, QUEEN } from './types.js';
import { checkSquares, generation, MAX_MOVES, masks, moves } from './workspace.js';

/** Kinds of moves to generate: captures and promotions, all other moves, or both. */
export const NOISY = 1;
export const QUIET = 2;
export const ALL = 3;

/** Writes all legal moves from `moves[start]` on and returns the index after the last. */
export function generateLegal(start: i32): i32 {
  return generate(start, ALL);
}

/** Writes the legal moves of a kind (NOISY, QUIET or ALL) from `moves[start]` on and returns the index after the last. */
export function generate(start: i32, kind: i32): i32 {
  const us = state.stm;
  findChecksAndPins(us);
  const ours = ALL_WHITE | (us << 3);
  const targets = kind === ALL ? FULL ^ bb[ours] : kind === NOISY ? bb[ours ^ 8] : FULL ^ masks.occupied;

  let n = kingMoves(start, us, targets);
  if (generation.checkers > 1) return n;
  if (generation.checkers === 0 && (kind & QUIET) !== 0 && state.castlingRights !== 0) n = castlingMoves(n, us);
  const goals = targets & masks.check;
  for (let type = KNIGHT; type <= QUEEN; type++) n = pieceMoves(n, us, type, goals);
  if ((kind & QUIET) !== 0) n = pawnSteps(n, goals);
  return (kind & NOISY) !== 0 ? pawnCaptures(n) : n;
}

/**
 * Writes the legal quiet moves that give direct check, except castling, from `moves[start]` on and returns the index after the last. The
 * side to move must not be in check; `checks` is the index of findCheckSquares' output.
 */
export function generateChecks(start: i32, checks: i32): i32 {
  const us = state.stm;
  findChecksAndPins(us);
  const free = FULL ^ masks.occupied;
  let n = start;
  for (let type = KNIGHT; type <= QUEEN; type++) n = pieceMoves(n, us, type, free & checkSquares[checks + type]);
  return pawnSteps(n, checkSquares[checks + PAWN]);
}

// In counting mode, most moves are counted without being written
function countLegal(start: i32): i32 {
  generation.countOnly = 1;
  const end = generate(start, ALL);
  generation.countOnly = 0;
  return end - start;
}

function pushMoves(n: i32, from: Square, targets: u64): i32 {
  if (generation.countOnly !== 0) return n + popcount(targets);
  for (let rest = targets; rest !== EMPTY; rest = withoutLowest(rest)) moves[n++] = from | (lowestSquare(rest) << 6);
  return n;
}

function kingMoves(n: i32, us: Color, targets: u64): i32 {
  const king = kingSquare[us];
  // The king does not shield the squares behind it from a slider
  const occupied = masks.occupied & ~squareBoard(king);
  for (let rest = KING_ATTACKS[king] & targets; rest !== EMPTY; rest = withoutLowest(rest)) {
    const to = lowestSquare(rest);
    if (!isAttacked(to, us ^ 1, occupied)) moves[n++] = king | (to << 6);
  }
  return n;
}

function castlingMoves(n: i32, us: Color): i32 {
  for (let right = 2 * us; right < 2 * us + 2; right++) {
    if (canCastle(us, right)) moves[n++] = kingSquare[us] | (castlingRook[right] << 6) | (CASTLING << 14);
  }
  return n;
}

function pieceMoves(n: i32, us: Color, type: PieceType, goals: u64): i32 {
  const king = kingSquare[us] << 6;
  for (let pieces = bb[type | (us << 3)]; pieces !== EMPTY; pieces = withoutLowest(pieces)) {
    const from = lowestSquare(pieces);
    let attacks = pieceAttacks(type, from, masks.occupied) & goals;
    if (hasSquare(masks.pin, from)) attacks &= LINE[king | from];
    n = pushMoves(n, from, attacks);
  }
  return n;
}

// Perft: the number of move paths of a given length, the standard test for a move generator

/** Minimum remaining depth at which perft polls for a stop; a subtree of this depth takes a few milliseconds. */
const ASK_AT = 4;

/** Returns the number of leaves at a depth in plies, or fewer if stopped. With `bulk`, the last ply is counted without being played. */
export function perft(depth: i32, bulk: boolean, ply: i32): f64 {
  if (depth === 0 || (depth >= ASK_AT && isStopRaised())) return 1;
  const start = ply * MAX_MOVES;
  if (bulk && depth === 1) return countLegal(start);
  const end = generateLegal(start);
  let nodes: f64 = 0;
  for (let i = start; i < end; i++) {
    const move = moves[i];
    makeMove(move);
    nodes += perft(depth - 1, bulk, ply + 1);
    unmakeMove(move);
  }
  return nodes;
}
