// Gauss–Newton steps on the normal matrix, in one thread: five to eight passes reach the optimum where a gradient method needs
// hundreds. The studies use it, which fit the same positions many times over. The gradient is exact; the matrix comes from
// a sample of the positions that is large enough for the number of weights, and only decides how soon the optimum is reached.

import type { Dataset } from '../dataset/dataset.js';
import { derivativesAt, gradientOf, type Observations } from '../objective/observations.js';
import { evaluations, expectations } from '../objective/prediction.js';
import { factorize, type SymmetricMatrix, solveFactorized } from './cholesky.js';
import { addPositions, coordinatesOf, emptySums, matrixOf, smallestRidge } from './normal-matrix.js';

export interface NewtonSettings {
  start: Float64Array;
  prior: Float64Array;
  /** Adds penalty · Σ (weight − prior)² to the mean loss. */
  penalty: number;
  /** 0 for coordinates that keep their starting value. */
  free: Uint8Array;
  steps?: number;
}

/** A step that gains less of the mean loss is the last. */
const SMALLEST_GAIN = 1e-9;
/** A step that gains a larger share of the cost leads so far that the curvature is another. */
const FAR = 0.002;
const HALVINGS = 6;
const ROWS_A_COORDINATE = 64;
const ROWS_AT_LEAST = 32_768;

/** Returns the weights of the least mean loss plus penalty. */
export function newtonFit(observations: Observations, settings: NewtonSettings): Float64Array {
  const { dataset } = observations;
  const { prior, penalty, free, steps = 12 } = settings;
  const terms = prior.length / 2;
  const coordinates = coordinatesOf(free);
  const stands = sampleOf(observations.shares, Math.max(ROWS_AT_LEAST, ROWS_A_COORDINATE * coordinates.length));
  let weights = settings.start.slice();
  const stateAt = (point: Float64Array) => {
    const derivatives = derivativesAt(observations, expectations(evaluations(dataset, point), observations.k));
    const pull = penalty * derivatives.total;
    return { ...derivatives, pull, cost: derivatives.loss + pull * squaredDistance(point, prior) };
  };

  let state = stateAt(weights);
  let factor: SymmetricMatrix | null = null;
  for (let step = 0; step < steps; step++) {
    if (factor === null) {
      factor = matrixAt(dataset, state.curvatures, stands, coordinates, terms);
      const ridge = 2 * state.pull + smallestRidge(factor);
      for (let a = 0; a < factor.size; a++) factor.values[a * factor.size + a] += ridge;
      if (!factorize(factor)) break;
    }
    const gradient = gradientOf(dataset, state.slopes, terms);
    const move = Float64Array.from(coordinates, (i) => gradient[i] + 2 * state.pull * (weights[i] - prior[i]));
    solveFactorized(factor, move);

    let length = 1;
    let next = weights;
    let nextState = state;
    for (let halving = 0; halving < HALVINGS; halving++, length /= 2) {
      next = weights.slice();
      coordinates.forEach((i, a) => {
        next[i] -= length * move[a];
      });
      nextState = stateAt(next);
      if (nextState.cost < state.cost) break;
    }
    const gain = state.cost - nextState.cost;
    if (!(gain > 0)) break;
    weights = next;
    state = nextState;
    // A factor costs more than several steps, and the curvature hardly changes from near point to near point
    if (length < 1 || gain > FAR * state.cost) factor = null;
    if (gain < SMALLEST_GAIN * state.total) break;
  }
  return weights;
}

/** Marks so many of the rows that count, spread evenly, with the number of rows that each stands for. */
function sampleOf(shares: Float64Array, wanted: number): Float64Array {
  const counted = shares.reduce((count, share) => count + (share > 0 ? 1 : 0), 0);
  const stride = Math.max(1, Math.floor(counted / wanted));
  let index = 0;
  return shares.map((share) => (share > 0 && index++ % stride === 0 ? stride : 0));
}

function matrixAt(
  dataset: Dataset,
  curvatures: Float64Array,
  stands: Float64Array,
  coordinates: Uint32Array,
  terms: number,
): SymmetricMatrix {
  const sums = emptySums(terms);
  const factors = curvatures.map((curvature, row) => curvature * stands[row]);
  addPositions(sums, dataset, factors);
  return matrixOf(sums, terms, coordinates);
}

function squaredDistance(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] - b[i]) ** 2;
  return sum;
}
