// columnsOf(): the coefficients by term instead of by position (CSC). tryColumn() computes how the losses change if one weight moves, and
// moveColumn() moves the weight. Both visit only the positions in which its term occurs. Each position stores odds = exp(−scale · score),
// so a move is one multiplication: exp(−scale · (score + d)) = odds · exp(−scale · d). Without endgame scaling, the second factor has one
// value per coefficient and phase.

import { type Dataset, entryCoefficient, entryIndex, entryPart, positionCount } from '../dataset/dataset.js';
import { crossEntropy } from '../passes/curves.js';
import type { LossKind } from './loss.js';
import type { LoopArrays } from './pass-memory.js';

export interface Columns {
  /** 1 for terms of danger and scale, which act through curves and have no columns. */
  isNonlinear: Uint8Array;
  /** The rows and coefficients of a term, as views of shared memory. */
  of(term: number): { rows: Uint32Array; coefficients: Int16Array };
}

/** Returns the columns of the data, at six bytes per coefficient. */
export function columnsOf(dataset: Dataset, terms: number): Columns {
  const { offsets, packed } = dataset;
  const starts = new Float64Array(terms + 1);
  const isNonlinear = new Uint8Array(terms);
  for (const entry of packed) {
    if (entryPart(entry) === 0) starts[entryIndex(entry) + 1]++;
    else isNonlinear[entryIndex(entry)] = 1;
  }
  for (let term = 0; term < terms; term++) starts[term + 1] += starts[term];

  const rows = new Uint32Array(new SharedArrayBuffer(4 * packed.length));
  const coefficients = new Int16Array(new SharedArrayBuffer(2 * packed.length));
  const next = starts.slice();
  for (let row = 0; row < positionCount(dataset); row++) {
    for (let at = offsets[row]; at < offsets[row + 1] && entryPart(packed[at]) === 0; at++) {
      const place = next[entryIndex(packed[at])]++;
      rows[place] = row;
      coefficients[place] = entryCoefficient(packed[at]);
    }
  }
  return {
    isNonlinear,
    of: (term) => ({
      rows: rows.subarray(starts[term], starts[term + 1]),
      coefficients: coefficients.subarray(starts[term], starts[term + 1]),
    }),
  };
}

/** The rows of one term, and whether its endgame value moves. */
export interface Column {
  rows: Uint32Array;
  coefficients: Int16Array;
  endgame: boolean;
}

interface ColumnMove {
  column: Column;
  step: number;
}

const PHASES = 25;
const COEFFICIENTS = 256;
let factors = new Float64Array(0);
let factorsOf = Number.NaN;

/** Returns exp(−step · coefficient · phase / 24). For whole phases, the values are cached; an entry of 0 has not been computed yet. */
function factor(coefficient: number, phase: number, step: number): number {
  if (!Number.isInteger(phase)) return Math.exp((-step * coefficient * phase) / 24);
  if (step !== factorsOf) {
    factors = new Float64Array(2 * COEFFICIENTS * PHASES);
    factorsOf = step;
  }
  const at = (coefficient + COEFFICIENTS) * PHASES + phase;
  if (factors[at] === 0) factors[at] = Math.exp((-step * coefficient * phase) / 24);
  return factors[at];
}

/** Returns whether an endgame value moves and a side's endgame factor is not 1. A move can change the side whose factor applies. */
function isScaled({ endgames }: LoopArrays, { endgame }: Column, row: number): boolean {
  return endgame && (endgames[3 * row + 1] !== 1 || endgames[3 * row + 2] !== 1);
}

/** Returns the factor by which a row's odds change when the weight moves by `step`; `at` is the row's index in the column. */
function changeOf(arrays: LoopArrays, scale: number, { column, step }: ColumnMove, at: number): number {
  const { phase, endgames } = arrays;
  const { rows, coefficients, endgame } = column;
  const row = rows[at];
  const share = endgame ? 24 - phase[row] : phase[row];
  if (!isScaled(arrays, column, row)) return factor(coefficients[at], share, scale * step);
  // The move may change which side the endgame favours, and each side has its own factor
  const scaled = (eg: number): number => eg * endgames[3 * row + (eg < 0 ? 2 : 1)];
  const eg = endgames[3 * row];
  return Math.exp((-scale * (scaled(eg + step * coefficients[at]) - scaled(eg)) * share) / 24);
}

/** Returns the sums of the changes in the losses over part of a column: up train, up held-out, down train, down held-out. */
export function tryColumn(
  arrays: LoopArrays,
  { scale, loss }: { scale: number; loss: LossKind },
  { column, step }: ColumnMove,
  from: number,
  to: number,
): number[] {
  const { result, target, weight, heldOut, odds } = arrays;
  const { rows } = column;
  const plain = target.length === 0;
  const error = loss === 'mse' ? squaredError : crossEntropy;
  const sums = [0, 0, 0, 0];
  for (let at = from; at < to; at++) {
    const i = rows[at];
    const up = changeOf(arrays, scale, { column, step }, at);
    const down = isScaled(arrays, column, i) ? changeOf(arrays, scale, { column, step: -step }, at) : 1 / up;
    const wanted = plain ? result[i] / 2 : target[i];
    const times = plain ? 1 : weight[i];
    const errorAt = (at: number): number => error(1 / (1 + at), wanted);
    const here = errorAt(odds[i]);
    sums[heldOut[i]] += times * (errorAt(odds[i] * up) - here);
    sums[2 + heldOut[i]] += times * (errorAt(odds[i] * down) - here);
  }
  return sums;
}

/** Moves the weight: updates the odds and the endgame values of part of its column. */
export function moveColumn(arrays: LoopArrays, scale: number, move: ColumnMove, from: number, to: number): void {
  const { rows, coefficients, endgame } = move.column;
  for (let at = from; at < to; at++) {
    arrays.odds[rows[at]] *= changeOf(arrays, scale, move, at);
    if (endgame) arrays.endgames[3 * rows[at]] += move.step * coefficients[at];
  }
}

function squaredError(p: number, target: number): number {
  const miss = p - target;
  return miss * miss;
}
