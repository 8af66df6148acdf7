// Texel's local search against the published pseudo-code (Chess Programming Wiki, "Texel's Tuning Method"), and
// against values calculated by hand.

import { afterEach, describe, expect, test } from 'vitest';
import { countOccurrences, joinParts, PartBuilder } from '../../../tuner/dataset/dataset.js';
import { fitWeights } from '../../../tuner/fit/fit.js';
import { local, localSearch } from '../../../tuner/methods/local.js';
import type { Method } from '../../../tuner/methods/method.js';
import { surfaceOf } from '../../../tuner/methods/surface.js';
import type { LossKind } from '../../../tuner/objective/loss.js';
import { Objective } from '../../../tuner/objective/objective.js';
import { plainModel, ridge, scoreOf, synthetic } from '../../support/synthetic.js';

const open: Objective[] = [];
const track = (objective: Objective): Objective => {
  open.push(objective);
  return objective;
};
afterEach(async () => {
  await Promise.all(open.splice(0).map((objective) => objective.close()));
});

/** The published pseudo-code, with E of whole vectors; returns the best values after each round. */
function published(error: (values: number[]) => number, initialGuess: number[]): number[][] {
  let best = [...initialGuess];
  let bestError = error(best);
  const rounds: number[][] = [];
  for (let improved = true; improved; ) {
    improved = false;
    for (let i = 0; i < best.length; i++) {
      for (const by of [1, -1]) {
        const tried = best.map((value, j) => (i === j ? value + by : value));
        const triedError = error(tried);
        if (triedError < bestError) {
          bestError = triedError;
          best = tried;
          improved = true;
          break;
        }
      }
    }
    rounds.push(best);
  }
  return rounds;
}

const TERMS = 4;
const K = 2;

describe.each(['mse', 'cross-entropy'] as const)('local search with %s', (loss: LossKind) => {
  test('local search visits the same points as the published pseudo-code, round by round', async () => {
    const data = synthetic(300, TERMS, K);
    const objective = track(new Objective(data.dataset, new Uint8Array(300), { terms: TERMS, workers: 2, loss }));
    const start = data.planted.map((value, i) => value + [9, -7, 0, 4, -12, 1, 3, -2][i]);
    const error = (values: number[]): number => {
      const losses = data.rows.map(({ counts, phase, result }) => {
        const p = 1 / (1 + Math.exp((-K * scoreOf(Float64Array.from(values), counts, phase)) / 400));
        const y = result / 2;
        return loss === 'mse' ? (y - p) ** 2 : -(y * Math.log(p) + (1 - y) * Math.log(1 - p));
      });
      return losses.reduce((sum, value) => sum + value, 0) / losses.length;
    };
    const rounds = published(error, [...start]);
    expect(rounds.length).toBeGreaterThan(8);

    const surface = surfaceOf(objective, K, ridge(start, 0), new Uint8Array(2 * TERMS).fill(1));
    const settings = { rate: 1, decay: 0, batch: 0, epochs: 1000, seed: 1 };
    const state = await local.start(surface, start, settings);
    for (const round of rounds) {
      expect(state.done).toBe(false);
      await local.step(surface, state, settings);
      expect([...state.weights]).toEqual(round);
    }
    expect(state.done).toBe(true);
    expect(state.losses.train).toBeCloseTo(error(rounds[rounds.length - 1]), 12);
  });
});

/** One term of White at phase 24 (middlegame only): three wins and a loss, so the best p is 3/4. */
function threeToOne(): Objective {
  const builder = new PartBuilder();
  builder.startGame(1);
  for (const result of [2, 2, 2, 0]) builder.add(Int32Array.of(1, 0), 24, result, 0);
  return track(new Objective(joinParts([builder.finish()]), new Uint8Array(4), { terms: 2, workers: 1 }));
}

async function run(method: Method, from: number): Promise<{ weights: Float64Array; epochs: number }> {
  return fitWeights(threeToOne(), {
    method,
    k: 1,
    epochs: 1000,
    patience: 1000,
    penalty: ridge(new Float64Array(4), 0),
    start: Float64Array.of(from, 0, 0, 0),
    occurrences: Uint32Array.of(4, 0),
    model: plainModel(TERMS),
    recentre: () => {},
  });
}

describe('local search against values calculated by hand', () => {
  // p = 3/4 where exp(−w/400) = 1/3: w = 400 ln 3 = 439.44, so 439 is the best whole number
  test('local search moves to 400 ln 3 in steps of 1, and stops after a round without a gain', async () => {
    const { weights, epochs } = await run(local, 430);
    expect(weights[0]).toBe(439);
    expect(epochs).toBe(10);
    expect(weights[1] + weights[3]).toBe(0);
  });

  test('local search also reaches the minimum from above', async () => {
    expect((await run(local, 443)).weights[0]).toBe(439);
  });
});

describe('local search', () => {
  test('local search can minimise the held-out error, and includes the penalty', async () => {
    const data = synthetic(2000, TERMS, K);
    const heldOut = Uint8Array.from(data.rows, (_, row) => row % 2);
    const common = {
      k: K,
      epochs: 40,
      patience: 1000,
      penalty: ridge(data.planted, 0),
      start: data.planted,
      occurrences: countOccurrences(data.dataset, TERMS),
      model: plainModel(TERMS),
      recentre: () => {},
    };
    const objective = track(new Objective(data.dataset, heldOut, { terms: TERMS, workers: 1 }));
    const byHeldOut = localSearch((change) => change.heldOut);
    const held = await fitWeights(objective, { ...common, method: byHeldOut });
    const train = await fitWeights(objective, { ...common, method: local });
    expect(held.curve.at(-1)?.heldOut).toBeLessThan(train.curve.at(-1)?.heldOut ?? 0);
    expect(held.curve.at(-1)?.train).toBeGreaterThan(train.curve.at(-1)?.train ?? 1);
    const pulled = await fitWeights(objective, { ...common, method: local, penalty: ridge(data.planted, 1) });
    expect(pulled.weights).toEqual(data.planted);
  });
});
