// scoreTest(): the gain from adding each candidate feature (trace/candidate-features.ts) as a term, estimated by Rao's score test for its
// middlegame and its endgame value. The part of the feature that other terms explain is regressed out in the metric of the normal matrix.
// Each game counts as one observation.

import { SLOPES_PER_ROW } from '../dataset/dataset.js';
import { dot } from '../matrix/cholesky.js';
import { evaluations, gradientOf, type Observations } from '../objective/loss.js';
import { CANDIDATES, candidateValue } from '../trace/candidate-features.js';
import type { StandardErrors } from './standard-errors.js';

export interface Missing {
  name: string;
  phase: 'middlegame' | 'endgame';
  /** Value of one count in centipawns, and its standard error. */
  value: number;
  error: number;
  /** Expected decrease in mean error on other games. */
  gain: number;
  /** Chi-squared with one degree of freedom; above 10.8 the p-value is below 0.001. */
  chiSquare: number;
  /** Share of the feature that the existing terms do not explain. */
  unexplained: number;
}

/** Below this share of unexplained variance, existing terms already cover the feature. */
const KNOWN = 0.02;

/** Returns the missing features, the most useful first. `gradient` is the gradient of the summed loss and penalty. */
export function scoreTest(
  observations: Observations,
  candidates: Int8Array,
  standardErrors: StandardErrors,
  weights: Float64Array,
  gradient: Float64Array,
): Missing[] {
  if (candidates.length === 0) return [];
  const { dataset } = observations;
  const { partSlopes } = standardErrors.rows;
  const scores = evaluations(dataset, weights);
  const found = CANDIDATES.flatMap(({ name }, feature) =>
    (['middlegame', 'endgame'] as const).map((phase) => {
      const values = scores.map((score, row) => {
        const value = candidateValue(feature, candidates[CANDIDATES.length * row + feature], score);
        if (phase === 'middlegame') return (value * dataset.phase[row]) / 24;
        return (value * ((24 - dataset.phase[row]) * partSlopes[SLOPES_PER_ROW * row + 4])) / 24;
      });
      return { name, phase, ...testOf(observations, values, standardErrors, gradient) };
    }),
  );
  return found.filter(({ unexplained, error }) => unexplained > KNOWN && error > 0).sort((a, b) => b.gain - a.gain);
}

function testOf(
  { dataset }: Observations,
  values: Float64Array,
  { coordinates, influence, squares, rows, derivatives }: StandardErrors,
  gradient: Float64Array,
): Omit<Missing, 'name' | 'phase'> {
  const { slopes, curvatures, total } = derivatives;
  const size = gradient.length;
  const byGame = new Float64Array(dataset.opening.length);
  let slope = 0;
  let curvature = 0;
  for (let row = 0; row < values.length; row++) {
    slope += slopes[row] * values[row];
    curvature += curvatures[row] * values[row] ** 2;
    byGame[dataset.game[row]] += slopes[row] * values[row];
  }
  const crossCurvatures = curvatures.map((value, row) => value * values[row]);
  const cross = gradientOf(rows, crossCurvatures, size / 2);
  const crossSlopes = slopes.map((value, row) => value * byGame[dataset.game[row]]);
  const crossSquares = gradientOf(rows, crossSlopes, size / 2);
  // Coefficients of the regression of the feature on the weights
  const shares = new Float64Array(size);
  for (const [a, j] of coordinates.entries()) {
    for (let i = 0; i < size; i++) shares[i] += influence[a * size + i] * cross[j];
  }
  const own = curvature - dot(cross, shares);
  const freeShares = Float64Array.from(coordinates, (i) => shares[i]);
  let spread = 0;
  for (const [a, share] of freeShares.entries()) {
    spread += share * dot(squares.values.subarray(a * squares.size, (a + 1) * squares.size), freeShares);
  }
  const left = slope - dot(shares, gradient);
  const variance = dot(byGame, byGame) + spread - 2 * dot(shares, crossSquares);
  return {
    value: -left / own,
    error: Math.sqrt(variance) / own,
    gain: (left ** 2 - 2 * variance) / own / (2 * total),
    chiSquare: left ** 2 / variance,
    unexplained: own / curvature,
  };
}
