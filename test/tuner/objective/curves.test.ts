// Rows with danger and scale sums: losses, gradient and Gauss–Newton matrix against their definitions and finite differences.

import { afterEach, describe, expect, test } from 'vitest';
import { dangerValue, KNEE, scaledEndgame } from '../../../engine/eval/score.js';
import { createRandom, randomBelow } from '../../../engine/kernel/random.js';
import { joinParts, PartBuilder, SLOPES_PER_ROW } from '../../../tuner/dataset/dataset.js';
import { evaluations, linearise, productsWith } from '../../../tuner/objective/loss.js';
import { Objective } from '../../../tuner/objective/objective.js';
import { dangerAt, dangerSlope, factorAt, factorSlope } from '../../../tuner/passes/curves.js';

const TERMS = 16;
/** First terms of danger and of scale. */
const FIRST = 7;
const SCALE = 12;
const K = 1.8;
const random = createRandom(4);
const weights = Float64Array.from({ length: 2 * TERMS }, (_, i) =>
  i % TERMS < SCALE ? randomBelow(random, 601) - 200 : randomBelow(random, 401) - 200,
);
const rows = Array.from({ length: 400 }, () => {
  const counts = new Int32Array(5 * TERMS);
  for (let entry = 0; entry < 3; entry++) counts[randomBelow(random, FIRST)] += 1 - 2 * (random() & 1);
  for (const part of [1, 2]) {
    for (let entry = 0; entry < 4; entry++) {
      counts[part * TERMS + FIRST + randomBelow(random, SCALE - FIRST)] += randomBelow(random, 5) - 1;
    }
  }
  for (const part of [3, 4]) {
    for (let entry = 0; entry < 3; entry++) counts[part * TERMS + SCALE + randomBelow(random, TERMS - SCALE)]++;
  }
  return { counts, phase: randomBelow(random, 25), result: randomBelow(random, 3) };
});
const builder = new PartBuilder(TERMS);
rows.forEach(({ counts, phase, result }, row) => {
  if (row % 8 === 0) builder.startGame(row);
  builder.add(counts, phase, result, 0);
});
const dataset = joinParts([builder.finish()]);
const heldOut = Uint8Array.from(rows, (_, row) => (row % 5 === 0 ? 1 : 0));

/** The evaluation of a row, as a plain reference. */
function scoreOf({ counts, phase }: (typeof rows)[number], at: Float64Array): number {
  const [mg, eg] = [0, TERMS].map((lane) => {
    const sums = [0, 1, 2, 3, 4].map((part) =>
      counts.subarray(part * TERMS, (part + 1) * TERMS).reduce((sum, count, term) => sum + count * at[lane + term], 0),
    );
    const value = sums[0] + dangerAt(sums[1]) - dangerAt(sums[2]);
    return lane === 0 ? value : value * factorAt(sums[value < 0 ? 4 : 3]);
  });
  return (mg * phase + eg * (24 - phase)) / 24;
}

function trainLoss(at: Float64Array): number {
  const losses = rows
    .filter((_, row) => heldOut[row] === 0)
    .map((row) => (1 / (1 + Math.exp((-K * scoreOf(row, at)) / 400)) - row.result / 2) ** 2);
  return losses.reduce((sum, value) => sum + value, 0) / losses.length;
}

/** Central difference with respect to one weight. */
const differenceAt = (of: (at: Float64Array) => number, i: number, step = 1e-3): number =>
  (of(weights.with(i, weights[i] + step)) - of(weights.with(i, weights[i] - step))) / (2 * step);

const open: Objective[] = [];
function start(workers = 1): Objective {
  const objective = new Objective(dataset, heldOut, { terms: TERMS, workers });
  open.push(objective);
  return objective;
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((objective) => objective.close()));
});

describe('the danger curve', () => {
  test("the danger curve equals the engine's before rounding, and is increasing and smooth", () => {
    for (let sum = -1200; sum <= 2400; sum++) {
      expect(dangerValue(sum)).toBe(Math.floor(dangerAt(sum)));
      expect(dangerSlope(sum)).toBeGreaterThan(0);
      expect((dangerAt(sum + 1e-3) - dangerAt(sum - 1e-3)) / 2e-3).toBeCloseTo(dangerSlope(sum), 5);
    }
    expect(dangerAt(KNEE + 800) - dangerAt(KNEE + 400)).toBe(dangerAt(KNEE + 400) - dangerAt(KNEE));
  });
});

describe('the endgame factor', () => {
  test("the endgame factor equals the engine's before rounding, and is symmetric and bounded", () => {
    for (let sum = -200; sum <= 200; sum++) {
      for (const eg of [0, 1, 77, 3001]) {
        expect(scaledEndgame(eg, sum)).toBe(Math.floor(eg * factorAt(sum)));
        expect(scaledEndgame(-eg, sum) + 0).toBe(0 - scaledEndgame(eg, sum) + 0);
      }
      if (Math.abs(sum) === 128) continue;
      expect((factorAt(sum + 1e-3) - factorAt(sum - 1e-3)) / 2e-3).toBeCloseTo(factorSlope(sum), 9);
    }
    expect([-999, -128, 0, 64, 999].map(factorAt)).toEqual([0, 0, 1, 1.5, 2]);
  });
});

describe('rows with sums', () => {
  test('the test rows cover every section of both curves', () => {
    const { partSlopes } = linearise(dataset, weights);
    const most = dangerSlope(KNEE);
    const ofDanger = partSlopes.filter((_, i) => i % SLOPES_PER_ROW === 0);
    expect(ofDanger.some((slope) => slope === 0.125)).toBe(true);
    expect(ofDanger.some((slope) => slope > 0.125 && slope < most)).toBe(true);
    expect(ofDanger.some((slope) => slope === most)).toBe(true);
    const factors = partSlopes.filter((_, i) => i % SLOPES_PER_ROW === 4);
    for (const bound of [0, 2]) expect(factors).toContain(bound);
    const scales = partSlopes.filter((_, i) => i % SLOPES_PER_ROW === 5);
    for (const sign of [-1, 0, 1]) expect(scales.some((scale) => Math.sign(scale) === sign)).toBe(true);
  });

  test('evaluations of rows with sums match their definition, and products match the derivatives', () => {
    const products = linearise(dataset, weights);
    const scores = evaluations(dataset, weights);
    for (let i = 0; i < 2 * TERMS; i++) {
      const column = productsWith(products, new Float64Array(2 * TERMS).with(i, 1));
      rows.forEach((row, at) => {
        expect(scores[at]).toBeCloseTo(scoreOf(row, weights), 9);
        expect(column[at]).toBeCloseTo(
          differenceAt((moved) => scoreOf(row, moved), i),
          4,
        );
      });
    }
  });

  test('losses of rows with sums match their definition, and gradients match finite differences', async () => {
    const gradient = new Float64Array(2 * TERMS);
    const { train } = await start(2).evaluate(weights, K, gradient);
    expect(train).toBeCloseTo(trainLoss(weights), 12);
    for (let i = 0; i < gradient.length; i++) expect(gradient[i]).toBeCloseTo(differenceAt(trainLoss, i), 8);
    for (const i of [FIRST, TERMS + FIRST, TERMS + SCALE]) expect(Math.abs(gradient[i])).toBeGreaterThan(1e-6);
    expect(gradient.subarray(SCALE, TERMS)).toEqual(new Float64Array(TERMS - SCALE));
  });

  test('the Gauss–Newton matrix of rows with sums matches finite differences, as a matrix and as a product', async () => {
    const objective = start();
    const size = 2 * TERMS;
    const plain = new Float64Array(size * size);
    let count = 0;
    rows.forEach((row, at) => {
      if (heldOut[at] === 1) return;
      count++;
      const p = 1 / (1 + Math.exp((-K * scoreOf(row, weights)) / 400));
      const jacobian = Array.from({ length: size }, (_, i) => differenceAt((moved) => scoreOf(row, moved), i));
      const curvature = 2 * ((K / 400) * p * (1 - p)) ** 2;
      for (let i = 0; i < size; i++)
        for (let j = 0; j < size; j++) plain[i * size + j] += curvature * jacobian[i] * jacobian[j];
    });
    const { values } = await objective.matrix(
      weights,
      K,
      1,
      Uint32Array.from({ length: size }, (_, i) => i),
    );
    const largest = Math.max(...plain.map(Math.abs)) / count;
    values.forEach((value, at) => {
      expect(Math.abs(value - plain[at] / count)).toBeLessThan(1e-5 * largest);
    });
    const { product } = await objective.curvature(weights, K, 1);
    const out = new Float64Array(size);
    await product(weights, out);
    for (let i = 0; i < size; i++) {
      const row = values.subarray(i * size, (i + 1) * size);
      expect(out[i]).toBeCloseTo(
        weights.reduce((sum, weight, j) => sum + row[j] * weight, 0),
        9,
      );
    }
  });

  test('a coordinate search over rows with sums gives the correct change of each loss', async () => {
    const objective = start();
    const search = await objective.search(weights, K);
    const moved = weights.slice();
    for (const [coordinate, step] of [
      [FIRST + 1, 9],
      [2, -5],
      [TERMS + FIRST, 12],
      [TERMS, 3],
      [TERMS + SCALE, -7],
      [TERMS + 1, 60],
      [TERMS + 2, -90],
      [0, 4],
    ]) {
      const here = trainLoss(moved);
      const { up, down } = await search.try(coordinate, step);
      expect(up.train).toBeCloseTo(trainLoss(moved.with(coordinate, moved[coordinate] + step)) - here, 10);
      expect(down.train).toBeCloseTo(trainLoss(moved.with(coordinate, moved[coordinate] - step)) - here, 10);
      await search.move(coordinate, step);
      moved[coordinate] += step;
    }
  });
});
