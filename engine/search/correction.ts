// Correction histories: by how much the search's scores have differed from the static evaluation in positions with the same pawns,
// with the same pieces of a side, and after the same move; what was learned there corrects the evaluation here.
// (Idea: Caissa; pieces of each side: Stockfish.)

import { bb, PAWN_KEY_LO, STM, state } from '../board/position.js';
import { BLACK, KNIGHT, PAWN, WHITE } from '../board/types.js';
import { imul, max, min } from '../kernel/integers.js';
import { moveBefore } from './history.js';
import { byBlackPieces, byLastMove, byPawns, byWhitePieces, CORRECTIONS, MIX, MOVE_NAMES } from './history-tables.js';
import { CORR_MOVE, CORR_PAWNS, CORR_PIECES, params as P } from './params.js';
import { MATE_BOUND } from './score.js';

/** Fixed-point unit of a correction, and the largest in centipawns. */
const GRAIN = 256;
const MOST = 64 * GRAIN;
/** Running averages move by a share of this. */
const WEIGHT = 256;

function pawnEntry(): i32 {
  return (state[STM] * CORRECTIONS) | (state[PAWN_KEY_LO] & (CORRECTIONS - 1));
}

// Summed anew from the boards: independent multiplications, of which the high bits are good, cost less than a key carried through every move
function piecesEntry(side: Color): i32 {
  const at = 2 * (KNIGHT | (side << 3));
  let key = 0;
  for (let i = 0; i < 10; i++) key = (key + imul(bb[at + i], MIX[i])) | 0;
  return (state[STM] * CORRECTIONS) | (key >>> 18);
}

function moveEntry(ply: i32): i32 {
  return state[STM] * MOVE_NAMES + moveBefore(ply);
}

// Without pawns it is small steps that drive a bare king into the right corner; corrections as large would hide the way
function isPawnless(): boolean {
  return (bb[2 * PAWN] | bb[2 * PAWN + 1] | bb[2 * PAWN + 16] | bb[2 * PAWN + 17]) === 0;
}

function correction(ply: i32): i32 {
  const sum =
    P[CORR_PAWNS] * byPawns[pawnEntry()] +
    P[CORR_PIECES] * (byWhitePieces[piecesEntry(WHITE)] + byBlackPieces[piecesEntry(BLACK)]) +
    P[CORR_MOVE] * byLastMove[moveEntry(ply)];
  return (sum / (100 * GRAIN)) | 0;
}

/** Returns the ply's static evaluation (centipawns, side to move) with what has been learned of such positions. */
export function corrected(staticEval: i32, ply: i32): i32 {
  const score = isPawnless() ? staticEval : staticEval + correction(ply);
  return max(1 - MATE_BOUND, min(MATE_BOUND - 1, score));
}

/** Learns from a search to the depth whose score differed from the ply's corrected evaluation by so many centipawns. */
export function learnCorrection(difference: i32, depth: i32, ply: i32): void {
  if (isPawnless()) return;
  const weight = min(depth + 1, 16);
  learn(byPawns, pawnEntry(), difference, weight);
  learn(byWhitePieces, piecesEntry(WHITE), difference, weight);
  learn(byBlackPieces, piecesEntry(BLACK), difference, weight);
  learn(byLastMove, moveEntry(ply), difference, weight);
}

function learn(corrections: I32s, entry: i32, difference: i32, weight: i32): void {
  const target = max(-MOST, min(MOST, difference * GRAIN + corrections[entry]));
  corrections[entry] += (((target - corrections[entry]) * weight) / WEIGHT) | 0;
}
