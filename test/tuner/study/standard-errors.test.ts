import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createRandom, randomBelow } from '../../../engine/kernel/random.js';
import { encodeGame } from '../../../selfplay/records/viriformat.js';
import { type Dataset, joinParts, PartBuilder } from '../../../tuner/dataset/dataset.js';
import { freeCoordinates } from '../../../tuner/fit/fit.js';
import { observationsOf, prepare, solve } from '../../../tuner/fit/problem.js';
import { DEFAULTS } from '../../../tuner/fit/tune-settings.js';
import { factorize, invertFactorized, productOf } from '../../../tuner/matrix/cholesky.js';
import { eigen } from '../../../tuner/matrix/eigen.js';
import { DRAWS, LEFT_OUT, normalMatrix, signedSums } from '../../../tuner/matrix/normal-matrix.js';
import { HEFT } from '../../../tuner/model/heft.js';
import { derivativesAt, evaluations, expectations, linearise, observe } from '../../../tuner/objective/loss.js';
import { residualsOf } from '../../../tuner/study/residuals.js';
import { occurrencesOf, pulls, standardErrorsOf } from '../../../tuner/study/standard-errors.js';
import { studyFit } from '../../../tuner/study/study.js';
import { playGames } from '../../support/games.js';
import { newtonFit } from '../../support/newton.js';
import { isSlow, slowTest } from '../../support/slow.js';
import { ridge, scoreOf, synthetic } from '../../support/synthetic.js';

const K = 1.6;

describe('normal matrix', () => {
  const { dataset, rows, planted } = synthetic(300, 7, K);
  const linear = linearise(dataset, planted);
  const factors = Float64Array.from(rows, (_, row) => (row % 5) / 2);
  const each = Uint32Array.from(factors.keys());
  const every = Uint32Array.from({ length: 14 }, (_, i) => i);
  const matrix = normalMatrix(linear, factors.map(Math.sqrt), each, 7, every);

  test('normalMatrix equals a plain sum of outer products', () => {
    const plain = new Float64Array(14 * 14);
    rows.forEach(({ counts, phase }, row) => {
      const x = Array.from({ length: 14 }, (_, i) => (counts[i % 7] * (i < 7 ? phase : 24 - phase)) / 24);
      for (let i = 0; i < 14; i++) for (let j = 0; j < 14; j++) plain[i * 14 + j] += factors[row] * x[i] * x[j];
    });
    matrix.values.forEach((value, at) => {
      expect(value).toBeCloseTo(plain[at], 8);
    });
  });

  test('normalMatrix sums the positions of a group before squaring', () => {
    const plain = new Float64Array(14 * 14);
    for (let game = 0; game < 60; game++) {
      const sum = new Float64Array(14);
      rows.slice(5 * game, 5 * game + 5).forEach(({ counts, phase }, at) => {
        for (let i = 0; i < 14; i++)
          sum[i] += (factors[5 * game + at] * counts[i % 7] * (i < 7 ? phase : 24 - phase)) / 24;
      });
      for (let i = 0; i < 14; i++) for (let j = 0; j < 14; j++) plain[i * 14 + j] += sum[i] * sum[j];
    }
    const fives = each.map((row) => Math.floor(row / 5));
    normalMatrix(linear, factors, fives, 7, every).values.forEach((value, at) => {
      expect(value).toBeCloseTo(plain[at], 8);
    });
  });

  test('normalMatrix omits coordinates that are not selected', () => {
    const coordinates = Uint32Array.from([1, 5, 6, 7, 12]);
    normalMatrix(linear, factors.map(Math.sqrt), each, 7, coordinates).values.forEach((value, at) => {
      expect(value).toBe(matrix.values[coordinates[Math.floor(at / 5)] * 14 + coordinates[at % 5]]);
    });
  });

  test('signedSums adds rows with the signs of their bits, and omits excluded rows', () => {
    const random = createRandom(3);
    const drawn = Uint32Array.from(rows, (_, row) => (row % 7 === 0 ? LEFT_OUT : random() % LEFT_OUT));
    const games = drawn.map((_, row) => drawn[5 * Math.floor(row / 5) + 1]);
    const coordinates = Uint32Array.from([1, 5, 6, 7, 12]);
    const found = signedSums(linear, factors, [drawn, games], 7, coordinates);
    for (const [index, signs] of [drawn, games].entries()) {
      for (let draw = 0; draw < DRAWS; draw++) {
        for (const [place, i] of coordinates.entries()) {
          const plain = rows.reduce((sum, { counts, phase }, row) => {
            const sign = signs[row] >= LEFT_OUT ? 0 : 1 - 2 * ((signs[row] >>> draw) & 1);
            return sum + (sign * factors[row] * counts[i % 7] * (i < 7 ? phase : 24 - phase)) / 24;
          }, 0);
          expect(found[index][draw][place]).toBeCloseTo(plain, 8);
        }
      }
    }
  });

  test('eigenvectors are orthonormal and belong to their eigenvalues', () => {
    const { values, vectors } = eigen(matrix);
    const vector = (i: number): Float64Array => vectors.subarray(14 * i, 14 * i + 14);
    const product = (a: Float64Array, b: Float64Array): number => a.reduce((sum, value, k) => sum + value * b[k], 0);
    for (let i = 0; i < 14; i++) {
      for (let j = 0; j < 14; j++) expect(product(vector(i), vector(j))).toBeCloseTo(i === j ? 1 : 0, 10);
      const image = Float64Array.from(every, (k) => product(matrix.values.subarray(14 * k, 14 * k + 14), vector(i)));
      image.forEach((value, k) => {
        expect(value / values[i]).toBeCloseTo(vector(i)[k], 6);
      });
    }
  });

  test('a factorised matrix is inverted, and an indefinite one is reported', () => {
    const wanted = Float64Array.from({ length: 14 }, (_, i) => i - 5);
    const right = Float64Array.from(wanted, (_, i) =>
      wanted.reduce((sum, value, j) => sum + value * matrix.values[i * 14 + j], 0),
    );
    const work = { size: 14, values: matrix.values.slice() };
    expect(factorize(work)).toBe(true);
    invertFactorized(work);
    for (let i = 0; i < 14; i++) {
      expect(right.reduce((sum, value, j) => sum + value * work.values[i * 14 + j], 0)).toBeCloseTo(wanted[i], 8);
    }
    productOf(matrix, work).forEach((value, at) => {
      expect(value).toBeCloseTo(at % 15 === 0 ? 1 : 0, 8);
    });
    expect(factorize({ size: 2, values: Float64Array.from([1, 2, 2, 1]) })).toBe(false);
  });
});

const TERMS = 2;
const PLANTED = Float64Array.from([120, -60, 80, 40]);
const FREE = new Uint8Array(2 * TERMS).fill(1);
const ZERO = new Float64Array(2 * TERMS);

/** Games of eight equal positions with one random result each. */
function games(count: number, seed: number): Dataset {
  const random = createRandom(seed);
  const builder = new PartBuilder();
  for (let game = 0; game < count; game++) {
    builder.startGame(random());
    const counts = Int32Array.from({ length: TERMS }, () => randomBelow(random, 5) - 2);
    const phase = randomBelow(random, 25);
    const p = 1 / (1 + Math.exp((-K * scoreOf(PLANTED, counts, phase)) / 400));
    const result = random() / 2 ** 32 < p ? 2 : 0;
    for (let position = 0; position < 8; position++) builder.add(counts, phase, result, 0);
  }
  return joinParts([builder.finish()]);
}

function fitted(count: number, seed: number, penalty: number) {
  const dataset = games(count, seed);
  const observations = observe(dataset, new Uint8Array(dataset.phase.length), 0, K, 'mse');
  const weights = newtonFit(observations, { start: ZERO, prior: ZERO, penalty, free: FREE });
  const recentre = (): void => {};
  return {
    dataset,
    weights,
    ...standardErrors(observations, { weights, penalty: ridge(ZERO, penalty, 0.25 / count), free: FREE, recentre }),
  };
}
const standardErrors = (...args: Parameters<typeof standardErrorsOf>) => ({
  standardErrors: standardErrorsOf(...args),
});

const spread = (values: number[]): number => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
};

describe('standardErrors', () => {
  const fits = Array.from({ length: isSlow ? 120 : 50 }, (_, seed) => fitted(400, seed + 1, 0));

  test('standardErrorsOf estimates the spread of weights fitted to other games', () => {
    for (let i = 0; i < 2 * TERMS; i++) {
      const measured = spread(fits.map(({ weights }) => weights[i]));
      const said = fits.reduce((sum, fit) => sum + fit.standardErrors.errors[i], 0) / fits.length;
      // The spread of so many fits is known to 6 %
      expect(said / measured, `weight ${i}`).toBeGreaterThan(0.8);
      expect(said / measured, `weight ${i}`).toBeLessThan(1.2);
    }
  });

  slowTest('standardErrorsOf estimates the excess error on other games', () => {
    const fresh = games(8000, 999);
    const observations = observe(fresh, new Uint8Array(fresh.phase.length), 0, K, 'mse');
    const lossOf = (weights: Float64Array): number =>
      derivativesAt(observations, expectations(evaluations(fresh, weights), K)).loss / fresh.phase.length;
    const least = lossOf(newtonFit(observations, { start: ZERO, prior: ZERO, penalty: 0, free: FREE }));
    const excess = fits.slice(0, 60).map(({ weights }) => lossOf(weights) - least);
    const measured = excess.reduce((sum, value) => sum + value, 0) / excess.length;
    const said = fits.reduce((sum, fit) => sum + fit.standardErrors.excess, 0) / fits.length;
    expect(said / measured).toBeGreaterThan(0.7);
    expect(said / measured).toBeLessThan(1.4);
  });

  test('a matrix from a sample of the rows gives the same standard errors', () => {
    const errorsOf = (count: number): Float64Array => {
      const dataset = games(count, 5);
      const observations = observe(dataset, new Uint8Array(dataset.phase.length), 0, K, 'mse');
      const settings = { weights: PLANTED, penalty: ridge(ZERO, 0), free: FREE, recentre: () => {} };
      return standardErrorsOf(observations, settings).errors;
    };
    // From 65,536 rows on, every second row is enough
    const [all, sampled] = [errorsOf(8191), errorsOf(8192)];
    sampled.forEach((error, i) => {
      expect(error / all[i]).toBeCloseTo(1, 2);
    });
  });

  test('without data, standard errors equal those of the prior', () => {
    const { standardErrors, dataset } = fitted(400, 1, 1e-4);
    expect(Math.max(...standardErrors.errors)).toBeLessThan(Math.sqrt(0.25 / (1e-4 * 400)));
    const observations = observe(dataset, new Uint8Array(dataset.phase.length), 0, K, 'mse');
    const free = Uint8Array.from([1, 0, 1, 0]);
    const held = standardErrorsOf(observations, {
      weights: ZERO,
      penalty: ridge(ZERO, 1e-4, 0.25 / 400),
      free,
      recentre: () => {},
    });
    // At weights of zero every error is one half
    expect(held.errors[1]).toBeCloseTo(Math.sqrt(0.25 / (1e-4 * 400)), 6);
    const silent = standardErrorsOf(observations, { weights: ZERO, penalty: ridge(ZERO, 0), free, recentre: () => {} });
    expect(silent.errors[1]).toBeNaN();
  });

  test('pulls estimate the change of a weight if a game is removed', () => {
    const { dataset, weights, standardErrors } = fitted(400, 3, 0);
    const drawn = pulls(standardErrors, 2);
    const byGame = new Float64Array(400);
    drawn.forEach((pull, row) => {
      byGame[dataset.game[row]] += pull;
    });
    const strongest = byGame.indexOf(Math.max(...byGame));
    const without = Uint8Array.from(dataset.game, (game) => (game === strongest ? 1 : 0));
    const observations = observe(dataset, without, 0, K, 'mse');
    const refit = newtonFit(observations, { start: ZERO, prior: ZERO, penalty: 0, free: FREE });
    expect(byGame[strongest] / (weights[2] - refit[2])).toBeGreaterThan(0.8);
    expect(byGame[strongest] / (weights[2] - refit[2])).toBeLessThan(1.2);
  });

  test('the positions of a game count together even if they are not adjacent', () => {
    const { dataset, weights, standardErrors } = fitted(400, 3, 0);
    const rows = dataset.game.length;
    const twice = joinParts([dataset, dataset]);
    twice.game.set(dataset.game, rows);
    const observations = observe(twice, new Uint8Array(2 * rows), 0, K, 'mse');
    const again = standardErrorsOf(observations, { weights, penalty: ridge(ZERO, 0), free: FREE, recentre: () => {} });
    again.errors.forEach((error, i) => {
      expect(error).toBeCloseTo(standardErrors.errors[i], 6);
    });
    const games = (data: Dataset): Uint32Array =>
      occurrencesOf(data, new Float64Array(data.game.length).fill(1), 3).games;
    expect(games(twice)).toEqual(games(dataset));
    const errorsOf = (data: Dataset): number[] =>
      residualsOf(HEFT, observe(data, new Uint8Array(data.game.length), 0, K, 'mse'), weights).calibration.map(
        ({ error }) => error,
      );
    errorsOf(twice).forEach((error, i) => {
      expect(error).toBeCloseTo(errorsOf(dataset)[i], 9);
    });
  });

  test('occurrencesOf counts positions and games of each term', () => {
    const { dataset } = synthetic(64, 3, K);
    const counts = occurrencesOf(dataset, new Float64Array(64).fill(1), 3);
    expect(Math.max(...counts.games)).toBeLessThanOrEqual(8);
    expect(Math.max(...counts.positions)).toBeGreaterThan(8);
    expect(Math.max(...occurrencesOf(dataset, new Float64Array(64), 3).positions)).toBe(0);
  });
});

slowTest('the study has errors for fitted weights only, without recentring, and is calibrated on results', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heft-study-'));
  try {
    const data = join(folder, 'games.vf');
    writeFileSync(data, Buffer.concat(playGames(80, 3).map(encodeGame)));
    const settings = { ...DEFAULTS, data: [data], only: ['psqt[0]'], l2: 30, epochs: 3, workers: 1 };
    const posed = await prepare(settings);
    const { split, loaded } = posed.data;
    const { result } = loaded.dataset;
    const targets = {
      target: new Float32Array(result.length).fill(0.5),
      weight: new Float32Array(result.length).fill(1),
    };
    const problem = { ...posed, targets };
    const fit = await solve(problem, settings);
    const { errors, calibration, side } = await studyFit(problem, fit);
    const { penalty, task } = problem;
    const free = freeCoordinates(task);
    const plain = { weights: fit.weights, penalty, free, recentre: () => {} };
    const expected = standardErrorsOf(observationsOf(problem, 0), plain).errors;
    await problem.objective.close();
    for (const [i, isFree] of free.entries()) expect(errors[i]).toBe(isFree === 1 ? expected[i] : Number.NaN);
    expect(expected.some((error, i) => free[i] === 0 && error > 0)).toBe(true);

    // Blended targets would measure how well the fit agrees with scores
    expect(side).toBe('held-out');
    const results = [...result].filter((_, row) => split.heldOut[row] === 1);
    const meanResult = results.reduce((sum, half) => sum + half / 2, 0) / results.length;
    expect(Math.abs(meanResult - 0.5)).toBeGreaterThan(0.01);
    const scored = calibration.reduce((sum, bin) => sum + bin.positions * bin.scored, 0) / results.length;
    expect(scored).toBeCloseTo(meanResult, 8);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
