// What each feature of knowledge.ts would bring as a term: Rao's score test. The gradient by a weight that does not exist yet,
// less what the existing weights would take over of it (regression on them in the metric of the normal matrix), says which
// value it would get and how much the error would fall; its spread over games says how sure that is.

import { KNOWLEDGE } from '../trace/knowledge.js';
import { FEATURES, type FeatureSums } from '../trace/sight.js';
import type { Certainty } from './certainty.js';

export interface Missing {
  name: string;
  /** Centipawns that one count would be worth, middlegame and endgame, with standard errors. */
  value: [number, number];
  error: [number, number];
  /** By how much the mean error would fall on other games. */
  gain: number;
  /** Of two degrees of freedom: above 13.8 chance would do as much in one case of a thousand. */
  chiSquare: number;
  /** Share of the feature that the existing terms do not say already. */
  unexplained: number;
}

/** A feature that the terms say to all but this is in the evaluation, whatever it is called there. */
const KNOWN = 0.02;

/** Returns the features the evaluation lacks, the most useful first; `gradient` is that of loss and penalty, summed. */
export function missingKnowledge(
  sums: FeatureSums,
  { influence, squares }: Pick<Certainty, 'influence' | 'squares'>,
  gradient: Float64Array,
  total: number,
): Missing[] {
  const found: Missing[] = [];
  for (let f = 0; f < FEATURES; f++) {
    const rows = [f, FEATURES + f];
    const cross = rows.map((row) => lineOf(sums.cross, row, gradient.length));
    const crossSquares = rows.map((row) => lineOf(sums.crossSquares, row, gradient.length));
    const shares = cross.map((line) => product(influence.values, line));
    const spreads = shares.map((line) => product(squares.values, line));
    const slope = rows.map((row, i) => sums.slope[row] - dot(shares[i], gradient));
    const [a, b, d] = [0, 1, 2].map((i) => sums.curvature[3 * f + i]);
    const h = pair(a, b, d, (i, j) => -dot(cross[i], shares[j]));
    const unexplained = Math.min(h[0] / a, h[2] / d);
    const v = pair(sums.squares[3 * f], sums.squares[3 * f + 1], sums.squares[3 * f + 2], (i, j) => {
      return dot(shares[i], spreads[j]) - dot(shares[i], crossSquares[j]) - dot(shares[j], crossSquares[i]);
    });
    if (!(unexplained > KNOWN) || !(determinant(h) > 0) || !(determinant(v) > 0)) continue;
    const steps = solve(h, slope);
    const inverse = invert(h);
    const spread = sandwich(inverse, v);
    const noise = inverse[0] * v[0] + 2 * inverse[1] * v[1] + inverse[2] * v[2];
    const tested = solve(v, slope);
    found.push({
      name: KNOWLEDGE[f],
      value: [-steps[0], -steps[1]],
      error: [Math.sqrt(spread[0]), Math.sqrt(spread[2])],
      gain: (slope[0] * steps[0] + slope[1] * steps[1] - 2 * noise) / (2 * total),
      chiSquare: slope[0] * tested[0] + slope[1] * tested[1],
      unexplained,
    });
  }
  return found.sort((a, b) => b.gain - a.gain);
}

/** A symmetric matrix of two rows: its three different entries. */
type Pair = [number, number, number];

const lineOf = (values: Float64Array, row: number, size: number): Float64Array =>
  values.subarray(row * size, (row + 1) * size);

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** Transposed matrix times vector. */
function product(values: Float64Array, vector: Float64Array): Float64Array {
  const out = new Float64Array(vector.length);
  for (let j = 0; j < vector.length; j++) {
    if (vector[j] === 0) continue;
    const row = j * vector.length;
    for (let i = 0; i < out.length; i++) out[i] += values[row + i] * vector[j];
  }
  return out;
}

const pair = (a: number, b: number, d: number, add: (i: number, j: number) => number): Pair => [
  a + add(0, 0),
  b + add(0, 1),
  d + add(1, 1),
];

const determinant = ([a, b, d]: Pair): number => a * d - b * b;

function invert([a, b, d]: Pair): Pair {
  const size = determinant([a, b, d]);
  return [d / size, -b / size, a / size];
}

function solve(matrix: Pair, [x, y]: number[]): [number, number] {
  const [a, b, d] = invert(matrix);
  return [a * x + b * y, b * x + d * y];
}

/** m v m. */
function sandwich([a, b, d]: Pair, [p, q, s]: Pair): Pair {
  const [w, x, y, z] = [a * p + b * q, a * q + b * s, b * p + d * q, b * q + d * s];
  return [w * a + x * b, w * b + x * d, y * b + z * d];
}
