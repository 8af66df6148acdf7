// SignDraws: gradients of the mean loss in which whole games, or single positions, take random signs. Their squares estimate the variance
// of a fit from games, and from independent errors (Hutchinson's trace estimator).

import { createRandom } from '../../engine/kernel/random.js';
import type { Dataset } from '../dataset/dataset.js';
import { SparseSum } from '../matrix/sparse-sum.js';
import { derivativesAt, evaluations, expectations, linearise, type Observations } from '../objective/loss.js';

/** Numbers of games, positions and draws of signs that give the traces to a few per cent. */
const GAMES = 4000;
const ROWS = 20_000;
const DRAWS = 16;

/** Gradients by place under random signs, one for each draw: of games, and of positions. */
export interface Draws {
  groups: Float64Array[];
  errors: Float64Array[];
}

export class SignDraws {
  /** Number of games. */
  readonly games: number;
  private readonly sampled: Observations;
  private readonly isGame: Uint8Array;
  private readonly isSingle: Uint8Array;
  private readonly scales: { groups: number; errors: number };
  private readonly coordinates: Uint32Array;

  constructor(observations: Observations, coordinates: Uint32Array) {
    const { dataset, positionWeights } = observations;
    const { game } = dataset;
    const rows = Uint32Array.from(game.keys());
    const all = [...new Set(game.filter((_, row) => positionWeights[row] > 0))];
    const nth = Math.max(1, Math.floor(all.length / GAMES));
    const chosen = new Set(all.filter((_, index) => index % nth === 0));
    const every = Math.max(1, Math.floor(rows.length / ROWS));
    const picked = rows.filter((row) => row % every === 0 || chosen.has(game[row]));
    const total = positionWeights.reduce((sum, weight) => sum + weight, 0);
    this.games = all.length;
    this.sampled = selected(observations, picked);
    this.isGame = Uint8Array.from(picked, (row) => (chosen.has(game[row]) ? 1 : 0));
    this.isSingle = Uint8Array.from(picked, (row) => (row % every === 0 ? 1 : 0));
    this.scales = {
      groups: Math.sqrt(all.length / chosen.size) / total,
      errors: Math.sqrt(every) / total,
    };
    this.coordinates = coordinates;
  }

  /** Returns the gradients at the weights; the same signs are drawn each time. */
  at(weights: Float64Array): Draws {
    const { sampled, isGame, isSingle, scales, coordinates } = this;
    const { dataset, k } = sampled;
    const { slopes } = derivativesAt(sampled, expectations(evaluations(dataset, weights), k));
    const rows = linearise(dataset, weights);
    const terms = weights.length / 2;
    const random = createRandom(DRAWS);
    const drawn = (isDrawn: Uint8Array, groupAt: (row: number) => number, scale: number): Float64Array[] => {
      const sum = new SparseSum(rows, terms);
      // The draws of a value are adjacent, because they are updated together
      const gradients = new Float64Array(DRAWS * 2 * terms);
      for (let row = 0; row < slopes.length; row++) {
        if (isDrawn[row] === 1) sum.add(row, scale * slopes[row]);
        if (row + 1 < slopes.length && groupAt(row + 1) === groupAt(row)) continue;
        const signs = random();
        addSigned(gradients, sum, signs);
        sum.clear();
      }
      return Array.from({ length: DRAWS }, (_, draw) =>
        Float64Array.from(coordinates, (i) => gradients[DRAWS * (i < terms ? 2 * i : 2 * (i - terms) + 1) + draw]),
      );
    };
    return {
      groups: drawn(isGame, (row) => dataset.game[row], scales.groups),
      errors: drawn(isSingle, (row) => row, scales.errors),
    };
  }
}

function addSigned(gradients: Float64Array, { terms, values, size }: SparseSum, signs: number): void {
  for (let i = 0; i < size; i++) {
    const mg = values[2 * terms[i]];
    const eg = values[2 * terms[i] + 1];
    for (let draw = 0, at = 2 * DRAWS * terms[i]; draw < DRAWS; draw++, at++) {
      const sign = 1 - 2 * ((signs >>> draw) & 1);
      gradients[at] += sign * mg;
      gradients[at + DRAWS] += sign * eg;
    }
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
