// Correction histories: by how much the search's scores have differed from the static evaluation in positions with the same pawns,
// with the same pieces of a side, and after the same move; what was learned there corrects the evaluation here.
// (Idea: Caissa; pieces of each side: Stockfish.)

import { bb as boards, PAWN_KEY_LO, STM, state as scalars } from '../board/position.js';
import { createRandom } from '../board/random.js';
import { BLACK, type Color, KNIGHT, PAWN, WHITE } from '../board/types.js';
import { MOVE_NAMES, moveBefore } from './history.js';
import { params } from './params.js';
import { MATE_BOUND } from './score.js';

const bb = boards;
const state = scalars;
const P = params;

const SIZE = 1 << 14;
/** Fixed-point unit of a correction, and the largest in centipawns. */
const GRAIN = 256;
const MOST = 64 * GRAIN;
/** Running averages move by a share of this. */
const WEIGHT = 256;
const byPawns = new Int32Array(2 * SIZE);
const byWhitePieces = new Int32Array(2 * SIZE);
const byBlackPieces = new Int32Array(2 * SIZE);
const byLastMove = new Int32Array(2 * MOVE_NAMES);

function pawnEntry(): number {
  return (state[STM] * SIZE) | (state[PAWN_KEY_LO] & (SIZE - 1));
}

const random = createRandom(0x636f7272);
/** Odd multipliers for the halves of five boards. */
const MIX = Int32Array.from({ length: 10 }, () => random() | 1);

// Summed anew from the boards: independent multiplications, of which the high bits are good, cost less than a key carried through every move
function piecesEntry(side: Color): number {
  const at = 2 * (KNIGHT | (side << 3));
  let key = 0;
  for (let i = 0; i < 10; i++) key = (key + Math.imul(bb[at + i], MIX[i])) | 0;
  return (state[STM] * SIZE) | (key >>> 18);
}

function moveEntry(ply: number): number {
  return state[STM] * MOVE_NAMES + moveBefore(ply);
}

// Without pawns it is small steps that drive a bare king into the right corner; corrections as large would hide the way
function isPawnless(): boolean {
  return (bb[2 * PAWN] | bb[2 * PAWN + 1] | bb[2 * PAWN + 16] | bb[2 * PAWN + 17]) === 0;
}

function correction(ply: number): number {
  const sum =
    P.corrPawns * byPawns[pawnEntry()] +
    P.corrPieces * (byWhitePieces[piecesEntry(WHITE)] + byBlackPieces[piecesEntry(BLACK)]) +
    P.corrMove * byLastMove[moveEntry(ply)];
  return (sum / (100 * GRAIN)) | 0;
}

/** Returns the ply's static evaluation (centipawns, side to move) with what has been learned of such positions. */
export function corrected(staticEval: number, ply: number): number {
  const score = isPawnless() ? staticEval : staticEval + correction(ply);
  return Math.max(1 - MATE_BOUND, Math.min(MATE_BOUND - 1, score));
}

/** Learns from a search to the depth whose score differed from the ply's corrected evaluation by so many centipawns. */
export function learnCorrection(difference: number, depth: number, ply: number): void {
  if (isPawnless()) return;
  const weight = Math.min(depth + 1, 16);
  learn(byPawns, pawnEntry(), difference, weight);
  learn(byWhitePieces, piecesEntry(WHITE), difference, weight);
  learn(byBlackPieces, piecesEntry(BLACK), difference, weight);
  learn(byLastMove, moveEntry(ply), difference, weight);
}

function learn(corrections: Int32Array, entry: number, difference: number, weight: number): void {
  const target = Math.max(-MOST, Math.min(MOST, difference * GRAIN + corrections[entry]));
  corrections[entry] += (((target - corrections[entry]) * weight) / WEIGHT) | 0;
}

/** Forgets all corrections. */
export function clearCorrections(): void {
  for (const corrections of [byPawns, byWhitePieces, byBlackPieces, byLastMove]) corrections.fill(0);
}
