// Every pass gives the same bits with any number of workers, and the same sums up to rounding for rows in several memories.

import { beforeAll, describe, expect, test } from 'vitest';
import { joinParts, PartBuilder } from '../../../tuner/dataset/dataset.js';
import type { LossKind } from '../../../tuner/objective/loss.js';
import { Objective } from '../../../tuner/objective/objective.js';
import { BYTES_MAX } from '../../../tuner/objective/pass-memory.js';
import { type TargetSettings, targetsOf } from '../../../tuner/objective/targets.js';
import { synthetic } from '../../support/synthetic.js';

const TERMS = 40;
const K = 1.9;
const source = synthetic(3000, TERMS, K, 5);
const builder = new PartBuilder(TERMS);
source.rows.forEach(({ counts, phase, result }, row) => {
  if (row % 8 === 0) builder.startGame(row);
  // Rows of many lengths, with coefficients other than ±1, including the limits
  const scaled = counts.map((count, term) => (row % 7 === term % 7 ? 3 * count : count));
  for (let term = 0; term < row % 23; term++) scaled[term] += term % 2 === 0 ? 1 : -1;
  if (row % 100 === 0) [scaled[0], scaled[1]] = [255, -256];
  // Two in three rows also have danger and scale parts
  const parts = new Int32Array(5 * TERMS);
  parts.set(scaled);
  if (row % 3 > 0) for (let at = TERMS; at < 5 * TERMS; at += 1 + (row % 5)) parts[at] = (row + at) % 4;
  builder.add(parts, phase, result, 0);
});
const dataset = joinParts([builder.finish()]);
const heldOut = Uint8Array.from(dataset.phase, (_, row) => (row % 11 === 0 ? 1 : 0));
const weights = source.planted.map((value, i) => value / 3 + i / 7);
const batch = Uint32Array.from({ length: 1500 }, (_, i) => (i * 977) % 3000);

interface Settings {
  loss: LossKind;
  targets?: TargetSettings;
}

/** Returns the results of all passes. */
async function results(workers: number, { loss, targets }: Settings, bytes = BYTES_MAX) {
  const given = targets && targetsOf(dataset, targets);
  const options = { terms: TERMS, workers, loss, ...(given && { targets: given }) };
  const objective = new Objective(dataset, heldOut, options, bytes);
  const fill = async (pass: (out: Float64Array) => Promise<unknown>) => {
    const out = new Float64Array(2 * TERMS);
    return [await pass(out), out];
  };
  try {
    const { diagonal, product } = await objective.curvature(weights, K, 2);
    const found = {
      matrix: (await objective.matrix(weights, K, 2, Uint32Array.of(0, 5, TERMS + 3))).values,
      diagonal,
      product: await fill((out) => product(source.planted, out)),
      losses: await objective.evaluate(weights, K),
      gradient: await fill((out) => objective.evaluate(weights, K, out)),
      batch: await fill((out) => objective.batchGradient(weights, K, batch, out)),
      moves: [] as unknown[],
    };
    const search = await objective.search(weights, K);
    await search.move(3, 2);
    for (const coordinate of [3, TERMS + 1]) found.moves.push(await search.try(coordinate, 1));
    return found;
  } finally {
    await objective.close();
  }
}

describe.each<[string, Settings]>([
  ['results and squared errors', { loss: 'mse' }],
  ['cross-entropy', { loss: 'cross-entropy' }],
  ['targets', { loss: 'mse', targets: { blend: 0.5, repeats: 'all' } }],
])('with %s', (_, settings) => {
  let expected: Awaited<ReturnType<typeof results>>;
  beforeAll(async () => {
    expected = await results(1, settings);
  });

  test('every pass gives bit-identical results with one and three workers', async () => {
    expect(Math.max(...(expected.gradient[1] as Float64Array).map(Math.abs))).toBeGreaterThan(1e-6);
    expect(await results(3, settings)).toEqual(expected);
  });

  test('rows in several memories give the same sums as rows in a single memory', async () => {
    // The parts start at even rows, so a stride of 2 selects the same rows
    const whole = numbersIn(expected);
    const parts = numbersIn(await results(1, settings, 900_000));
    expect(parts).toHaveLength(whole.length);
    expect(parts).not.toEqual(whole);
    parts.forEach((value, i) => {
      expect(Math.abs(value - whole[i])).toBeLessThan(1e-9 * (Math.abs(whole[i]) + 1e-3));
    });
  });
});

/** Every number of a result, in order. */
function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}
