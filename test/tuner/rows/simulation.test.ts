// Rows with known true weights: standard errors have the stated coverage, errors fall with the number of games, and no ridge chosen by
// hold-out is clearly better than the learnt prior. `npm run test:long` adds 10,000 and 50,000 games and the full grid of strengths.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadWeights } from '../../../selfplay/common/weights.js';
import type { TuneResult } from '../../../tuner/fit/result.js';
import { type TuneObserver, tune } from '../../../tuner/fit/tune.js';
import { DEFAULTS, type TuneSettings } from '../../../tuner/fit/tune-settings.js';
import { evaluations, expectations } from '../../../tuner/objective/loss.js';
import { rowsFiles } from '../../../tuner/rows/file.js';
import { studyFit } from '../../../tuner/study/study.js';
import { toVector } from '../../../tuner/weights/weights-file.js';
import { type Simulation, TRUE_K, writeSimulation } from '../../support/simulated-rows.js';
import { isLong, slowTest } from '../../support/slow.js';

const folder = mkdtempSync(join(tmpdir(), 'heft-simulation-'));
afterAll(() => rmSync(folder, { recursive: true }));
const WEIGHTS = loadWeights('shipped');
const PER_GAME = 10;

function simulate(name: string, games: number, seed: number): { file: string; simulated: Simulation } {
  const file = join(folder, `${name}.tsv`);
  return { file, simulated: writeSimulation(file, WEIGHTS, games, PER_GAME, seed) };
}

const tuned = async (
  file: string,
  changes: Partial<Omit<TuneSettings, 'data'>> = {},
  observe: TuneObserver = {},
): Promise<TuneResult> => {
  const settings: TuneSettings = {
    ...DEFAULTS,
    data: [],
    rows: [file],
    k: TRUE_K,
    holdout: 0,
    certainty: 0,
    ...changes,
  };
  return tune(settings, observe, null, await rowsFiles([file]));
};

/** Returns the fitted weights, the share of 95 % intervals that contain the true value, and the rms error. */
async function coverage(games: number, seed: number) {
  const { file, simulated } = simulate(`games-${games}-${seed}`, games, seed);
  let errors = new Float64Array(0);
  const result = await tuned(
    file,
    {},
    {
      onFitted: async (problem, done) => {
        const study = await studyFit(problem, done);
        errors = Float64Array.from(study.errors);
      },
    },
  );
  const weights = toVector(result.model, result.weights);
  const misses = [...weights].map((weight, i) => Math.abs(weight - simulated.truth[i]));
  const inside = misses.filter((miss, i) => miss <= 1.96 * errors[i]).length;
  // The few material values have another scale
  const others = misses.filter((_, i) => i % simulated.terms >= 5);
  const rms = Math.sqrt(others.reduce((sum, miss) => sum + miss * miss, 0) / others.length);
  return { weights, simulated, share: inside / errors.length, rms };
}

/** Returns the mean squared error of the expected results for each game. */
async function excesses(file: string, truth: Float64Array, weights: Float64Array): Promise<number[]> {
  const producer = await rowsFiles([file]);
  const { dataset } = await producer.load(weights, {});
  const [right, wrong] = [truth, weights].map((vector) => expectations(evaluations(dataset, vector), TRUE_K));
  const sums = new Float64Array(dataset.opening.length);
  for (const [row, game] of dataset.game.entries()) sums[game] += (right[row] - wrong[row]) ** 2 / PER_GAME;
  return [...sums];
}
const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('a simulation of 300 terms', () => {
  test('the header declares 300 terms, and the true weights have the lowest error', async () => {
    const { file, simulated } = simulate('small', 300, 9);
    const producer = await rowsFiles([file]);
    expect([producer.model.size, simulated.truth.length]).toEqual([300, 600]);
    const { dataset } = await producer.load(simulated.truth, {});
    const lossOf = (weights: Float64Array): number =>
      meanOf(
        [...expectations(evaluations(dataset, weights), TRUE_K)].map((p, row) => (p - dataset.result[row] / 2) ** 2),
      );
    const start = toVector(producer.model, producer.weights('given'));
    expect(lossOf(simulated.truth)).toBeLessThan(lossOf(start) - 0.005);
    expect(lossOf(simulated.truth)).toBeLessThan(lossOf(simulated.truth.map((value) => 1.3 * value)));
  });

  slowTest(
    '95 % intervals contain the true value in 93 to 97 % of cases, and errors fall with the number of games',
    async () => {
      const found = new Map<number, { share: number; rms: number; excess: number }>();
      const fresh = simulate('fresh', 5000, 77);
      for (const [games, seeds] of [
        [2000, isLong ? [1, 2, 3] : [1]],
        [10_000, isLong ? [4, 5] : []],
        [50_000, isLong ? [6] : []],
      ] as const) {
        if (seeds.length === 0) continue;
        const runs: Awaited<ReturnType<typeof coverage>>[] = [];
        for (const seed of seeds) runs.push(await coverage(games, seed));
        const excess: number[] = [];
        for (const { weights, simulated } of runs)
          excess.push(meanOf(await excesses(fresh.file, simulated.truth, weights)));
        found.set(games, {
          share: meanOf(runs.map((run) => run.share)),
          rms: meanOf(runs.map((run) => run.rms)),
          excess: meanOf(excess),
        });
      }
      console.log(found);
      for (const { share } of found.values()) expect(Math.abs(share - 0.95)).toBeLessThanOrEqual(0.02);
      const [small, middle, large] = [...found.values()];
      // With five and twenty-five times the games
      if (middle === undefined) return;
      expect(middle.excess).toBeLessThan(small.excess / 2.5);
      expect(middle.rms).toBeLessThan(small.rms);
      expect(large.excess).toBeLessThan(middle.excess / 2.5);
      expect(large.rms).toBeLessThan(middle.rms);
    },
    1_800_000,
  );

  slowTest(
    'the expected gains of fits to 500 and 1,000 games match the gains on other games within 95 % intervals',
    async () => {
      const { file: others, simulated } = simulate('others', 2000, 79);
      const producer = await rowsFiles([others]);
      const start = toVector(producer.model, producer.weights('given'));
      const { dataset } = await producer.load(start, {});
      const right = expectations(evaluations(dataset, simulated.truth), TRUE_K);
      const distanceOf = (weights: Float64Array): number =>
        meanOf([...expectations(evaluations(dataset, weights), TRUE_K)].map((p, row) => (p - right[row]) ** 2));
      const before = distanceOf(start);
      const misses: number[] = [];
      for (const games of [500, 1000]) {
        const [foretold, found]: [number[], number[]] = [[], []];
        for (let draw = 0; draw < (isLong ? 60 : 6); draw++) {
          const { file } = simulate('draw', games, 1000 * games + draw);
          const { gain, model, weights } = await tuned(file, { workers: 1 });
          if (gain === null || gain.error === null) return expect.unreachable();
          foretold.push(gain.mean);
          found.push(before - distanceOf(toVector(model, weights)));
          misses.push(Math.abs(found[draw] - foretold[draw]) / gain.error);
        }
        const ratio = meanOf(found) / meanOf(foretold);
        console.log({ games, ratio });
        expect(ratio).toBeGreaterThan(0.8);
        expect(ratio).toBeLessThan(1.25);
      }
      const held = misses.filter((miss) => miss <= 1.96).length / misses.length;
      console.log({ held, deviation: Math.sqrt(meanOf(misses.map((miss) => miss ** 2))) });
      expect(held).toBeGreaterThanOrEqual(0.85);
    },
    1_800_000,
  );

  slowTest(
    'the best held-out ridge penalty beats the learnt prior by at most two standard errors',
    async () => {
      const { file, simulated } = simulate('ridge', 5000, 12);
      const fresh = simulate('unseen', 5000, 78);
      const ours = await tuned(file);
      const learnt = toVector(ours.model, ours.weights);
      let best: { heldOut: number; l2: number } = { heldOut: Number.POSITIVE_INFINITY, l2: 0 };
      for (const l2 of isLong ? [0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300] : [0.3, 1, 3, 10]) {
        const { fit: found } = await tuned(file, { l2, holdout: 0.2 });
        if (found.rounded.heldOut < best.heldOut) best = { heldOut: found.rounded.heldOut, l2 };
      }
      const result = await tuned(file, { l2: best.l2 });
      const ridge = toVector(result.model, result.weights);
      const [mine, theirs] = [
        await excesses(fresh.file, simulated.truth, learnt),
        await excesses(fresh.file, simulated.truth, ridge),
      ];
      const differences = mine.map((value, game) => value - theirs[game]);
      const mean = meanOf(differences);
      const error = Math.sqrt(meanOf(differences.map((value) => (value - mean) ** 2)) / differences.length);
      console.log({ ...best, learnt: meanOf(mine), ridge: meanOf(theirs), mean, error });
      expect(mean).toBeLessThan(2 * error);
    },
    600_000,
  );
});
