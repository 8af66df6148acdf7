// evidenceAt() updates the strengths of a prior to make the data more likely, with a quadratic model of their misfit (Laplace). Each
// strength is multiplied by a power of the ratio of the expected to the actual sum of its squared contrasts (MacKay's fixed point with
// over-relaxation; for overlapping penalties, the generalised Fellner–Schall update of Wood and Fasiolo). Correlated errors within games
// affect some contrasts more than the model assumes, and others less. This effect is estimated by giving each game's gradient a random sign
// (the trace of the sandwich estimator, by Hutchinson's method). Only the directions about which the data contain information, a few
// hundred for thousands of weights, are computed jointly.

import { dot, factorize, invertFactorized, type SymmetricMatrix } from '../matrix/cholesky.js';
import { type Component, componentsOf, type Directions, directionsOf } from './components.js';
import type { Draws } from './draws.js';
import { type Contrast, contrastAt } from './penalty.js';

/** Misfit ½ bᵀ H b − bᵀ pull for distances b from the prior; H is `matrix`. */
export interface QuadraticModel {
  matrix: SymmetricMatrix;
  pull: Float64Array;
  /** Sums of the errors' gradients with random signs, drawn once per group or once per error; in arbitrary units. */
  draws: Draws;
}

export interface Evidence {
  strengths: Float64Array;
  /** Strengths after one update. */
  next: Float64Array;
  /** Effective number of parameters of each strength, given the others. */
  effective: Float64Array;
  /** The most likely distances from the prior. */
  distances: Float64Array;
  /** Trace of M = (H + S)⁻¹ times the covariance C of the drawn groups, and trace of M C M C. */
  groupTrace: number;
  groupSquare: number;
  /** M times the gradients of the drawn groups. */
  groupSteps: Float64Array[];
}

/** In 1 / cp²: standard deviations from 0.05 to 1000 cp. */
export const MAX_STRENGTH = 400;
const MIN_STRENGTH = 1e-6;
const MAX_FACTOR = 20;
/** Over-relaxation exponent; plain updates converge slowly. */
const RELAXATION = 1.5;
/** Minimum share of the squared contrasts that remains after subtracting the part due to correlated errors. */
const MIN_SHARE = 0.05;

/** Deviation and number of additional contrasts in each set. They keep the strengths plausible if there is little data. */
export interface UsualContrasts {
  usual: Float64Array;
  extra: Float64Array;
}

/**
 * Returns the evidence for the sets of contrasts at their strengths. Sets without additional contrasts keep their strengths in an update.
 * Throws an Error if a weight has no prior.
 */
export function evidenceAt(
  strengths: Float64Array,
  { matrix, pull, draws }: QuadraticModel,
  sets: readonly (readonly Contrast[])[],
  { usual, extra }: UsualContrasts,
): Evidence {
  const components = componentsOf(sets, matrix.size);
  const posterior = new Posterior(
    matrix,
    components.map((component) => directionsOf(component, strengths, matrix)),
  );
  const distances = posterior.mean(matrix, pull);
  const effective = posterior
    .decided(components, sets.length)
    .map((decided, set) => strengths[set] * Math.max(0, decided));
  const total = effective.reduce((sum, value) => sum + value, 0);
  const groups = spreadOf(posterior, draws.groups, sets);
  const errors = spreadOf(posterior, draws.errors, sets);
  const next = strengths.map((strength, set) => {
    if (set >= usual.length) return strength;
    const found = squaresOf(sets[set], distances);
    const correlated = total * (groups.squares[set] / groups.trace - errors.squares[set] / errors.trace) || 0;
    const expects = effective[set] + extra[set];
    const finds = strength * (Math.max(found - correlated, MIN_SHARE * found) + extra[set] * usual[set] ** 2);
    const factor = (expects / Math.max(finds, 1e-12)) ** RELAXATION;
    const bounded = Math.min(MAX_FACTOR, Math.max(1 / MAX_FACTOR, factor));
    return Math.min(MAX_STRENGTH, Math.max(MIN_STRENGTH, strength * bounded));
  });
  return {
    strengths,
    next,
    effective,
    distances,
    groupTrace: groups.trace,
    groupSquare: groups.square,
    groupSteps: groups.steps,
  };
}

/** Directions of a component, with the index of its first informed direction. */
type Part = Directions & { from: number };

/** Posterior of the weights: joint in the directions that the data inform, separate in every other direction. */
class Posterior {
  private readonly size: number;
  private readonly parts: readonly Part[];
  private readonly inverse: SymmetricMatrix;

  constructor(matrix: SymmetricMatrix, directions: readonly Directions[]) {
    this.size = matrix.size;
    let from = 0;
    this.parts = directions.map((part) => {
      from += part.kept;
      return { ...part, from: from - part.kept };
    });
    const values = new Float64Array(from * from);
    const product = new Float64Array(this.size);
    for (const [index, { places, rows, kept, from: first }] of this.parts.entries()) {
      for (let i = 0; i < kept; i++) {
        product.fill(0);
        for (const [at, place] of places.entries()) addTimes(product, rows[i][at], matrix.values, place * this.size);
        // The lower triangle
        this.across(product, values.subarray((first + i) * from), index + 1);
        values[(first + i) * from + first + i] += 1;
      }
    }
    this.inverse = { size: from, values };
    if (!factorize(this.inverse)) throw new Error('the penalised normal matrix is not positive definite');
    invertFactorized(this.inverse);
  }

  /** Returns the most likely distances. */
  mean(matrix: SymmetricMatrix, pull: Float64Array): Float64Array {
    const mean = this.jointly(pull);
    const rest = pull.slice();
    for (const [place, value] of mean.entries()) addTimes(rest, -value, matrix.values, place * this.size);
    this.addSingly(rest, mean);
    return mean;
  }

  /** Returns (H + S)⁻¹ times a vector. */
  solve(vector: Float64Array): Float64Array {
    const solution = this.jointly(vector);
    this.addSingly(vector, solution);
    return solution;
  }

  /** Adds the part of a solution in the separate directions. */
  private addSingly(vector: Float64Array, solution: Float64Array): void {
    for (const { places, rows, kept, information } of this.parts) {
      const own = valuesAt(vector, places);
      const sum = new Float64Array(places.length);
      for (let i = kept; i < rows.length; i++) addTimes(sum, dot(rows[i], own) / (1 + information[i]), rows[i], 0);
      for (let at = 0; at < places.length; at++) solution[places[at]] += sum[at];
    }
  }

  /** Returns the part of a solution in the informed directions. */
  private jointly(vector: Float64Array): Float64Array {
    const { size, values } = this.inverse;
    const products = this.across(vector, new Float64Array(size));
    const solution = new Float64Array(this.size);
    for (const { places, rows, kept, from } of this.parts) {
      const sum = new Float64Array(places.length);
      for (let i = 0; i < kept; i++) {
        const share = dot(products, values.subarray((from + i) * size, (from + i + 1) * size));
        addTimes(sum, share, rows[i], 0);
      }
      for (let at = 0; at < places.length; at++) solution[places[at]] += sum[at];
    }
    return solution;
  }

  /** Returns by how much the data reduce the variance of each set's contrasts, compared with the prior alone. */
  decided(components: readonly Component[], sets: number): Float64Array {
    const { size, values } = this.inverse;
    const decided = new Float64Array(sets);
    for (const [index, { rows, kept, from, information }] of this.parts.entries()) {
      for (const [set, contrasts] of components[index].contrasts.entries()) {
        for (const contrast of contrasts) {
          const shares = rows.map((row) => contrastAt(contrast, row));
          for (let i = 0; i < kept; i++) {
            const line = (from + i) * size + from;
            let after = 0;
            for (let j = 0; j < kept; j++) after += values[line + j] * shares[j];
            decided[set] += shares[i] * (shares[i] - after);
          }
          for (let i = kept; i < rows.length; i++) {
            decided[set] += (shares[i] ** 2 * information[i]) / (1 + information[i]);
          }
        }
      }
    }
    return decided;
  }

  /** Fills `products` with the products of a vector and the directions of the first components. */
  private across(vector: Float64Array, products: Float64Array, components = this.parts.length): Float64Array {
    for (let index = 0; index < components; index++) {
      const { places, rows, kept, from } = this.parts[index];
      if (kept === 0) continue;
      const own = valuesAt(vector, places);
      for (let i = 0; i < kept; i++) products[from + i] = dot(rows[i], own);
    }
    return products;
  }
}

function valuesAt(vector: Float64Array, places: readonly number[]): Float64Array {
  const values = new Float64Array(places.length);
  for (let at = 0; at < values.length; at++) values[at] = vector[places[at]];
  return values;
}

function addTimes(sum: Float64Array, factor: number, values: Float64Array, from: number): void {
  if (factor !== 0) for (let i = 0; i < sum.length; i++) sum[i] += factor * values[from + i];
}

/** Returns Σ (contrast · vector)². */
const squaresOf = (contrasts: readonly Contrast[], vector: Float64Array): number =>
  contrasts.reduce((sum, contrast) => sum + contrastAt(contrast, vector) ** 2, 0);

/**
 * Returns M y for each drawn vector y, with M = (H + S)⁻¹ (`steps`), and three means over the vectors y and z: of yᵀ M y (`trace`), of
 * (yᵀ M z)² over pairs (`square`), and of the sum of the squared contrasts of M y in each set (`squares`).
 */
function spreadOf(posterior: Posterior, drawn: readonly Float64Array[], sets: readonly (readonly Contrast[])[]) {
  const squares = new Float64Array(sets.length);
  const steps = drawn.map((vector) => posterior.solve(vector));
  let trace = 0;
  let square = 0;
  for (const [draw, vector] of drawn.entries()) {
    const step = steps[draw];
    const pairs = (drawn.length * (drawn.length - 1)) / 2;
    for (const other of drawn.slice(0, draw)) square += dot(other, step) ** 2 / pairs;
    trace += dot(vector, step) / drawn.length;
    for (const [set, contrasts] of sets.entries()) squares[set] += squaresOf(contrasts, step) / drawn.length;
  }
  return { steps, trace, square, squares };
}
