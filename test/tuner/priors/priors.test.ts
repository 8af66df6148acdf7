import { describe, expect, test, vi } from 'vitest';
import {
  BISHOP_PAIR,
  DANGER_CHECKS,
  KING_LINES,
  PSQT,
  ROOK_MOBILITY,
  TERMS,
  WEIGHT_COUNT,
} from '../../../engine/eval/terms.js';
import { createRandom } from '../../../engine/kernel/random.js';
import { type Dataset, joinParts, PartBuilder } from '../../../tuner/dataset/dataset.js';
import { gainOf, isClear, lossFalls } from '../../../tuner/fit/gain.js';
import { coordinatesOf } from '../../../tuner/matrix/normal-matrix.js';
import { gaussNewton } from '../../../tuner/methods/gauss-newton.js';
import { surfaceOf } from '../../../tuner/methods/surface.js';
import { HEFT } from '../../../tuner/model/heft.js';
import type { Term } from '../../../tuner/model/model.js';
import { derivativesAt, evaluations, expectations, observe } from '../../../tuner/objective/loss.js';
import { Objective } from '../../../tuner/objective/objective.js';
import { SignDraws } from '../../../tuner/priors/draws.js';
import { familiesOf, type PriorFamily } from '../../../tuner/priors/families.js';
import { type Contrast, penaltyAt, penaltyOf, productAt } from '../../../tuner/priors/penalty.js';
import { fallsOf, makeRise, risesOf, rising } from '../../../tuner/priors/rising.js';
import { learnPrior } from '../../../tuner/priors/strengths.js';
import { slowTest } from '../../support/slow.js';

describe('families', () => {
  const families = familiesOf(HEFT, new Uint8Array(2 * WEIGHT_COUNT).fill(1));
  const of = (name: string, kind: string): PriorFamily['contrasts'] =>
    families.find((family) => family.name === name && family.kind === kind)?.contrasts ?? [];

  test('each weight has one distance contrast', () => {
    const held = families.filter(({ kind }) => kind === 'distance').flatMap(({ contrasts }) => contrasts);
    expect(held.map(([[coordinate]]) => coordinate).sort((a, b) => a - b)).toEqual([...Array(2 * WEIGHT_COUNT).keys()]);
  });

  test('squares are tied to their mirror squares and to neighbours in a line, within a table', () => {
    const square = (index: number) => PSQT + 128 + index;
    expect(of('psqt', 'mirror')).toContainEqual([
      [square(17), 1],
      [square(22), -1],
    ]);
    expect(of('psqt', 'curvature')).toContainEqual([
      [square(17), 1],
      [square(25), -2],
      [square(33), 1],
    ]);
    expect(of('psqt', 'curvature')).toContainEqual([
      [square(5), 1],
      [square(6), -2],
      [square(7), 1],
    ]);
    expect(of('psqt', 'mirror')).toHaveLength(2 * 6 * 32);
    expect(of('psqt', 'curvature')).toHaveLength(2 * 6 * 2 * 48);
  });

  test('steps of a count are tied, kinds and single values are not, and straight lines have no penalty', () => {
    expect(of('mobility', 'curvature')).toContainEqual([
      [ROOK_MOBILITY, 1],
      [ROOK_MOBILITY + 1, -2],
      [ROOK_MOBILITY + 2, 1],
    ]);
    expect(of('material', 'curvature')).toEqual([]);
    const tied = families.filter(({ kind }) => kind !== 'distance').flatMap(({ contrasts }) => contrasts);
    expect(tied.flat().some(([coordinate]) => coordinate % WEIGHT_COUNT === BISHOP_PAIR)).toBe(false);
    for (const { kind, contrasts } of families) {
      if (kind !== 'curvature') continue;
      for (const contrast of contrasts) {
        expect(contrast.reduce((sum, [, factor]) => sum + factor, 0)).toBe(0);
        expect(contrast.reduce((sum, [coordinate, factor]) => sum + factor * coordinate, 0)).toBe(0);
      }
    }
  });

  test('contrasts do not depend on which dimension holds the squares', () => {
    const contrastsIn = (shape: number[], orders: Term['orders'], cellOf: (cell: number) => number) => {
      const term: Term = { ...HEFT.terms[0], name: 'table', family: null, shape, orders, offset: 0, size: 128 };
      const model = { ...HEFT, terms: [term], size: 128 };
      const found = familiesOf(model, new Uint8Array(256).fill(1, 0, 128)).map(({ kind, contrasts }) => {
        const moved = contrasts.map((contrast) => contrast.map(([cell, factor]) => [cellOf(cell), factor]));
        return [kind, moved.map((contrast) => JSON.stringify(contrast)).sort()] as const;
      });
      return Object.fromEntries(found);
    };
    const last = contrastsIn([2, 64], ['kinds', 'squares'], (cell) => cell);
    expect(contrastsIn([64, 2], ['squares', 'kinds'], (cell) => 64 * (cell & 1) + (cell >> 1))).toEqual(last);
    expect(last['mirror']).toHaveLength(2 * 32);
  });

  test('contrasts that include a fixed weight are omitted', () => {
    const free = new Uint8Array(2 * WEIGHT_COUNT);
    free.fill(1, ROOK_MOBILITY, ROOK_MOBILITY + 3);
    expect(familiesOf(HEFT, free).map(({ kind, contrasts }) => [kind, contrasts.length])).toEqual([
      ['distance', 3],
      ['curvature', 1],
    ]);
  });
});

test('a penalty is the sum of squared contrasts, and its product is half its gradient', () => {
  const prior = Float64Array.of(1, -2, 0.5, 3);
  const penalty = penaltyOf(prior, 0.5, [
    {
      strength: 2,
      contrasts: [
        [
          [0, 1],
          [1, -2],
          [2, 1],
        ],
      ],
    },
    { strength: 0.3, contrasts: [[[1, 1]], [[3, 1]]] },
  ]);
  const value = (w: Float64Array): number => {
    const [a, b, c, d] = w.map((weight, i) => weight - prior[i]);
    return 0.5 * (2 * (a - 2 * b + c) ** 2 + 0.3 * (b * b + d * d));
  };
  const at = Float64Array.of(3, 1, -1, 2);
  expect(penaltyAt(penalty, at)).toBeCloseTo(value(at), 12);
  const distances = at.map((weight, i) => weight - prior[i]);
  for (let i = 0; i < 4; i++) {
    const moved = (by: number): number => value(at.map((weight, j) => (i === j ? weight + by : weight)));
    expect(2 * productAt(penalty, distances, i)).toBeCloseTo((moved(1e-4) - moved(-1e-4)) / 2e-4, 7);
  }
});

describe('rising', () => {
  test('rising returns the nearest non-decreasing table', () => {
    expect(rising([1, 2, 3], [1, 1, 1])).toEqual([1, 2, 3]);
    expect(rising([1, 5, 2, 2, 9], [1, 1, 1, 1, 1])).toEqual([1, 3, 3, 3, 9]);
    expect(rising([6, 0], [1, 3])).toEqual([1.5, 1.5]);
    expect(rising([3, 2, 1], [1, 1, 1])).toEqual([2, 2, 2]);
  });

  test('makeRise makes each row of a danger table non-decreasing from zero, except frozen rows', () => {
    const term = TERMS.find(({ name }) => name === 'dangerChecks');
    expect([term?.orders, term?.shape]).toEqual([
      ['kinds', 'danger'],
      [4, 3],
    ]);
    const weights = Float64Array.from({ length: 2 * WEIGHT_COUNT }, (_, i) => (-i % 7) + 3);
    const before = weights.slice();
    const frozen = new Uint8Array(WEIGHT_COUNT);
    frozen[DANGER_CHECKS] = 1;
    makeRise(HEFT, weights, new Float64Array(2 * WEIGHT_COUNT), new Uint32Array(WEIGHT_COUNT).fill(3), frozen);
    const row = (from: number): Float64Array => weights.subarray(from, from + 3);
    for (const from of [3, 6, 9, WEIGHT_COUNT + 3, WEIGHT_COUNT + 6].map((at) => DANGER_CHECKS + at)) {
      expect([...row(from)]).toEqual([...row(from)].sort((a, b) => a - b));
      expect(row(from)[0]).toBeGreaterThanOrEqual(0);
    }
    expect(row(DANGER_CHECKS)).toEqual(before.subarray(DANGER_CHECKS, DANGER_CHECKS + 3));
    expect(weights.subarray(0, KING_LINES)).toEqual(before.subarray(0, KING_LINES));
  });

  test('makeRise permits a table to fall as far as its prior', () => {
    const prior = new Float64Array(2 * WEIGHT_COUNT);
    prior.set([5, 2, 2], DANGER_CHECKS);
    prior.set([-4, 1, 1], DANGER_CHECKS + 3);
    const weights = prior.slice();
    weights.set([6, 1, 0, -9, 2, 2], DANGER_CHECKS);
    makeRise(HEFT, weights, prior, new Uint32Array(WEIGHT_COUNT).fill(1));
    const [a, b, c, d, e, f] = weights.subarray(DANGER_CHECKS, DANGER_CHECKS + 6);
    expect([b - a, c - b, d, e, f]).toEqual([-3, 0, -4, 2, 2]);
  });

  test('steps are tied if they fall below zero and the prior, and released once they no longer do', () => {
    const free = new Uint8Array(2 * WEIGHT_COUNT).fill(1);
    free[DANGER_CHECKS + 4] = 0;
    const rises = risesOf(HEFT, free);
    const at = (cell: number): number => rises.findIndex(([[upper]]) => upper === cell);
    expect([at(DANGER_CHECKS + 4), at(DANGER_CHECKS + 5)]).toEqual([-1, -1]);
    const first = rises[at(DANGER_CHECKS + 3)];
    expect(first).toEqual([[DANGER_CHECKS + 3, 1]]);
    const prior = new Float64Array(2 * WEIGHT_COUNT);
    const weights = prior.slice();
    weights.set([5, 4, 7, -1], DANGER_CHECKS);
    const step = rises[at(DANGER_CHECKS + 1)];
    expect(fallsOf([rises[at(DANGER_CHECKS + 2)], step, first], weights, prior, [])).toEqual([step, first]);
    weights.set([5, 5.001], DANGER_CHECKS);
    expect(fallsOf([step], weights, prior, [step])).toEqual([]);
    weights.set([5, 4.999], DANGER_CHECKS);
    expect(fallsOf([step], weights, prior, [step])).toEqual([step]);
  });
});

/** Games of four equal positions with one result; the table's cells follow `truth`. */
function games(count: number, truth: (cell: number) => number, seed = 3): Dataset {
  const random = createRandom(seed);
  const builder = new PartBuilder();
  for (let game = 0; game < count; game++) {
    builder.startGame(random());
    const counts = new Int32Array(CELLS);
    const score = [1, -1].reduce((sum, sign) => {
      const cell = random() % CELLS;
      counts[cell] += sign;
      return sum + sign * truth(cell);
    }, 0);
    const result = random() / 2 ** 32 < 1 / (1 + Math.exp(-score / 200)) ? 2 : 0;
    for (let position = 0; position < 4; position++) builder.add(counts, 24, result, 0);
  }
  return joinParts([builder.finish()]);
}

const CELLS = 24;
const FREE = Uint8Array.from({ length: 2 * CELLS }, (_, i) => (i < CELLS ? 1 : 0));
const ZERO = new Float64Array(2 * CELLS);
const FAMILIES: PriorFamily[] = [
  { name: 'table', kind: 'distance', contrasts: Array.from({ length: CELLS }, (_, i) => [[i, 1]]) },
  {
    name: 'table',
    kind: 'curvature',
    contrasts: Array.from({ length: CELLS - 2 }, (_, i) => [
      [i, 1],
      [i + 1, -2],
      [i + 2, 1],
    ]),
  },
];

async function learn(dataset: Dataset, workers = 1, rises: Contrast[] = []) {
  const held = new Uint8Array(dataset.phase.length);
  const objective = new Objective(dataset, held, { terms: CELLS, workers });
  try {
    const observations = observe(dataset, held, 0, 2, 'mse');
    let rounds = 0;
    const onRound = (round: number): void => {
      rounds = round;
    };
    const matrix = vi.spyOn(objective, 'matrix');
    const settings = { model: HEFT, observations, start: ZERO, prior: ZERO, free: FREE, stride: 1, onRound };
    const learnt = await learnPrior(objective, settings, FAMILIES, rises);
    const matrices = matrix.mock.calls.length;
    const problem = surfaceOf(objective, 2, learnt.penalty, FREE);
    const method = { rate: gaussNewton.rate, decay: 0, batch: 0, epochs: 9, seed: 1 };
    const state = await gaussNewton.start(problem, ZERO, method);
    for (let step = 0; step < 9 && !state.done; step++) await gaussNewton.step(problem, state, method);
    return { ...learnt, observations, weights: state.weights, rounds, matrices };
  } finally {
    await objective.close();
  }
}

describe('a learnt prior', () => {
  const line = (cell: number): number => 12 * (cell - CELLS / 2);

  test('a learnt prior ties neighbours with values on a line, but not neighbours with random values', async () => {
    const smooth = await learn(games(1500, line));
    const rough = await learn(games(1500, (cell) => (cell % 2 === 0 ? 90 : -90)));
    const [, curvature] = smooth.families;
    expect(curvature.deviation).toBeLessThan(rough.families[1].deviation / 10);
    expect(smooth.families.reduce((sum, { effective }) => sum + effective, 0)).toBeLessThan(5);
    expect(rough.families.reduce((sum, { effective }) => sum + effective, 0)).toBeGreaterThan(15);
    for (let cell = 0; cell < CELLS; cell++) {
      expect(Math.abs(smooth.weights[cell] - line(cell)), `cell ${cell}`).toBeLessThan(50);
    }
  });

  test('a learnt prior ties falling entries of a danger table and lets the games determine the others', async () => {
    const hill = (cell: number): number => (cell < 12 ? 20 * cell : 240 - 15 * (cell - 12));
    const rises = Array.from(
      { length: CELLS - 1 },
      (_, i): Contrast => [
        [i + 1, 1],
        [i, -1],
      ],
    );
    const plain = await learn(games(1500, hill));
    const tied = await learn(games(1500, hill), 1, rises);
    const steps = (weights: Float64Array): number[] => rises.map((_, i) => weights[i + 1] - weights[i]);
    expect(Math.min(...steps(plain.weights))).toBeLessThan(-5);
    expect(Math.min(...steps(tied.weights))).toBeGreaterThan(-0.5);
    expect(tied.weights[9] - tied.weights[2]).toBeGreaterThan(100);
  });

  test('the noise of a learnt prior counts games, not positions', async () => {
    const { penalty, observations } = await learn(games(3000, line));
    const errors = 0.2 / penalty.noise;
    expect(observations.dataset.phase.length / errors).toBeGreaterThan(2.5);
    expect(observations.dataset.phase.length / errors).toBeLessThan(6);
  });

  test('the leverage is the share of an opening in the second derivatives along its own step', () => {
    const dataset = games(600, line);
    const observations = observe(dataset, new Uint8Array(dataset.phase.length), 0, 2, 'mse');
    const draws = new SignDraws(observations, coordinatesOf(FREE));
    const weights = Float64Array.from(ZERO, (_, i) => (i < CELLS ? line(i) / 2 : 0));
    const { slopes, curvatures, total } = derivativesAt(observations, expectations(evaluations(dataset, weights), 2));
    // For steps of `factor` gradients: a row is the difference of two cells, and four rows form an opening
    const shareAt = (factor: number): number => {
      let [own, whole] = [0, 0];
      for (const [row, slope] of slopes.entries()) {
        if (dataset.offsets[row] === dataset.offsets[row + 1]) continue;
        own += (curvatures[row] / total) * ((factor * 8 * slope) / total) ** 2;
        whole += (factor * 8 * slope ** 2) / total ** 2;
      }
      return own / whole;
    };
    const factor = 0.3 / shareAt(1);
    const drawn = draws.at(weights);
    const steps = drawn.groups.map((gradient) => gradient.map((value) => factor * value));
    expect(shareAt(factor)).toBeCloseTo(0.3, 9);
    expect(Math.abs(draws.leverageOf(drawn, steps) - 0.3)).toBeLessThan(0.03);
  });

  test('a learnt prior leaves weights at zero if all games are drawn', async () => {
    const dataset = games(40, line);
    dataset.result.fill(1);
    const { weights } = await learn(dataset);
    expect(Math.max(...weights.map(Math.abs))).toBeLessThan(1e-6);
  });

  test('the second derivatives are computed again only while their prediction of the loss is inaccurate', async () => {
    const near = await learn(games(1500, (cell) => cell - CELLS / 2));
    const far = await learn(games(1500, (cell) => 50 * (cell - CELLS / 2)));
    expect(near.matrices).toBe(1);
    expect(near.rounds).toBeGreaterThan(1);
    expect(far.matrices).toBeGreaterThan(1);
    expect(far.matrices).toBeLessThan(far.rounds);
  });

  test('a learnt prior does not depend on the number of workers', async () => {
    const dataset = games(400, line);
    const [one, two] = [await learn(dataset, 1), await learn(dataset, 2)];
    expect(two.families).toEqual(one.families);
    expect(two.penalty).toEqual(one.penalty);
  });

  slowTest('a fit to random results has no clear gain, and a fit to real ones does', async () => {
    const gains = [];
    for (const seed of [1, 2, 3, 4]) {
      const { observations, weights, ...learnt } = await learn(games(300, () => 0, seed));
      gains.push(gainOf(lossFalls(observations, ZERO, weights), observations, learnt));
    }
    expect(gains.filter((gain) => isClear(gain, 1)).length).toBeLessThan(2);
    const { observations, weights, ...learnt } = await learn(games(300, line));
    const gain = gainOf(lossFalls(observations, ZERO, weights), observations, learnt);
    expect(isClear(gain, 2)).toBe(true);
    // The gain measured on other games
    const fresh = observe(games(4000, line, 77), new Uint8Array(16_000), 0, 2, 'mse');
    const measured = gainOf(lossFalls(fresh, ZERO, weights), fresh);
    expect(Math.abs(gain.mean - measured.mean)).toBeLessThan(3 * (gain.error ?? 0));
  });
});
