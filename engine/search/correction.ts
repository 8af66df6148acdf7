// Correction histories: decaying sums of the search's score minus the corrected static evaluation, by pawns, by the pieces of each side, by
// minor and by major pieces, and by the last moves. They correct the static evaluation. (Idea: Caissa; pieces of each side, minor and major
// pieces: Stockfish; last moves: Sirius.)

import { lowBits, product, shiftDown } from '../board/bitboards/bitboard.js';
import { EMPTY } from '../board/bitboards/tables.js';
import { both } from '../board/placement.js';
import { bb, keys, state } from '../board/position.js';
import { BISHOP, BLACK, KING, KNIGHT, PAWN, QUEEN, ROOK } from '../board/types.js';
import { hasBareKing } from '../eval/endgame/endgame.js';
import { max, min } from '../kernel/primitives.js';
import { gravity, moveBefore } from './history.js';
import { CORRECTION_KINDS, CORRECTIONS, correctionEntries, corrections, MIX, MOVE_NAMES } from './history-tables.js';
import { P } from './params.js';
import { MATE_BOUND } from './score.js';

/** Fixed-point unit of a correction, and the largest step. */
const UNIT = 256;
const STEP = 8 * UNIT;
/** The evaluation begins to fade after this many plies without a capture or pawn move, and would be zero `FADE` plies later. */
const FADE_AFTER = 10;
const FADE = 190;
/** Denominator of the share of a difference that one update adds. */
const WEIGHT = 256;
/** An odd multiplier whose products have good high bits: a prime near 2^32 over the golden ratio (Knuth). */
const GOLDEN = -1640531535;

const PAWNS = 0;
const WHITE_PIECES = 1;
const BLACK_PIECES = 2;
const MINORS = 3;
const MAJORS = 4;
const LAST_MOVE = 5;
const LAST_MOVES = 6;

// Keys of pieces are recomputed from the boards, because independent multiplications with good high bits are cheaper than incremental keys
function findEntries(ply: i32): void {
  const black = BLACK << 3;
  const whiteMinors = mixed(KNIGHT) ^ mixed(BISHOP);
  const blackMinors = mixed(black | KNIGHT) ^ mixed(black | BISHOP);
  const whiteMajors = mixed(ROOK) ^ mixed(QUEEN);
  const blackMajors = mixed(black | ROOK) ^ mixed(black | QUEEN);
  const last = moveBefore(ply, 1);
  setEntry(PAWNS, lowBits(keys.pawns) & (CORRECTIONS - 1));
  setEntry(WHITE_PIECES, highest(whiteMinors ^ whiteMajors ^ mixed(KING)));
  setEntry(BLACK_PIECES, highest(blackMinors ^ blackMajors ^ mixed(black | KING)));
  setEntry(MINORS, highest(whiteMinors ^ blackMinors));
  setEntry(MAJORS, highest(whiteMajors ^ blackMajors));
  setEntry(LAST_MOVE, last);
  setEntry(LAST_MOVES, ((moveBefore(ply, 2) * MOVE_NAMES + last) * GOLDEN) >>> 18);
}

function mixed(piece: Piece): u64 {
  return product(bb[piece], MIX[piece]);
}

// The fourteen highest bits, an index below CORRECTIONS
function highest(key: u64): i32 {
  return lowBits(shiftDown(key, 50));
}

function setEntry(kind: i32, key: i32): void {
  correctionEntries[kind] = ((kind << 1) | state.stm) * CORRECTIONS + key;
}

function correctionBy(kind: i32): i32 {
  return corrections[correctionEntries[kind]];
}

// Without pawns or against a bare king, corrections would hide the small differences that drive the king into the right corner
function isUncorrected(): boolean {
  return both(PAWN) === EMPTY || hasBareKing();
}

function correction(ply: i32): i32 {
  findEntries(ply);
  const sum =
    P.CORR_PAWNS * correctionBy(PAWNS) +
    P.CORR_PIECES * (correctionBy(WHITE_PIECES) + correctionBy(BLACK_PIECES)) +
    P.CORR_MINORS * correctionBy(MINORS) +
    P.CORR_MAJORS * correctionBy(MAJORS) +
    P.CORR_MOVE * correctionBy(LAST_MOVE) +
    P.CORR_MOVES * correctionBy(LAST_MOVES);
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
  findEntries(ply);
  const bonus = ((difference * UNIT * min(depth + 1, 16)) / WEIGHT) | 0;
  for (let kind = 0; kind < CORRECTION_KINDS; kind++) {
    const entry = correctionEntries[kind];
    corrections[entry] += gravity(corrections[entry], max(-STEP, min(STEP, bonus)));
  }
}
