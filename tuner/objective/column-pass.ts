// tryColumn() and moveColumn(): what one weight's move does to the losses, from the positions of its term alone. With odds = exp(−scale ·
// score) stored for each position a move is one multiplication and a division: exp(−scale · (score + d)) = odds · exp(−scale · d), and the
// second factor takes few values, one for each coefficient and phase.

import { crossEntropy } from '../loops/logistic.js';
import type { LoopArrays } from '../loops/share.js';
import type { Column, PassRequest } from './objective.js';

interface ColumnMove {
  column: Column;
  step: number;
}

const PHASES = 25;
const COEFFICIENTS = 256;
let factors = new Float64Array(0);
let factorsOf = Number.NaN;

/** exp(−step · coefficient · share of the phase), by coefficient and phase; 0 while not asked for. */
function factor(coefficient: number, phase: number, step: number): number {
  if (step !== factorsOf) {
    factors = new Float64Array(2 * COEFFICIENTS * PHASES);
    factorsOf = step;
  }
  const at = (coefficient + COEFFICIENTS) * PHASES + phase;
  if (factors[at] === 0) factors[at] = Math.exp((-step * coefficient * phase) / 24);
  return factors[at];
}

/** Returns the sums of the changes of the losses over part of a column: up train, up held-out, down train, down held-out. */
export function tryColumn(
  { phase, result, target, weight, heldOut, odds }: LoopArrays,
  { scale, loss }: PassRequest,
  { column, step }: ColumnMove,
  from: number,
  to: number,
): number[] {
  const { rows, coefficients, endgame } = column;
  const plain = target.length === 0;
  const error = loss === 'mse' ? squaredError : crossEntropy;
  const sums = [0, 0, 0, 0];
  for (let at = from; at < to; at++) {
    const i = rows[at];
    const change = factor(coefficients[at], endgame ? 24 - phase[i] : phase[i], scale * step);
    const wanted = plain ? result[i] / 2 : target[i];
    const times = plain ? 1 : weight[i];
    const errorAt = (at: number): number => error(1 / (1 + at), wanted);
    const here = errorAt(odds[i]);
    sums[heldOut[i]] += times * (errorAt(odds[i] * change) - here);
    sums[2 + heldOut[i]] += times * (errorAt(odds[i] / change) - here);
  }
  return sums;
}

/** Moves the weight: brings the odds of part of its column up to date. */
export function moveColumn(
  { phase, odds }: LoopArrays,
  scale: number,
  { column, step }: ColumnMove,
  from: number,
  to: number,
): void {
  const { rows, coefficients, endgame } = column;
  for (let at = from; at < to; at++) {
    const i = rows[at];
    odds[i] *= factor(coefficients[at], endgame ? 24 - phase[i] : phase[i], scale * step);
  }
}

function squaredError(p: number, target: number): number {
  const miss = p - target;
  return miss * miss;
}
