// SignDraws: gradients of the mean loss in which all games of an opening, or single positions, take random signs. Their squares estimate
// the variance of a fit with each opening as one observation, and with each position as one (Hutchinson's trace estimator). Games with the
// same opening may be copies of one game.

import { createRandom } from '../../engine/kernel/random.js';
import type { Dataset } from '../dataset/dataset.js';
import { dot } from '../matrix/cholesky.js';
import { DRAWS, LEFT_OUT, signedSums } from '../matrix/normal-matrix.js';
import { SparseSum } from '../matrix/sparse-sum.js';
import { derivativesAt, expectations, linearise, type Observations } from '../objective/loss.js';

/** With this many openings and positions, the draws determine the traces to within a few per cent. */
const OPENINGS = 4000;
const ROWS = 20_000;
/** Approximate maximum number of positions of these openings; a smaller sample keeps at least MIN_OPENINGS. */
const MAX_ROWS = 1_000_000;
const MIN_OPENINGS = 200;
/** Approximate number of openings from which the leverage is estimated, if all of them are in the sample. */
const SOLVED = 32;
const MAX_LEVERAGE = 0.8;

/** Gradients under random signs, one for each draw. In `groups` whole openings share a sign; in `errors` each position has its own. */
export interface Draws {
  groups: Float64Array[];
  errors: Float64Array[];
}

export class SignDraws {
  readonly openings: number;
  private readonly sampled: Observations;
  /** Rows of the sample by opening. */
  private readonly rowsOf: readonly (readonly number[])[];
  /** Signs of each row's opening, and of the row itself, in the form that signedSums() takes. */
  private readonly signs: readonly [groups: Uint32Array, errors: Uint32Array];
  private readonly scales: Record<keyof Draws, number>;
  /** Sum of the weights of all positions. */
  private readonly total: number;

  constructor(
    observations: Observations,
    private readonly coordinates: Uint32Array,
  ) {
    const { dataset, positionWeights } = observations;
    const opening = dataset.game.map((game) => dataset.opening[game]);
    const rows = Uint32Array.from(opening.keys());
    const all = [...new Set(opening.filter((_, row) => positionWeights[row] > 0))];
    const byRows = Math.min(rows.length / MAX_ROWS, all.length / MIN_OPENINGS);
    const nth = Math.max(1, Math.floor(Math.max(all.length / OPENINGS, byRows)));
    const chosen = new Set(all.filter((_, index) => index % nth === 0));
    const every = Math.max(1, Math.floor(rows.length / ROWS));
    const picked = rows.filter((row) => row % every === 0 || chosen.has(opening[row]));
    const total = positionWeights.reduce((sum, weight) => sum + weight, 0);
    this.openings = all.length;
    this.sampled = selected(observations, picked);
    this.rowsOf = groupsOf(picked.map((row) => opening[row]));
    const random = createRandom(DRAWS);
    const ofOpenings = new Uint32Array(picked.length);
    for (const group of this.rowsOf) {
      const signs = random() % LEFT_OUT;
      for (const index of group) ofOpenings[index] = chosen.has(opening[picked[index]]) ? signs : LEFT_OUT;
    }
    const ofRows = picked.map((row) => {
      const signs = random() % LEFT_OUT;
      return row % every === 0 ? signs : LEFT_OUT;
    });
    this.signs = [ofOpenings, ofRows];
    this.scales = { groups: Math.sqrt(all.length / chosen.size) / total, errors: Math.sqrt(every) / total };
    this.total = total;
  }

  /**
   * Returns the mean leverage of an opening: its share of the second derivatives of all openings, in the direction of its own step M v.
   * Here v is its gradient, and `solve` applies M, the inverse of the second derivatives of all openings. A fit reduces Σ vᵀ M v over its
   * own openings by this share, as for the residuals of a regression (HC2).
   */
  leverageAt(weights: Float64Array, solve: (vector: Float64Array) => Float64Array): number {
    const { sampled, coordinates, total } = this;
    const terms = weights.length / 2;
    const rows = linearise(sampled.dataset, weights);
    const { slopes, curvatures } = derivativesAt(sampled, expectations(rows.scores, sampled.k));
    const placeOf = coordinates.map((i) => (i < terms ? 2 * i : 2 * (i - terms) + 1));
    const sum = new SparseSum(rows, terms);
    const step = new Float64Array(2 * terms);
    const every = Math.max(1, Math.floor(this.openings / SOLVED));
    let [whole, own] = [0, 0];
    for (const group of this.rowsOf.filter((_, index) => index % every === 0)) {
      sum.clear();
      for (const row of group) sum.add(row, slopes[row] / total);
      const gradient = Float64Array.from(placeOf, (place) => sum.values[place]);
      const moved = solve(gradient);
      for (const [i, place] of placeOf.entries()) step[place] = moved[i];
      whole += dot(gradient, moved);
      for (const row of group) {
        sum.clear();
        sum.add(row, 1);
        let change = 0;
        for (let i = 0; i < sum.size; i++) {
          const place = 2 * sum.terms[i];
          change += sum.values[place] * step[place] + sum.values[place + 1] * step[place + 1];
        }
        own += (curvatures[row] / total) * change ** 2;
      }
    }
    return whole > 0 ? Math.min(MAX_LEVERAGE, own / whole) : 0;
  }

  /** Returns the gradients at the weights. The signs are the same in each call. */
  at(weights: Float64Array): Draws {
    const { sampled, signs, scales, coordinates } = this;
    const rows = linearise(sampled.dataset, weights);
    const { slopes } = derivativesAt(sampled, expectations(rows.scores, sampled.k));
    const [groups, errors] = signedSums(rows, slopes, signs, weights.length / 2, coordinates);
    const scaled = (sums: Float64Array[], scale: number): Float64Array[] =>
      sums.map((sum) => sum.map((value) => scale * value));
    return { groups: scaled(groups, scales.groups), errors: scaled(errors, scales.errors) };
  }
}

/** Returns the indices of equal values, in the order of their first ones. */
function groupsOf(values: ArrayLike<number>): number[][] {
  const groups = new Map<number, number[]>();
  for (let index = 0; index < values.length; index++) {
    const group = groups.get(values[index]);
    if (group === undefined) groups.set(values[index], [index]);
    else group.push(index);
  }
  return [...groups.values()];
}

/** Returns a sample of the observations; games keep their numbers. */
function selected(observations: Observations, rows: Uint32Array): Observations {
  const { dataset } = observations;
  const offsets = new Uint32Array(rows.length + 1);
  for (const [at, row] of rows.entries())
    offsets[at + 1] = offsets[at] + dataset.offsets[row + 1] - dataset.offsets[row];
  const packed = new Int32Array(offsets[rows.length]);
  for (const [at, row] of rows.entries()) {
    packed.set(dataset.packed.subarray(dataset.offsets[row], dataset.offsets[row + 1]), offsets[at]);
  }
  const { rest, scale } = dataset;
  const part: Dataset = {
    ...(rest && { rest: Float32Array.from(rows, (row) => rest[row]) }),
    ...(scale && { scale: Float32Array.from(rows, (row) => scale[row]) }),
    offsets,
    packed,
    opening: dataset.opening,
    phase: Float32Array.from(rows, (row) => dataset.phase[row]),
    result: Uint8Array.from(rows, (row) => dataset.result[row]),
    game: Uint32Array.from(rows, (row) => dataset.game[row]),
    score: Int16Array.from(rows, (row) => dataset.score[row]),
  };
  return {
    ...observations,
    dataset: part,
    targets: Float64Array.from(rows, (row) => observations.targets[row]),
    positionWeights: Float64Array.from(rows, (row) => observations.positionWeights[row]),
  };
}
