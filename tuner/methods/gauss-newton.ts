// gaussNewton: damped Gauss–Newton (Levenberg–Marquardt). The gradient is exact. The matrix JᵀJ comes from a sample of rows whose size
// depends on the number of weights. The matrix is factorised, because priors on neighbours make it too ill-conditioned for iterative
// solvers. Near the minimum, the factor is reused for several steps, and gradient changes correct it as in L-BFGS.

import { dot, factorize, type SymmetricMatrix, solveFactorized } from '../matrix/cholesky.js';
import { addRidge } from '../matrix/normal-matrix.js';
import { advance, beginAt, type CurvedState, lineSearch, type Point } from './line-search.js';
import type { Method } from './method.js';
import type { Surface } from './surface.js';

interface GaussNewtonState extends CurvedState {
  damping: number;
  /** Inputs of the current matrix; null if the next step needs a new matrix. */
  matrix: Origin | null;
  /** Steps and gradient changes since the matrix was computed. */
  pairs: Pair[];
}

/** Inputs of a matrix, stored so that it can be recomputed. */
interface Origin {
  weights: Float64Array;
  damping: number;
}

const INITIAL_DAMPING = 1e-3;
const MIN_DAMPING = 1e-6;
/** Maximum number of attempts at a step. A failed attempt with a new matrix raises the damping tenfold. */
const RETRIES = 8;
/** Maximum number of pairs. */
const MEMORY = 16;
/** The fit ends if gain and expected gain of a step are both smaller. The noise in the error of 40,000 games is several times larger. */
const MIN_GAIN = 1e-7;
/** After a larger gain, the point is so far from the point of the matrix that a new matrix is needed. */
const FAR_GAIN = 5e-4;
const FLATNESS = 0.9;

export const gaussNewton: Method<GaussNewtonState> = {
  rate: 1,
  async start(surface, start) {
    return { ...(await beginAt(surface, start)), damping: INITIAL_DAMPING, matrix: null, pairs: [] };
  },
  async step(surface, state, settings) {
    const { coordinates } = surface;
    for (let retry = 0; retry < RETRIES; retry++) {
      const isNew = state.matrix === null;
      state.matrix ??= { weights: state.weights, damping: state.damping };
      const factor = await factorOf(surface, state.matrix);
      if (factor !== null) {
        const direction = directionFrom(state.gradient, state.pairs, (vector) => solved(factor, coordinates, vector));
        const expected = -dot(direction, state.gradient) / 2;
        const found = await lineSearch(surface, state, direction, settings.rate, FLATNESS);
        if (found !== null) {
          const { point } = found;
          const gain = state.value - point.value;
          const pair = pairOf(state, point);
          if (pair !== null) state.pairs = [...state.pairs, pair].slice(-MEMORY);
          if (isNew && gain > 0.75 * expected) state.damping = Math.max(MIN_DAMPING, state.damping / 10);
          if (gain > FAR_GAIN) forget(state);
          advance(state, point);
          state.done ||= Math.max(gain, expected) < MIN_GAIN;
          return;
        }
      }
      if (isNew) state.damping *= 10;
      forget(state);
    }
    advance(state, null);
  },
};

/** Discards the matrix and the pairs so that the next step computes a new matrix. */
function forget(state: GaussNewtonState): void {
  state.matrix = null;
  state.pairs = [];
}

/** The last factor of each surface. It is not part of the state, because it is large and fast to recompute. */
const factors = new WeakMap<Surface, { origin: Origin; factor: SymmetricMatrix }>();

/** Returns the Cholesky factor of the damped matrix, or null if the matrix is not positive definite. */
async function factorOf(surface: Surface, origin: Origin): Promise<SymmetricMatrix | null> {
  const last = factors.get(surface);
  if (last?.origin === origin) return last.factor;
  const factor = await surface.matrix(origin.weights);
  addRidge(factor);
  for (let i = 0; i < factor.size; i++) factor.values[i * factor.size + i] *= 1 + origin.damping;
  if (!factorize(factor)) return null;
  factors.set(surface, { origin, factor });
  return factor;
}

/** Returns the solution over all coordinates, with zeros for fixed ones. */
function solved(factor: SymmetricMatrix, coordinates: Uint32Array, vector: Float64Array): Float64Array {
  const solution = new Float64Array(vector.length);
  const own = solveFactorized(
    factor,
    Float64Array.from(coordinates, (coordinate) => vector[coordinate]),
  );
  for (const [place, coordinate] of coordinates.entries()) solution[coordinate] = own[place];
  return solution;
}

// pairOf() and directionFrom(): Nocedal's two-loop recursion (L-BFGS). It corrects an approximate inverse of the second derivatives with
// the last few steps and their changes in gradient.

/** A step and the change in the gradient over it. */
interface Pair {
  step: Float64Array;
  change: Float64Array;
}

type End = Pick<Point, 'weights' | 'gradient'>;

/** Returns the pair of a step, or null if the slope did not increase along it. Such a pair would make the matrix indefinite. */
function pairOf(from: End, to: End): Pair | null {
  const step = to.weights.map((value, i) => value - from.weights[i]);
  const change = to.gradient.map((value, i) => value - from.gradient[i]);
  return dot(step, change) > 0 ? { step, change } : null;
}

/** Returns the quasi-Newton direction, which leads downhill. `solve` applies the inverse that the pairs correct. */
function directionFrom(
  gradient: Float64Array,
  pairs: readonly Pair[],
  solve: (vector: Float64Array) => Float64Array,
): Float64Array {
  const rest = gradient.map((value) => -value);
  const shares: number[] = [];
  for (const { step, change } of [...pairs].reverse()) {
    const share = dot(step, rest) / dot(step, change);
    shares.push(share);
    for (let i = 0; i < rest.length; i++) rest[i] -= share * change[i];
  }
  const direction = solve(rest);
  for (const { step, change } of pairs) {
    const share = (shares.pop() ?? 0) - dot(change, direction) / dot(step, change);
    for (let i = 0; i < direction.length; i++) direction[i] += share * step[i];
  }
  return direction;
}
