// SignDraws: gradients of the mean loss in which all games of an opening, or single positions, take random signs. Their squares estimate
// the variance of a fit with each opening as one observation, and with each position as one (Hutchinson's trace estimator). Games with the
// same opening may be copies of one game.

import { createRandom } from '../../engine/kernel/random.js';
import type { Dataset, Linearised } from '../dataset/dataset.js';
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
const MAX_LEVERAGE = 0.8;

/** Gradients under random signs, one for each draw. In `groups` whole openings share a sign; in `errors` each position has its own. */
export interface Draws {
  groups: Float64Array[];
  errors: Float64Array[];
}

/** Draws at some weights, with the linearised rows of the sample and the second derivatives of their losses there. */
export interface DrawsAt extends Draws {
  rows: Linearised;
  curvatures: Float64Array;
  /** Number of terms of the evaluation. */
  terms: number;
}

export class SignDraws {
  readonly openings: number;
  private readonly sampled: Observations;
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
    const random = createRandom(DRAWS);
    const signsOf = new Map<number, number>();
    for (const row of picked) if (!signsOf.has(opening[row])) signsOf.set(opening[row], random() % LEFT_OUT);
    const ofOpenings = picked.map((row) =>
      chosen.has(opening[row]) ? (signsOf.get(opening[row]) as number) : LEFT_OUT,
    );
    const ofRows = picked.map((row) => {
      const signs = random() % LEFT_OUT;
      return row % every === 0 ? signs : LEFT_OUT;
    });
    this.signs = [ofOpenings, ofRows];
    this.scales = { groups: Math.sqrt(all.length / chosen.size) / total, errors: Math.sqrt(every) / total };
    this.total = total;
  }

  /** Returns the gradients at the weights. The signs are the same in each call. */
  at(weights: Float64Array): DrawsAt {
    const { sampled, signs, scales, coordinates } = this;
    const terms = weights.length / 2;
    const rows = linearise(sampled.dataset, weights);
    const { slopes, curvatures } = derivativesAt(sampled, expectations(rows.scores, sampled.k));
    const [groups, errors] = signedSums(rows, slopes, signs, terms, coordinates);
    const scaled = (sums: Float64Array[], scale: number): Float64Array[] =>
      sums.map((sum) => sum.map((value) => scale * value));
    return {
      groups: scaled(groups, scales.groups),
      errors: scaled(errors, scales.errors),
      rows,
      curvatures,
      terms,
    };
  }

  /**
   * Returns the mean leverage of an opening: its share of the second derivatives of all openings, in the direction of its own step M v.
   * Here v is its gradient, and M the inverse of the second derivatives. `steps` are M times the gradients of the drawn groups. A fit
   * reduces Σ vᵀ M v over its own openings by this share, as for the residuals of a regression (HC2).
   *
   * A drawn step changes a row's score by the sum of the changes due to all openings, with their signs. Times the sign of the row's own
   * opening, it estimates the change due to that opening. Products of two draws estimate its square without bias.
   */
  leverageOf({ rows, curvatures, terms, groups }: DrawsAt, steps: readonly Float64Array[]): number {
    const { coordinates, total } = this;
    // The steps of all draws, by term, phase and draw
    const stepOf = new Float64Array(2 * terms * DRAWS);
    for (const [draw, step] of steps.entries()) {
      for (const [i, coordinate] of coordinates.entries()) {
        const place = coordinate < terms ? 2 * coordinate : 2 * (coordinate - terms) + 1;
        stepOf[DRAWS * place + draw] = step[i];
      }
    }
    const sum = new SparseSum(rows, terms);
    const changes = new Float64Array(DRAWS);
    let own = 0;
    for (const [row, signs] of this.signs[0].entries()) {
      if (signs === LEFT_OUT) continue;
      sum.clear();
      sum.add(row, 1);
      changes.fill(0);
      for (let i = 0; i < sum.size; i++) {
        const place = 2 * sum.terms[i];
        const at = DRAWS * place;
        const mg = sum.values[place];
        const eg = sum.values[place + 1];
        for (let draw = 0; draw < DRAWS; draw++)
          changes[draw] += mg * stepOf[at + draw] + eg * stepOf[at + DRAWS + draw];
      }
      let signed = 0;
      for (let draw = 0; draw < DRAWS; draw++) signed += (signs >> draw) & 1 ? -changes[draw] : changes[draw];
      own += (curvatures[row] / total) * (signed ** 2 - dot(changes, changes));
    }
    const whole = (DRAWS - 1) * groups.reduce((all, gradient, draw) => all + dot(gradient, steps[draw]), 0);
    return whole > 0 ? Math.min(MAX_LEVERAGE, Math.max(0, own / whole)) : 0;
  }
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
