import { afterEach, describe, expect, test } from 'vitest';
import { joinParts, PartBuilder } from '../../../tuner/dataset/dataset.js';
import type { LossKind } from '../../../tuner/objective/loss.js';
import { Objective } from '../../../tuner/objective/objective.js';
import { type Synthetic, scoreOf, synthetic } from '../../support/synthetic.js';

const TERMS = 17;
const K = 2.1;
const data = synthetic(700, TERMS, K);
const heldOut = Uint8Array.from(data.rows, (_, row) => (Math.floor(row / 8) % 5 === 0 ? 1 : 0));
const weights = data.planted.map((value, i) => value / 2 + i);

const open: Objective[] = [];
const start = (workers: number, loss: LossKind = 'mse', from: Synthetic['dataset'] = data.dataset): Objective => {
  const objective = new Objective(from, heldOut, { terms: TERMS, workers, loss });
  open.push(objective);
  return objective;
};
afterEach(async () => {
  await Promise.all(open.splice(0).map((objective) => objective.close()));
});

/** Mean train and held-out loss by definition. */
function plainLosses(at: Float64Array, loss: LossKind): number[] {
  return [0, 1].map((side) => {
    const rows = data.rows.filter((_, row) => heldOut[row] === side);
    const losses = rows.map(({ counts, phase, result }) => {
      const p = 1 / (1 + Math.exp((-K * scoreOf(at, counts, phase)) / 400));
      const y = result / 2;
      return loss === 'mse' ? (p - y) ** 2 : -(y * Math.log(p) + (1 - y) * Math.log(1 - p));
    });
    return losses.reduce((sum, value) => sum + value, 0) / rows.length;
  });
}

describe.each(['mse', 'cross-entropy'] as const)('%s', (loss) => {
  test('the objective is the mean loss of each side', async () => {
    const { train, heldOut: held } = await start(2, loss).evaluate(weights, K);
    const [plainTrain, plainHeld] = plainLosses(weights, loss);
    expect(train).toBeCloseTo(plainTrain, 12);
    expect(held).toBeCloseTo(plainHeld, 12);
  });

  test('the gradient of the objective agrees with finite differences', async () => {
    const objective = start(2, loss);
    const gradient = new Float64Array(2 * TERMS);
    await objective.evaluate(weights, K, gradient);
    const step = 1e-3;
    for (let i = 0; i < gradient.length; i++) {
      const difference = [step, -step].map((move) => {
        const moved = weights.slice();
        moved[i] += move;
        return plainLosses(moved, loss)[0];
      });
      expect(gradient[i]).toBeCloseTo((difference[0] - difference[1]) / (2 * step), 9);
    }
    expect(Math.max(...gradient.map(Math.abs))).toBeGreaterThan(1e-6);
  });
});

describe('the objective', () => {
  test('the objective gives bit-identical results with one, two and three workers', async () => {
    const results = [];
    for (const workers of [1, 2, 3]) {
      const gradient = new Float64Array(2 * TERMS);
      results.push({ losses: await start(workers).evaluate(weights, K, gradient), gradient });
    }
    expect(results[1]).toEqual(results[0]);
    expect(results[2]).toEqual(results[0]);
  });

  test('the objective has the same error for colour-flipped positions', async () => {
    const flipped = new PartBuilder();
    flipped.startGame(0);
    for (const { counts, phase, result } of data.rows) {
      flipped.add(
        counts.map((count) => -count),
        phase,
        2 - result,
        0,
      );
    }
    const there = await start(1).evaluate(weights, K);
    const back = await start(1, 'mse', joinParts([flipped.finish()])).evaluate(weights, K);
    expect(back.train).toBeCloseTo(there.train, 12);
    expect(back.heldOut).toBeCloseTo(there.heldOut, 12);
  });

  test('the held-out loss is NaN if nothing is held out', async () => {
    const objective = new Objective(data.dataset, new Uint8Array(700), { terms: TERMS, workers: 1 });
    open.push(objective);
    expect((await objective.evaluate(weights, K)).heldOut).toBeNaN();
  });

  test('matrix and curvature with a stride of 2 equal those of every second row alone', async () => {
    const isEven = (_: unknown, row: number): boolean => row % 2 === 0;
    const builder = new PartBuilder();
    builder.startGame(0);
    for (const { counts, phase, result } of data.rows.filter(isEven)) builder.add(counts, phase, result, 0);
    const half = new Objective(joinParts([builder.finish()]), heldOut.filter(isEven), { terms: TERMS, workers: 1 });
    open.push(half);
    const objective = start(2);
    const every = Uint32Array.from({ length: 2 * TERMS }, (_, i) => i);
    const { values } = await objective.matrix(weights, K, 2, every);
    const expected = await half.matrix(weights, K, 1, every);
    values.forEach((value, at) => {
      expect(value).toBeCloseTo(expected.values[at], 12);
    });
    const { diagonal } = await objective.curvature(weights, K, 2);
    const wanted = await half.curvature(weights, K, 1);
    diagonal.forEach((value, at) => {
      expect(value).toBeCloseTo(wanted.diagonal[at], 12);
    });
  });
});
