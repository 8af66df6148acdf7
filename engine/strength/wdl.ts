// Probabilities of win, draw and loss from score and material, using Stockfish's WDL model: P(win) is a logistic function of the score,
// P(loss) is the same function of the opponent's score, and the rest is P(draw). The function's midpoint a and spread b depend on the
// material.

import { board } from '../board/position.js';
import { NO_PIECE } from '../board/types.js';
import { MATE_BOUND } from '../search/score.js';
import { WDL_MODEL } from './wdl-model.js';

/** ln a and ln b (a and b in centipawns) as polynomials in `material / 58`, constant term first. Logarithms keep a and b positive. */
export interface WdlModel {
  readonly logA: readonly number[];
  readonly logB: readonly number[];
}

/** Probabilities for the side to move, per mille; they add up to 1000. */
export interface Wdl {
  win: number;
  draw: number;
  loss: number;
}

const PIECE_VALUES = [1, 3, 3, 5, 9, 0];
const MIN_MATERIAL = 17;
const MAX_MATERIAL = 78;

/** Returns the material on the board, both sides, in pawns (1-3-3-5-9). */
export function materialOnBoard(): number {
  return board.reduce((sum, piece) => (piece === NO_PIECE ? sum : sum + PIECE_VALUES[piece & 7]), 0);
}

/** Returns the variable of the model's polynomials, clamped to the usual range of material. */
export function materialVariable(material: number): number {
  return Math.max(MIN_MATERIAL, Math.min(MAX_MATERIAL, material)) / 58;
}

/** Returns the value of a polynomial; the constant term comes first. */
export function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0);
}

/** Returns the winning probability, 0 to 1, of the side with this score (centipawns) at this material (pawns). */
export function winChance(model: WdlModel, score: number, material: number): number {
  const x = materialVariable(material);
  const a = Math.exp(polynomial(model.logA, x));
  const b = Math.exp(polynomial(model.logB, x));
  return 1 / (1 + Math.exp((a - score) / b));
}

/** Returns the probabilities for a score in centipawns for the side to move; mates are certain. */
export function wdlOf(score: number, material: number): Wdl {
  if (score >= MATE_BOUND) return { win: 1000, draw: 0, loss: 0 };
  if (score <= -MATE_BOUND) return { win: 0, draw: 0, loss: 1000 };
  const win = perMille(winChance(WDL_MODEL, score, material));
  const loss = perMille(winChance(WDL_MODEL, -score, material));
  return { win, draw: 1000 - win - loss, loss };
}

// Halves are rounded down so that the sum never exceeds 1000
const perMille = (chance: number): number => Math.max(0, Math.ceil(1000 * chance - 0.5));
