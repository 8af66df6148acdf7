// gaussNewton: damped Gauss–Newton (Levenberg and Marquardt), with one matrix for as many steps as it serves. The gradient is exact; the matrix
// JᵀJ comes from a sample of the rows that is large enough for the number of weights. Priors that tie neighbours make it so stiff that it is
// factorised and not iterated on. Near the minimum the factor stays, and the changes of the gradient correct it as in L-BFGS.

import { factorize, type SymmetricMatrix, solveFactorized } from '../matrix/cholesky.js';
import { addRidge } from '../matrix/normal-matrix.js';
import { advance, beginAt, type CurvedState, dot, lineSearch } from './line-search.js';
import type { Method } from './method.js';
import type { Surface } from './problem.js';
import { directionFrom, type Pair, pairOf } from './quasi-newton.js';

interface GaussNewtonState extends CurvedState {
  damping: number;
  /** Of the matrix in use; null if the next step needs a new one. */
  matrix: Origin | null;
  /** Since then. */
  pairs: Pair[];
}

/** What a matrix is made of: its state can be stored, and the matrix made again. */
interface Origin {
  weights: Float64Array;
  damping: number;
}

const INITIAL_DAMPING = 1e-3;
const MIN_DAMPING = 1e-6;
const RETRIES = 8;
const MEMORY = 16;
/** A gain below this would not show in any weight: chance moves the error of 40,000 games by several times as much. */
const MIN_GAIN = 1e-7;
/** A step that gains more ends far from where the matrix was made. */
const FAR_GAIN = 5e-4;
const FLATNESS = 0.9;

export const gaussNewton: Method<GaussNewtonState> = {
  defaults: { rate: 1, decay: 0, batch: 0 },
  async start(problem, start) {
    return { ...(await beginAt(problem, start)), damping: INITIAL_DAMPING, matrix: null, pairs: [] };
  },
  async step(problem, state, settings) {
    const { coordinates } = problem;
    for (let retry = 0; retry < RETRIES; retry++) {
      const isNew = state.matrix === null;
      state.matrix ??= { weights: state.weights, damping: state.damping };
      const factor = await factorOf(problem, state.matrix);
      if (factor !== null) {
        const direction = directionFrom(state.gradient, state.pairs, (vector) => solved(factor, coordinates, vector));
        const expected = -dot(direction, state.gradient) / 2;
        const found = await lineSearch(problem, state, direction, settings.rate, FLATNESS);
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

/** The next step makes its matrix anew. */
function forget(state: GaussNewtonState): void {
  state.matrix = null;
  state.pairs = [];
}

/** The last factor of each problem; it is not part of the state, being large and quickly made. */
const factors = new WeakMap<Surface, { origin: Origin; factor: SymmetricMatrix }>();

/** Returns the factor of the damped matrix, or null if that is not positive definite. */
async function factorOf(problem: Surface, origin: Origin): Promise<SymmetricMatrix | null> {
  const last = factors.get(problem);
  if (last?.origin === origin) return last.factor;
  const factor = await problem.matrix(origin.weights);
  addRidge(factor);
  for (let i = 0; i < factor.size; i++) factor.values[i * factor.size + i] *= 1 + origin.damping;
  if (!factorize(factor)) return null;
  factors.set(problem, { origin, factor });
  return factor;
}

/** Returns the solution over all coordinates, zero for those that are not free. */
function solved(factor: SymmetricMatrix, coordinates: Uint32Array, vector: Float64Array): Float64Array {
  const solution = new Float64Array(vector.length);
  const own = solveFactorized(
    factor,
    Float64Array.from(coordinates, (coordinate) => vector[coordinate]),
  );
  for (const [place, coordinate] of coordinates.entries()) solution[coordinate] = own[place];
  return solution;
}
