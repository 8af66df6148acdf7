// residualsOf(): errors of the fit, namely calibration (actual against expected scores of positions) and mean residuals by phase, material
// and term. For standard errors, each game counts as one observation.

import { entryCoefficient, entryIndex, entryPart, SLOPES_PER_ROW } from '../dataset/dataset.js';
import { rowsByGame } from '../dataset/repeats.js';
import { isBoard, isMaterial, type Model, widthOf } from '../model/model.js';
import { rowName } from '../model/names.js';
import { evaluations, expectations, linearise, type Observations } from '../objective/loss.js';

export interface CalibrationBin {
  expected: number;
  scored: number;
  /** Standard error of `scored`. */
  error: number;
  positions: number;
}

/** Mean of result minus expectation over the positions of a group, with its standard error. */
export interface ResidualGroup {
  kind: 'phase' | 'material' | 'term';
  group: string;
  positions: number;
  mean: number;
  error: number;
}

export interface Residuals {
  calibration: CalibrationBin[];
  residuals: ResidualGroup[];
}

const BINS = 20;
const MIN_POSITIONS = 100;

/** Returns the calibration and the residuals of the weights over the positions that count in the observations; targets are the results. */
export function residualsOf(
  model: Model,
  { dataset, targets, positionWeights, k }: Observations,
  weights: Float64Array,
): Residuals {
  const { names, groupOf } = termGroups(model);
  const pieces = model.terms.find((term) => isMaterial(term) && term.size >= PAWNS.length);
  const scores = evaluations(dataset, weights);
  const expected = expectations(scores, k);
  const { partSlopes } = linearise(dataset, weights);
  const bins = new GameSums();
  const groups = new GameSums();
  const expectedSums = new Float64Array(BINS);
  const material = new Int32Array(PAWNS.length);
  const counts = new Int32Array(names.length);
  const order = rowsByGame(dataset);
  for (const [at, row] of order.entries()) {
    if (at > 0 && dataset.game[row] !== dataset.game[order[at - 1]]) for (const sums of [bins, groups]) sums.endGame();
    if (positionWeights[row] === 0) continue;
    const miss = targets[row] - expected[row];
    const bin = Math.min(BINS - 1, Math.floor(BINS * expected[row]));
    bins.add(String(bin), miss);
    expectedSums[bin] += expected[row];

    material.fill(0);
    counts.fill(0);
    const scale = partSlopes[SLOPES_PER_ROW * row + 5];
    const signs = [1, 1, -1, scale > 0 ? 1 : 0, scale < 0 ? -1 : 0];
    for (let at = dataset.offsets[row]; at < dataset.offsets[row + 1]; at++) {
      const term = entryIndex(dataset.packed[at]);
      const coefficient = signs[entryPart(dataset.packed[at])] * entryCoefficient(dataset.packed[at]);
      const piece = term - (pieces?.offset ?? Number.NaN);
      if (piece >= 0 && piece < material.length) material[piece] = coefficient;
      counts[groupOf[term]] += coefficient;
    }
    // From the point of view of the side ahead, a residual shows whether evaluations are too large or too small
    const phase = PHASE_NAMES[Math.min(5, dataset.phase[row] >> 2)];
    if (scores[row] !== 0) groups.add(`phase\t${phase}`, Math.sign(scores[row]) * miss);
    if (pieces !== undefined) {
      const { name, sign } = materialName(material);
      groups.add(`material\t${name}`, sign * miss);
    }
    counts.forEach((count, group) => {
      if (count !== 0) groups.add(`term\t${names[group]}`, Math.sign(count) * miss);
    });
  }
  for (const sums of [bins, groups]) sums.endGame();

  const calibration = [...bins.groups].map(([bin, { positions, sum, squares }]) => {
    const mean = expectedSums[Number(bin)] / positions;
    return { expected: mean, scored: mean + sum / positions, error: Math.sqrt(squares) / positions, positions };
  });
  const residuals = [...groups.groups].map(([key, { positions, sum, squares }]): ResidualGroup => {
    const [kind, group] = key.split('\t') as [ResidualGroup['kind'], string];
    return { kind, group, positions, mean: sum / positions, error: Math.sqrt(squares) / positions };
  });
  return {
    calibration: calibration.sort((a, b) => a.expected - b.expected),
    residuals: residuals.filter(({ positions }) => positions >= MIN_POSITIONS),
  };
}

/** For each group: the number of positions, the sum of their values, and the sum over games of the squared sum of each game. */
class GameSums {
  readonly groups = new Map<string, { positions: number; sum: number; squares: number; game: number }>();

  add(group: string, value: number): void {
    const sums = this.groups.get(group) ?? { positions: 0, sum: 0, squares: 0, game: 0 };
    sums.positions++;
    sums.sum += value;
    sums.game += value;
    this.groups.set(group, sums);
  }

  endGame(): void {
    for (const sums of this.groups.values()) {
      sums.squares += sums.game ** 2;
      sums.game = 0;
    }
  }
}

const PHASE_NAMES = ['0–3', '4–7', '8–11', '12–15', '16–19', '20–24'];

/** Returns the names of terms and table rows, and the index of the name of each weight. */
function termGroups({ terms, size: weights }: Model): { names: string[]; groupOf: Uint16Array } {
  const names: string[] = [];
  const groupOf = new Uint16Array(weights);
  for (const term of terms) {
    const { shape, offset, size } = term;
    const width = shape.length > 1 ? widthOf(term) : size;
    for (let from = 0; from < size; from += width) {
      groupOf.fill(names.length, offset + from, offset + from + width);
      const row = rowName(term, from / width);
      names.push(isBoard(term) ? `${row} on its square` : row);
    }
  }
  return { names, groupOf };
}

const PAWNS = [1, 3, 3, 5, 9];
const LETTERS = ['', 'N', 'B', 'R', 'Q'];

/** Returns the kind of material, the stronger side first, and `sign`: 1 if that is White, −1 if Black. Equal material counts as White's. */
function materialName(surplus: Int32Array): { name: string; sign: number } {
  const balance = surplus.reduce((sum, count, type) => sum + count * PAWNS[type], 0);
  const lead = balance !== 0 ? balance : (surplus.findLast((count) => count !== 0) ?? 0);
  const sign = lead < 0 ? -1 : 1;
  const [more, less] = [sign, -sign].map((side) =>
    LETTERS.map((letter, type) => letter.repeat(Math.max(0, side * surplus[type])))
      .reverse()
      .join(''),
  );
  const pieces = more === '' && less === '' ? '' : `${more || '–'} against ${less || '–'}`;
  const pawns = sign * surplus[0];
  const size = Math.abs(pawns) < 3 ? Math.abs(pawns) : '3 or more';
  const pawnText = pawns === 0 ? '' : `${pawns > 0 ? '+' : '−'}${size} P`;
  return { name: [pieces, pawnText].filter(Boolean).join(', ') || 'equal', sign };
}
