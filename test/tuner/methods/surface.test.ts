import { afterAll, describe, expect, test } from 'vitest';
import { UNSCORED } from '../../../selfplay/records/record.js';
import { joinParts, PartBuilder } from '../../../tuner/dataset/dataset.js';
import { surfaceOf } from '../../../tuner/methods/surface.js';
import { fitK } from '../../../tuner/objective/fit-k.js';
import type { LossKind } from '../../../tuner/objective/loss.js';
import { Objective } from '../../../tuner/objective/objective.js';
import { blendScores, type TargetSettings, targetsOf } from '../../../tuner/objective/targets.js';
import { type Penalty, penaltyOf } from '../../../tuner/priors/penalty.js';
import { ridge, scoreOf, synthetic } from '../../support/synthetic.js';

const TERMS = 6;
const K = 2.2;
const BLEND = 0.3;
const source = synthetic(400, TERMS, K);

/** The synthetic rows in games of different lengths, most of them with search scores. */
const scores = source.rows.map(({ counts, phase }, i) =>
  i % 7 === 0 ? UNSCORED : Math.round(scoreOf(source.planted, counts, phase)),
);
const games = source.rows.map((_, i) => Math.floor(Math.sqrt(i)));
const builder = new PartBuilder();
source.rows.forEach(({ counts, phase, result }, i) => {
  if (i === 0 || games[i] !== games[i - 1]) builder.startGame(games[i]);
  builder.add(counts, phase, result, scores[i]);
});
const dataset = joinParts([builder.finish()]);
const heldOut = Uint8Array.from(games, (game) => (game % 4 === 0 ? 1 : 0));

const open: Objective[] = [];
afterAll(() => Promise.all(open.map((objective) => objective.close())));

const weights = source.planted.map((value, i) => value / 3 + 5 * i);
const prior = new Float64Array(2 * TERMS).fill(20);
const free = Uint8Array.from(weights, (_, i) => (i === 4 ? 0 : 1));

const PLAIN: TargetSettings = { blend: 0, repeats: 'all' };
/** The rows of every fifth game are repeats of one position. */
const first = Uint32Array.from(games, (game, row) => (game % 5 === 0 ? games.indexOf(game) : row));
/** Ties between free and frozen coordinates. */
const TIES = penaltyOf(prior, 0.01, [
  { strength: 1e-4, contrasts: Array.from(prior, (_, i) => [[i, 1]]) },
  {
    strength: 3e-4,
    contrasts: [
      [
        [0, 1],
        [1, -2],
        [2, 1],
      ],
      [
        [3, 1],
        [4, -1],
      ],
      [
        [6, 1],
        [7, -1],
      ],
    ],
  },
]);
const CASES: [string, LossKind, TargetSettings, Penalty][] = [
  ['results', 'mse', PLAIN, ridge(prior, 0)],
  ['cross-entropy with L2', 'cross-entropy', PLAIN, ridge(prior, 1e-5)],
  ['blended scores', 'mse', { ...PLAIN, blend: BLEND }, ridge(prior, 0)],
  ['repeats counted once', 'mse', { ...PLAIN, repeats: 'once' }, TIES],
  ['everything', 'cross-entropy', { blend: BLEND, repeats: 'once' }, TIES],
];

describe.each(CASES)('the surface with %s', (_, loss, settings, penalty) => {
  const targets = targetsOf(dataset, settings, first);
  const objective = new Objective(dataset, heldOut, { terms: TERMS, workers: 2, loss, ...(targets && { targets }) });
  open.push(objective);
  const blended = targets && blendScores(targets, dataset, heldOut, settings.blend).then(() => objective.takeTargets());
  const surface = surfaceOf(objective, K, penalty, free);
  const target = (i: number): number => targets?.target[i] ?? dataset.result[i] / 2;
  const weight = (i: number): number => targets?.weight[i] ?? 1;

  /** Train loss plus penalty, as a plain reference. */
  const value = (at: Float64Array, rows: number[]): number => {
    let sum = 0;
    let weighed = 0;
    for (const i of rows) {
      const p = 1 / (1 + Math.exp((-K * scoreOf(at, source.rows[i].counts, source.rows[i].phase)) / 400));
      const y = target(i);
      sum += weight(i) * (loss === 'mse' ? (p - y) ** 2 : -(y * Math.log(p) + (1 - y) * Math.log(1 - p)));
      weighed += weight(i);
    }
    return sum / weighed + surface.penalty(at);
  };
  const training = games.flatMap((game, i) => (game % 4 === 0 ? [] : [i]));
  const differences = (f: (at: Float64Array) => number, step: number): number[] =>
    [...weights].map((__, i) => {
      const moved = (by: number): number => f(weights.map((old, j) => (i === j ? old + by : old)));
      return free[i] === 1 ? (moved(step) - moved(-step)) / (2 * step) : 0;
    });

  test('value and gradient of the surface agree with finite differences', async () => {
    await blended;
    const gradient = new Float64Array(2 * TERMS);
    const { train } = await surface.gradient(weights, gradient);
    expect(train + surface.penalty(weights)).toBeCloseTo(value(weights, training), 7);
    const expected = differences((at) => value(at, training), 1e-2);
    gradient.forEach((slope, i) => {
      expect(slope).toBeCloseTo(expected[i], 8);
    });
    expect(Math.max(...gradient.map(Math.abs))).toBeGreaterThan(1e-5);
  });

  test('the gradient of a batch counts each row as often as it is drawn', async () => {
    const rows = Uint32Array.of(...training.slice(10, 30), training[12]);
    const gradient = new Float64Array(2 * TERMS);
    await surface.batchGradient(weights, rows, gradient);
    const pass = (at: Float64Array): number =>
      [...rows].reduce((sum, i) => sum + (weight(i) * (value(at, [i]) - surface.penalty(at))) / rows.length, 0) +
      surface.penalty(at);
    differences(pass, 1e-2).forEach((slope, i) => {
      expect(gradient[i]).toBeCloseTo(slope, 8);
    });
  });

  test('the Gauss–Newton matrix of the surface agrees with its definition', async () => {
    const curvature = await surface.curvature(weights);
    const size = 2 * TERMS;
    const matrix = Array.from({ length: size }, () => new Float64Array(size));
    let weighed = 0;
    for (const i of training) {
      const { counts, phase } = source.rows[i];
      const row = [...weights].map((__, j) => (counts[j % TERMS] * (j < TERMS ? phase : 24 - phase)) / 24);
      const p = 1 / (1 + Math.exp((-K * scoreOf(weights, counts, phase)) / 400));
      const bend = (loss === 'mse' ? 2 * (p * (1 - p)) ** 2 : p * (1 - p)) * (K / 400) ** 2;
      weighed += weight(i);
      row.forEach((a, j) => {
        row.forEach((b, l) => {
          matrix[j][l] += weight(i) * bend * a * b;
        });
      });
    }
    /** Second derivative of the quadratic penalty along a coordinate and a vector. */
    const bendOf = (i: number, vector: ArrayLike<number>): number => {
      const at = (a: number, b: number): number =>
        surface.penalty(weights.map((old, j) => old + a * vector[j] + (i === j ? b : 0)));
      return (at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)) / 4;
    };
    const unit = (i: number): Float64Array => Float64Array.from({ length: size }, (__, j) => (i === j ? 1 : 0));
    const vector = Float64Array.from(weights, (__, i) => (free[i] === 1 ? (i % 5) - 2 : 0));
    const out = new Float64Array(size);
    await curvature.product(vector, out);
    for (let i = 0; i < size; i++) {
      const data = matrix[i].reduce((sum, entry, j) => sum + entry * vector[j], 0) / weighed;
      expect(out[i]).toBeCloseTo(free[i] === 1 ? data + bendOf(i, vector) : 0, 7);
      expect(curvature.diagonal[i]).toBeCloseTo(free[i] === 1 ? matrix[i][i] / weighed + bendOf(i, unit(i)) : 0, 7);
    }
    const written = await surface.matrix(weights);
    expect(surface.coordinates).toHaveLength(size - 1);
    for (const [row, i] of surface.coordinates.entries()) {
      for (const [column, j] of surface.coordinates.entries()) {
        const entry = written.values[row * written.size + column];
        expect(entry).toBeCloseTo(matrix[i][j] / weighed + bendOf(i, unit(j)), 7);
      }
    }
  });
});

describe('targets', () => {
  test('targets blend available scores, on a scale fitted to the training results', async () => {
    const targets = targetsOf(dataset, { ...PLAIN, blend: BLEND })!;
    expect(targetsOf(dataset, PLAIN)).toBeUndefined();
    await blendScores(targets, dataset, heldOut, BLEND);
    const expected = (i: number, k: number): number => 1 / (1 + Math.exp((-k * scores[i]) / 400));
    const training = [...scores.keys()].filter((i) => scores[i] !== UNSCORED && heldOut[i] === 0);
    const k = await fitK(async (at) =>
      training.reduce((sum, i) => sum + (expected(i, at) - dataset.result[i] / 2) ** 2, 0),
    );
    for (let i = 0; i < 400; i++) {
      const result = dataset.result[i] / 2;
      const wanted = scores[i] === UNSCORED ? result : (1 - BLEND) * result + BLEND * expected(i, k);
      expect(targets.target[i]).toBeCloseTo(wanted, 6);
    }
  });
});
