import { afterAll, describe, expect, it } from 'vitest';
import { UNSCORED } from '../../../selfplay/records/record.js';
import { joinParts, PartBuilder } from '../../../tuner/dataset/dataset.js';
import { problemOf } from '../../../tuner/methods/problem.js';
import { blendScores, type LabelSettings, labelsOf } from '../../../tuner/objective/labels.js';
import { type LossKind, type Objective, startObjective } from '../../../tuner/objective/objective.js';
import { scoreOf, synthetic } from '../../support/synthetic.js';

const TERMS = 6;
const K = 2.2;
const BLEND = 0.3;
const source = synthetic(400, TERMS, K);

/** The synthetic rows again, in games of different lengths and with search scores, except for some. */
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

const PLAIN: LabelSettings = { blend: 0, count: 'positions', balancePhases: false, repeats: 'all' };
const CASES: [string, LossKind, LabelSettings, { penalty: number; absolute: number }][] = [
  ['results', 'mse', PLAIN, { penalty: 0, absolute: 0 }],
  ['cross-entropy with L1 and L2', 'cross-entropy', PLAIN, { penalty: 1e-5, absolute: 1e-4 }],
  ['blended scores', 'mse', { ...PLAIN, blend: BLEND }, { penalty: 0, absolute: 0 }],
  ['games that weigh the same', 'mse', { ...PLAIN, count: 'games' }, { penalty: 1e-5, absolute: 0 }],
  [
    'everything',
    'cross-entropy',
    { blend: BLEND, count: 'games', balancePhases: true, repeats: 'all' },
    { penalty: 1e-6, absolute: 1e-5 },
  ],
];

describe.each(CASES)('the problem with %s', (_, loss, settings, penalties) => {
  const labels = labelsOf(dataset, settings);
  const objective = startObjective(dataset, heldOut, { terms: TERMS, workers: 2, loss, ...(labels && { labels }) });
  open.push(objective);
  const blended = labels && blendScores(labels, dataset, heldOut, settings.blend);
  const problem = problemOf(objective, K, { ...penalties, prior }, free);
  const target = (i: number): number => labels?.target[i] ?? dataset.result[i] / 2;
  const weight = (i: number): number => labels?.weight[i] ?? 1;

  /** Train loss plus penalty, written plainly. */
  const value = (at: Float64Array, rows: number[]): number => {
    let sum = 0;
    let weighed = 0;
    for (const i of rows) {
      const p = 1 / (1 + Math.exp((-K * scoreOf(at, source.rows[i].counts, source.rows[i].phase)) / 400));
      const y = target(i);
      sum += weight(i) * (loss === 'mse' ? (p - y) ** 2 : -(y * Math.log(p) + (1 - y) * Math.log(1 - p)));
      weighed += weight(i);
    }
    return sum / weighed + problem.penalty(at);
  };
  const training = games.flatMap((game, i) => (game % 4 === 0 ? [] : [i]));
  const differences = (f: (at: Float64Array) => number, step: number): number[] =>
    [...weights].map((__, i) => {
      const moved = (by: number): number => f(weights.map((old, j) => (i === j ? old + by : old)));
      return free[i] === 1 ? (moved(step) - moved(-step)) / (2 * step) : 0;
    });

  it('has the value and gradient that finite differences give', async () => {
    await blended;
    const gradient = new Float64Array(2 * TERMS);
    const { train } = await problem.gradient(weights, gradient);
    expect(train + problem.penalty(weights)).toBeCloseTo(value(weights, training), 7);
    const expected = differences((at) => value(at, training), 1e-2);
    gradient.forEach((slope, i) => {
      expect(slope).toBeCloseTo(expected[i], 8);
    });
    expect(Math.max(...gradient.map(Math.abs))).toBeGreaterThan(1e-5);
  });

  it('estimates it from a batch, rows counting as often as they are drawn', async () => {
    const rows = Uint32Array.of(...training.slice(10, 30), training[12]);
    const gradient = new Float64Array(2 * TERMS);
    await problem.batchGradient(weights, rows, gradient);
    const pass = (at: Float64Array): number =>
      [...rows].reduce((sum, i) => sum + (weight(i) * (value(at, [i]) - problem.penalty(at))) / rows.length, 0) +
      problem.penalty(at);
    differences(pass, 1e-2).forEach((slope, i) => {
      expect(gradient[i]).toBeCloseTo(slope, 8);
    });
  });

  it('has the Gauss–Newton matrix of its definition', async () => {
    const curvature = await problem.curvature(weights, 1);
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
    const second = differences((at) => differencesOfPenalty(at), 1e-3);
    const vector = Float64Array.from(weights, (__, i) => (free[i] === 1 ? (i % 5) - 2 : 0));
    const out = new Float64Array(size);
    await curvature.product(vector, out);
    for (let i = 0; i < size; i++) {
      const data = matrix[i].reduce((sum, entry, j) => sum + entry * vector[j], 0) / weighed;
      expect(out[i]).toBeCloseTo(free[i] === 1 ? data + second[i] * vector[i] : 0, 7);
      expect(curvature.diagonal[i]).toBeCloseTo(free[i] === 1 ? matrix[i][i] / weighed + second[i] : 0, 7);
    }

    /** Sum of the penalty's slopes: one coordinate's move changes only its own. */
    function differencesOfPenalty(at: Float64Array): number {
      const step = 1e-3;
      return [...at].reduce((sum, __, i) => {
        const moved = (by: number): number => problem.penalty(at.map((old, j) => (i === j ? old + by : old)));
        return sum + (moved(step) - moved(-step)) / (2 * step);
      }, 0);
    }
  });
});

describe('labels', () => {
  it('blend the scores as far as there are any, with a K of their own', () => {
    const labels = labelsOf(dataset, { ...PLAIN, blend: BLEND });
    expect(labelsOf(dataset, PLAIN)).toBeUndefined();
    return blendScores(labels!, dataset, heldOut, BLEND).then(() => {
      for (let i = 0; i < 400; i++) {
        const result = dataset.result[i] / 2;
        if (scores[i] === UNSCORED) expect(labels!.target[i]).toBe(result);
        else expect(Math.abs(labels!.target[i] - result)).toBeLessThanOrEqual(BLEND + 1e-6);
      }
    });
  });

  it('make games weigh the same, or phases, with a mean of 1', () => {
    const sums = (of: ArrayLike<number>, weight: Float32Array): number[] => {
      const found = new Map<number, number>();
      for (const [i, value] of weight.entries()) found.set(of[i], (found.get(of[i]) ?? 0) + value);
      return [...found.values()];
    };
    const byGame = labelsOf(dataset, { ...PLAIN, count: 'games' })!.weight;
    for (const sum of sums(dataset.game, byGame)) expect(sum).toBeCloseTo(400 / 20, 3);
    const byPhase = labelsOf(dataset, { ...PLAIN, balancePhases: true })!.weight;
    const bins = sums(
      dataset.phase.map((phase) => Math.min(5, phase >> 2)),
      byPhase,
    );
    expect(bins).toHaveLength(6);
    for (const sum of bins) expect(sum).toBeCloseTo(400 / 6, 2);
  });
});
