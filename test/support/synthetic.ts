// Synthetic positions for the tests of the fit: random sparse rows with results from known weights.

import { createRandom, randomBelow } from '../../engine/kernel/random.js';
import { type Dataset, joinParts, PartBuilder } from '../../tuner/dataset/dataset.js';
import type { Model } from '../../tuner/model/model.js';
import { type Penalty, penaltyOf } from '../../tuner/priors/penalty.js';

export interface Synthetic {
  dataset: Dataset;
  /** The planted weights: all mg, then all eg. */
  planted: Float64Array;
  rows: { counts: Int32Array; phase: number; result: number }[];
}

/** Draws positions over `terms` terms with results from σ(score / 400 · k) at random planted weights. */
export function synthetic(positions: number, terms: number, k: number, seed = 1): Synthetic {
  const random = createRandom(seed);
  const planted = Float64Array.from({ length: 2 * terms }, () => randomBelow(random, 401) - 200);
  const builder = new PartBuilder();
  const rows: Synthetic['rows'] = [];
  for (let i = 0; i < positions; i++) {
    if (i % 8 === 0) builder.startGame(random());
    const counts = new Int32Array(terms);
    for (let entry = 0; entry < 4; entry++) counts[randomBelow(random, terms)] += 1 - 2 * (random() & 1);
    const phase = randomBelow(random, 25);
    const p = 1 / (1 + Math.exp((-k * scoreOf(planted, counts, phase)) / 400));
    // At most about a third of the positions are draws; the mean result is still p.
    const draw = Math.min(p, 1 - p) * 0.7;
    const u = random() / 2 ** 32;
    const result = u < p - draw / 2 ? 2 : u < p + draw / 2 ? 1 : 0;
    builder.add(counts, phase, result, 0);
    rows.push({ counts, phase, result });
  }
  return { dataset: joinParts([builder.finish()]), planted, rows };
}

/** Returns a model of `size` single values. */
export function plainModel(size: number): Model {
  const term = { title: '', family: null, act: 'sum', shape: [1], orders: ['kinds'], places: [], size: 1 } as const;
  const terms = Array.from({ length: size }, (_, offset) => ({ ...term, name: `term${offset}`, offset }));
  return { engine: 'synthetic', terms, size, limit: 2000, recentre: () => {} };
}

/** Returns the linear evaluation, as a plain reference. */
export function scoreOf(weights: Float64Array, counts: Int32Array, phase: number): number {
  const terms = counts.length;
  let score = 0;
  counts.forEach((count, term) => {
    score += (count * (weights[term] * phase + weights[terms + term] * (24 - phase))) / 24;
  });
  return score;
}

/** Returns the penalty strength · Σ (weight − prior)². */
export const ridge = (prior: Float64Array, strength: number, noise = 1): Penalty =>
  penaltyOf(prior, noise, [{ strength: strength / noise, contrasts: Array.from(prior, (_, i) => [[i, 1]]) }]);
