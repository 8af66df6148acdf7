// The evaluation: tapered, linear in its weights, written once. Each term is scored in one place, where it is also traced.

import * as position from '../board/position.js';
import * as types from '../board/types.js';
import { findArea, startAttacks } from './attack-map.js';
import { endgameValue } from './endgame.js';
import { scoreKingAttack, scoreKingLines } from './king.js';
import { scorePassed } from './passed.js';
import * as cache from './pawn-cache.js';
import { clearPawnTable } from './pawn-cache.js';
import { findPawns } from './pawns.js';
import { scorePieces } from './pieces.js';
import { countPsqt, fillPsqt } from './psqt.js';
import { egOf, MAX_PHASE, mgOf, packScore, taper } from './score.js';
import { scoreShelters } from './shelter.js';
import { scoreSpace } from './space.js';
import * as terms from './terms.js';
import { scoreThreats } from './threats.js';
import { count, traceCounts, tracing } from './trace.js';
import { checkWeightSet, weightVectors } from './weight-set.js';
import { weightVector } from './weight-vector.js';
import { WEIGHTS } from './weights.js';

const { KEY_HI, KEY_LO, PHASE, PSQT_SUM, STM, state } = position;
const { BLACK, WHITE } = types;
const { PAWN_SCORE, pawnTable: table } = cache;
const { TEMPO, TERM_COUNT } = terms;

const W = weightVector;

/** Makes the evaluation use these whole centipawn values by term index. The transposition table must be cleared by the caller. */
export function setWeights(mg: ArrayLike<number>, eg: ArrayLike<number>): void {
  for (let i = 0; i < TERM_COUNT; i++) W[i] = packScore(mg[i], eg[i]);
  fillPsqt(W);
  clearPawnTable();
  cached.fill(0);
}

/** Returns the values in use by term index. */
export function currentWeights(): { mg: number[]; eg: number[] } {
  return { mg: Array.from(W, mgOf), eg: Array.from(W, egOf) };
}

/** Returns the phase, from 24 with all pieces to 0 with pawns only. */
export function gamePhase(): number {
  const phase = state[PHASE];
  return phase > MAX_PHASE ? MAX_PHASE : phase;
}

// Packed score of the position, White minus Black
function score(): number {
  let score = state[PSQT_SUM];
  if (tracing) countPsqt();

  const us = state[STM];
  score += us === WHITE ? W[TEMPO] : -W[TEMPO];
  if (tracing) count(us, TEMPO, 1);

  const pawns = findPawns();
  score += table[pawns + PAWN_SCORE];

  startAttacks(WHITE);
  startAttacks(BLACK);
  findArea(WHITE);
  findArea(BLACK);
  score += scorePieces(WHITE, pawns) - scorePieces(BLACK, pawns);
  score += scoreShelters(pawns);
  score += scoreKingAttack(WHITE) - scoreKingAttack(BLACK);
  score += scoreKingLines(WHITE) - scoreKingLines(BLACK);
  score += scoreThreats(WHITE) - scoreThreats(BLACK);
  score += scoreSpace(WHITE, pawns) - scoreSpace(BLACK, pawns);
  score += scorePassed(WHITE, pawns) - scorePassed(BLACK, pawns);

  return score | 0;
}

/** Whole evaluations by key: of positions that the search left without a table entry, or whose entry was overwritten. */
const CACHE_ENTRIES = 1 << 15;
/** Added to what is cached, so that 0 is no evaluation. */
const CACHE_BIAS = 1 << 20;
const cached = new Int32Array(2 * CACHE_ENTRIES);

/** An evaluation never looks like a mate score, whatever the weights. */
const EVALUATION_LIMIT = 30000;

/** Returns the static evaluation in centipawns for the side to move: what the weights say, or what is known of the endgame. */
export function evaluate(): number {
  const keyHi = state[KEY_HI];
  const entry = 2 * (state[KEY_LO] & (CACHE_ENTRIES - 1));
  if (cached[entry] === keyHi && cached[entry + 1] !== 0 && !tracing) return cached[entry + 1] - CACHE_BIAS;
  const packed = score();
  const white = endgameValue(taper(mgOf(packed), egOf(packed), gamePhase()));
  const own = state[STM] === WHITE ? white : 0 - white;
  const value = own > EVALUATION_LIMIT ? EVALUATION_LIMIT : own < -EVALUATION_LIMIT ? -EVALUATION_LIMIT : own;
  cached[entry] = keyHi;
  cached[entry + 1] = value + CACHE_BIAS;
  return value;
}

/** Returns the middlegame and endgame values before tapering, White minus Black. */
export function rawScore(): { mg: number; eg: number } {
  const packed = score();
  return { mg: mgOf(packed), eg: egOf(packed) };
}

/** Evaluates into a fresh trace (see trace.ts) and returns the value in centipawns from White's side. */
export function traceEvaluate(): number {
  traceCounts.fill(0);
  const { mg, eg } = rawScore();
  return taper(mg, eg, gamePhase());
}

const compiled = weightVectors(checkWeightSet(WEIGHTS));
setWeights(compiled.mg, compiled.eg);
