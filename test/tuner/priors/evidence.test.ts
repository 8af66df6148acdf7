// The evidence compared with closed forms, plain linear algebra and finite differences in small cases.

import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../engine/kernel/random.js';
import { factorize, invertFactorized } from '../../../tuner/matrix/cholesky.js';
import { addContrasts, componentsOf, directionsOf } from '../../../tuner/priors/components.js';
import { type Evidence, evidenceAt, type QuadraticModel, type UsualContrasts } from '../../../tuner/priors/evidence.js';
import type { Contrast } from '../../../tuner/priors/penalty.js';

const SIZE = 9;
const random = createRandom(4);
const uniform = (): number => random() / 2 ** 31 - 1;

/** A matrix of rank SIZE, and a pull towards distances of about ±3. */
const rows = Array.from({ length: 40 }, () => Array.from({ length: SIZE }, uniform));
const matrix = {
  size: SIZE,
  values: Float64Array.from({ length: SIZE * SIZE }, (_, at) =>
    rows.reduce((sum, row) => sum + row[Math.floor(at / SIZE)] * row[at % SIZE], 0),
  ),
};
const truth = Float64Array.from({ length: SIZE }, (_, i) => 3 * Math.sin(i / 2));
const pull = truth.map(
  (_, i) => truth.reduce((sum, value, j) => sum + value * matrix.values[i * SIZE + j], 0) + 4 * uniform(),
);
const ZERO = new Float64Array(SIZE);
const DISTANCE: Contrast[] = Array.from(truth, (_, i) => [[i, 1]]);
const CURVATURE: Contrast[] = Array.from({ length: SIZE - 3 }, (_, i) => [
  [i, 1],
  [i + 1, -2],
  [i + 2, 1],
]);
const SETS = [DISTANCE, CURVATURE];

/** Returns the evidence after updates until the numbers of parameters hardly change. */
function maximised(
  model: Pick<QuadraticModel, 'matrix' | 'pull'> & Partial<QuadraticModel>,
  sets: Contrast[][],
  first = 1,
  more: UsualContrasts = { usual: ZERO, extra: ZERO },
): Evidence {
  const whole = { draws: { groups: [], errors: [] }, ...model };
  const usual = { usual: more.usual.subarray(0, sets.length), extra: more.extra.subarray(0, sets.length) };
  let evidence = evidenceAt(new Float64Array(sets.length).fill(first), whole, sets, usual);
  for (let updates = 1; updates < 400; updates++) {
    const { effective, next } = evidence;
    evidence = evidenceAt(next, whole, sets, usual);
    if (evidence.effective.every((value, set) => Math.abs(value - effective[set]) < 1e-11 * value)) break;
  }
  return evidence;
}

/** Log of the determinant. */
const logDeterminant = (values: Float64Array): number => {
  const work = { size: SIZE, values: values.slice() };
  expect(factorize(work)).toBe(true);
  return 2 * truth.reduce((sum, _, i) => sum + Math.log(work.values[i * SIZE + i]), 0);
};

/** The log evidence (Laplace) up to a constant: ½ (log|S| − log|H + S| + pullᵀ (H + S)⁻¹ pull). */
function logEvidence(strengths: ArrayLike<number>): number {
  const prior = { size: SIZE, values: new Float64Array(SIZE * SIZE) };
  for (const [set, contrasts] of SETS.entries()) addContrasts(prior, contrasts, strengths[set]);
  const both = matrix.values.map((value, at) => value + prior.values[at]);
  const inverse = { size: SIZE, values: both.slice() };
  factorize(inverse);
  invertFactorized(inverse);
  const square = pull.reduce(
    (sum, a, i) => sum + a * pull.reduce((row, b, j) => row + b * inverse.values[i * SIZE + j], 0),
    0,
  );
  return (logDeterminant(prior.values) - logDeterminant(both) + square) / 2;
}

describe('the evidence', () => {
  const found = maximised({ matrix, pull }, SETS);

  test('the evidence is maximal at the strengths found, by finite differences', () => {
    for (const set of SETS.keys()) {
      const at = (factor: number): number => logEvidence(found.strengths.map((s, i) => (i === set ? s * factor : s)));
      const slope = (at(1.001) - at(0.999)) / (2 * Math.log(1.001));
      expect(Math.abs(slope), `set ${set}`).toBeLessThan(1e-4);
      // Away from the maximum the slope is not small
      expect(Math.abs(at(8) - at(7.99)) / Math.log(8 / 7.99)).toBeGreaterThan(0.05);
    }
  });

  test('the effective number of parameters is the trace of the matrix times the inverse', () => {
    const work = { size: SIZE, values: matrix.values.slice() };
    for (const [set, contrasts] of SETS.entries()) addContrasts(work, contrasts, found.strengths[set]);
    factorize(work);
    invertFactorized(work);
    const trace = matrix.values.reduce((sum, value, at) => sum + value * work.values[at], 0);
    expect(found.effective[0] + found.effective[1]).toBeCloseTo(trace, 6);
  });

  test("the evidence of one strength for scalars of equal precision matches MacKay's closed form", () => {
    // H = h I: the variance of the estimates pull / h is 1 / strength + 1 / h
    const h = 0.7;
    const plain = { size: SIZE, values: new Float64Array(SIZE * SIZE) };
    for (let i = 0; i < SIZE; i++) plain.values[i * SIZE + i] = h;
    const { strengths } = maximised({ matrix: plain, pull }, [DISTANCE], 0.3);
    const scatter = pull.reduce((sum, value) => sum + (value / h) ** 2, 0) / SIZE;
    expect(1 / strengths[0] / (scatter - 1 / h)).toBeCloseTo(1, 6);
  });

  test('contrasts without a pull are reduced to zero', () => {
    const nothing = maximised({ matrix, pull: ZERO }, SETS);
    expect(Math.max(...nothing.distances.map(Math.abs))).toBe(0);
    expect(nothing.effective[0] + nothing.effective[1]).toBeLessThan(0.2);
  });

  test('the strengths stay at their usual values if the data contain no information', () => {
    const silent = { matrix: { size: SIZE, values: matrix.values.map((value) => 1e-9 * value) }, pull: ZERO };
    const usual = Float64Array.of(40, 6);
    const { strengths } = maximised(silent, SETS, 1, { usual, extra: Float64Array.of(1, 1) });
    expect(strengths[0] ** -0.5).toBeCloseTo(40, 1);
    expect(strengths[1] ** -0.5).toBeCloseTo(6, 1);
  });

  test('contrasts moved only by errors correlated within groups get stronger ties', () => {
    // Groups move one place, single errors move all places equally
    const groups = [Float64Array.from(truth, (_, i) => (i === 2 ? 5 : 0))];
    const errors = Array.from(truth, (_, at) => Float64Array.from(truth, (__, i) => (i === at ? 1 : 0)));
    const sets = [DISTANCE.filter((_, i) => i === 2), DISTANCE.filter((_, i) => i !== 2)];
    const plain = maximised({ matrix, pull }, sets);
    const found = maximised({ matrix, pull, draws: { groups, errors } }, sets);
    expect(found.strengths[0]).toBeGreaterThan(1.05 * plain.strengths[0]);
    expect(found.strengths[1]).toBeLessThan(plain.strengths[1]);
    const same = maximised({ matrix, pull, draws: { groups: errors, errors } }, sets);
    expect(same.strengths).toEqual(plain.strengths);
  });
});

describe('the directions of a component', () => {
  const [component] = componentsOf(SETS, SIZE);
  const prior = { size: SIZE, values: new Float64Array(SIZE * SIZE) };
  for (const [set, contrasts] of SETS.entries()) addContrasts(prior, contrasts, 0.5 + set);
  const { rows, information, kept } = directionsOf(component, [0.5, 1.5], matrix);
  const form = ({ values }: typeof matrix, a: Float64Array, b: Float64Array): number =>
    a.reduce((sum, x, i) => sum + x * b.reduce((line, y, j) => line + y * values[i * SIZE + j], 0), 0);

  test('the directions have unit length under the prior, and are orthogonal under prior and data', () => {
    for (const [i, a] of rows.entries()) {
      for (const [j, b] of rows.entries()) {
        expect(form(prior, a, b)).toBeCloseTo(i === j ? 1 : 0, 9);
        expect(form(matrix, a, b)).toBeCloseTo(i === j ? information[i] : 0, 8);
      }
    }
  });

  test('the directions are sorted by information, and those with too little are dropped', () => {
    expect([...information].sort((a, b) => b - a)).toEqual(information);
    expect(kept).toBe(information.filter((value) => value > 0.03).length);
    const weak = { size: SIZE, values: matrix.values.map((value) => 1e-6 * value) };
    expect(directionsOf(component, [0.5, 1.5], weak).kept).toBe(0);
  });

  test('weights without a common contrast belong to different components', () => {
    const parts = componentsOf(
      [
        [[[0, 1]], [[1, 1]], [[2, 1]]],
        [
          [
            [2, 1],
            [0, -1],
          ],
        ],
      ],
      4,
    );
    expect(parts.map(({ places }) => places)).toEqual([[0, 2], [1], [3]]);
    expect(parts[0].contrasts[1]).toEqual([
      [
        [1, 1],
        [0, -1],
      ],
    ]);
  });
});
