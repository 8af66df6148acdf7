// Correction histories: running averages of the search's score minus the static evaluation, by pawns,
// by the pieces of each side, by minor and by major pieces, and by the last moves. They correct the static
// evaluation. (Idea: Caissa; pieces of each side, minor and major pieces: Stockfish; last moves: Sirius.)

import { lowBits, product, shiftDown } from '../board/bitboards/bitboard.js';
import { EMPTY } from '../board/bitboards/tables.js';
import { both } from '../board/placement.js';
import { bb, keys, state } from '../board/position.js';
import { BISHOP, BLACK, KING, KNIGHT, PAWN, QUEEN, ROOK } from '../board/types.js';
import { hasBareKing } from '../eval/endgame/endgame.js';
import { abs, imul, max, min } from '../kernel/primitives.js';
import { moveBefore } from './history.js';
import { CORRECTIONS, corrections, MIX, MOVE_NAMES } from './history-tables.js';
import { P } from './params.js';
import { MATE_BOUND } from './score.js';

/** Fixed-point unit of a correction, and the largest in centipawns. */
const UNIT = 256;
const MAX = 64 * UNIT;
/** Largest step of a correction. */
const STEP = 8 * UNIT;
/** Plies without capture or pawn move after which the evaluation is scaled down, and the number of plies to zero. */
const FADE_AFTER = 10;
const FADE = 190;
/** Denominator of the running averages' steps. */
const WEIGHT = 256;

function pawnEntry(): i32 {
  return (state.stm * CORRECTIONS) | (lowBits(keys.pawns) & (CORRECTIONS - 1));
}

// Keys of each side's pieces, and of both sides' minor and major pieces, set by findKeys()
let whiteKey: u64 = EMPTY;
let blackKey: u64 = EMPTY;
let minorKey: u64 = EMPTY;
let majorKey: u64 = EMPTY;

function mixed(piece: Piece): u64 {
  return product(bb[piece], MIX[piece]);
}

// Recomputed from the boards, because independent multiplications with good high bits are cheaper than incremental keys
function findKeys(): void {
  const black = BLACK << 3;
  const whiteMinors = mixed(KNIGHT) ^ mixed(BISHOP);
  const blackMinors = mixed(black | KNIGHT) ^ mixed(black | BISHOP);
  const whiteMajors = mixed(ROOK) ^ mixed(QUEEN);
  const blackMajors = mixed(black | ROOK) ^ mixed(black | QUEEN);
  whiteKey = whiteMinors ^ whiteMajors ^ mixed(KING);
  blackKey = blackMinors ^ blackMajors ^ mixed(black | KING);
  minorKey = whiteMinors ^ blackMinors;
  majorKey = whiteMajors ^ blackMajors;
}

function entryOf(key: u64): i32 {
  return (state.stm * CORRECTIONS) | lowBits(shiftDown(key, 50));
}

function moveEntry(ply: i32): i32 {
  return state.stm * MOVE_NAMES + moveBefore(ply, 1);
}

/** An odd multiplier whose products have good high bits: 2^32 over the golden ratio (Knuth). */
const GOLDEN = -1640531535;

function movesEntry(ply: i32): i32 {
  const names = moveBefore(ply, 2) * MOVE_NAMES + moveBefore(ply, 1);
  return (state.stm * CORRECTIONS) | (imul(names, GOLDEN) >>> 18);
}

// Exact knowledge about a bare king is not corrected: without pawns, small steps drive the king into the right corner, and corrections
// would hide them
function isUncorrected(): boolean {
  return both(PAWN) === EMPTY || hasBareKing();
}

function correction(ply: i32): i32 {
  findKeys();
  const sum =
    P.CORR_PAWNS * corrections.pawns[pawnEntry()] +
    P.CORR_PIECES * (corrections.whitePieces[entryOf(whiteKey)] + corrections.blackPieces[entryOf(blackKey)]) +
    P.CORR_MINORS * corrections.minors[entryOf(minorKey)] +
    P.CORR_MAJORS * corrections.majors[entryOf(majorKey)] +
    P.CORR_MOVE * corrections.lastMove[moveEntry(ply)] +
    P.CORR_MOVES * corrections.lastMoves[movesEntry(ply)];
  return (sum / (100 * UNIT)) | 0;
}

// Scales the evaluation down towards the fifty-move draw
function faded(score: i32): i32 {
  return ((score * (FADE - max(0, state.rule50 - FADE_AFTER))) / FADE) | 0;
}

/** Returns the ply's corrected static evaluation (centipawns, side to move). */
export function corrected(staticEval: i32, ply: i32): i32 {
  const score = isUncorrected() ? staticEval : faded(staticEval + correction(ply));
  return max(1 - MATE_BOUND, min(MATE_BOUND - 1, score));
}

/** Updates the corrections after a search whose score differed from the ply's corrected evaluation by `difference` centipawns. */
export function learnCorrection(difference: i32, depth: i32, ply: i32): void {
  if (isUncorrected()) return;
  const weight = min(depth + 1, 16);
  findKeys();
  learn(corrections.pawns, pawnEntry(), difference, weight);
  learn(corrections.whitePieces, entryOf(whiteKey), difference, weight);
  learn(corrections.blackPieces, entryOf(blackKey), difference, weight);
  learn(corrections.minors, entryOf(minorKey), difference, weight);
  learn(corrections.majors, entryOf(majorKey), difference, weight);
  learn(corrections.lastMove, moveEntry(ply), difference, weight);
  learn(corrections.lastMoves, movesEntry(ply), difference, weight);
}

// History gravity: steps shrink near the limit
function learn(table: I16s, entry: i32, difference: i32, weight: i32): void {
  const bonus = max(-STEP, min(STEP, ((difference * UNIT * weight) / WEIGHT) | 0));
  table[entry] += bonus - (((table[entry] * abs(bonus)) / MAX) | 0);
}
