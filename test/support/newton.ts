// Newton's method with the Gauss–Newton matrix, as a plain reference: minimises the mean loss plus penalty, for the tests of the study.

import { factorize, invertFactorized } from '../../tuner/matrix/cholesky.js';
import { addRidge, coordinatesOf, normalMatrix } from '../../tuner/matrix/normal-matrix.js';
import {
  derivativesAt,
  evaluations,
  expectations,
  gradientOf,
  linearise,
  type Observations,
} from '../../tuner/objective/loss.js';

interface NewtonSettings {
  start: Float64Array;
  prior: Float64Array;
  /** Adds penalty · Σ (weight − prior)² to the mean loss. */
  penalty: number;
  free: Uint8Array;
  steps?: number;
}

export function newtonFit(observations: Observations, settings: NewtonSettings): Float64Array {
  const { prior, penalty, free, steps = 8 } = settings;
  const { dataset, k } = observations;
  const terms = prior.length / 2;
  const coordinates = coordinatesOf(free);
  const weights = settings.start.slice();
  for (let step = 0; step < steps; step++) {
    const { slopes, curvatures, total } = derivativesAt(observations, expectations(evaluations(dataset, weights), k));
    const rows = linearise(dataset, weights);
    const each = Uint32Array.from(slopes.keys());
    const inverse = normalMatrix(rows, curvatures.map(Math.sqrt), each, terms, coordinates);
    const pull = 2 * penalty * total;
    for (let i = 0; i < inverse.size; i++) inverse.values[i * inverse.size + i] += pull;
    addRidge(inverse);
    factorize(inverse);
    invertFactorized(inverse);
    const gradient = gradientOf(rows, slopes, terms);
    const slope = Float64Array.from(coordinates, (i) => gradient[i] + pull * (weights[i] - prior[i]));
    coordinates.forEach((i, a) => {
      weights[i] -= slope.reduce((sum, value, b) => sum + inverse.values[a * inverse.size + b] * value, 0);
    });
  }
  return weights;
}
