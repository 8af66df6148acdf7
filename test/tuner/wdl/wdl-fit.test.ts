// The fit of the WDL model: planted parameters come back, games left out agree, and a game becomes the samples it should.

import { describe, expect, test } from 'vitest';
import { parseFen } from '../../../engine/board/fen.js';
import { createRandom } from '../../../engine/kernel/random.js';
import { type WdlModel, winChance } from '../../../engine/strength/wdl.js';
import { startFromPosition, UNSCORED } from '../../../selfplay/records/record.js';
import { crossValidate, type GameSamples, SampleCollector } from '../../../tuner/wdl/wdl-data.js';
import { fitWdl } from '../../../tuner/wdl/wdl-fit.js';

const PLANTED: WdlModel = { logA: [4.2, 1.1, -0.4], logB: [3.9, 0.9, -0.2] };
const POSITIONS_IN_GAME = 20;

/** Results drawn from the model, independent of each other even within what counts as one game. */
function drawn(model: WdlModel, size: number, seed: number): GameSamples {
  const random = createRandom(seed);
  const uniform = (): number => random() / 2 ** 32;
  const samples: GameSamples = {
    score: Int16Array.from({ length: size }, () => 1200 * (uniform() - 0.5)),
    material: Uint8Array.from({ length: size }, () => 10 + 70 * uniform()),
    result: new Uint8Array(size),
    game: Uint32Array.from({ length: size }, (_, i) => i / POSITIONS_IN_GAME),
    games: Math.ceil(size / POSITIONS_IN_GAME),
  };
  for (let i = 0; i < size; i++) {
    const [score, material] = [samples.score[i]!, samples.material[i]!];
    const draw = uniform();
    const win = winChance(model, score, material);
    samples.result[i] = draw < win ? 2 : draw < 1 - winChance(model, -score, material) ? 1 : 0;
  }
  return samples;
}

const samples = drawn(PLANTED, 30_000, 1);

describe('a fit', () => {
  test('a fit recovers the chances of the model that the results were drawn from', () => {
    const { model } = fitWdl(samples);
    for (const material of [17, 40, 58, 78]) {
      for (const score of [-400, -150, 0, 60, 150, 400]) {
        const found = winChance(model, score, material);
        expect(Math.abs(found - winChance(PLANTED, score, material)), `${score} at ${material}`).toBeLessThan(0.02);
      }
    }
  });

  test('a fit is at a maximum: any parameter moved either way makes the results less likely', () => {
    const { model, logLikelihood } = fitWdl(samples);
    const chance = (changed: WdlModel): number => {
      let sum = 0;
      for (let i = 0; i < samples.score.length; i++) {
        const win = winChance(changed, samples.score[i]!, samples.material[i]!);
        const loss = winChance(changed, -samples.score[i]!, samples.material[i]!);
        sum += Math.log([loss, 1 - win - loss, win][samples.result[i]!]!);
      }
      return sum / samples.score.length;
    };
    expect(chance(model)).toBeCloseTo(logLikelihood, 9);
    for (const name of ['logA', 'logB'] as const) {
      for (let k = 0; k < model[name].length; k++) {
        for (const by of [-0.01, 0.01]) {
          expect(chance({ ...model, [name]: model[name].with(k, model[name][k]! + by) })).toBeLessThan(logLikelihood);
        }
      }
    }
  });

  test('a fit survives results that say nothing: only draws, only wins', () => {
    for (const result of [1, 2]) {
      const { model } = fitWdl({ ...samples, result: samples.result.map(() => result) });
      expect([...model.logA, ...model.logB].every(Number.isFinite)).toBe(true);
    }
  });
});

describe('games left out', () => {
  test('games left out agree with the model they were drawn from', () => {
    const { bins, meanError, maxError } = crossValidate(samples, 7);
    expect(bins).toHaveLength(10);
    expect(bins.reduce((sum, { positions }) => sum + positions, 0)).toBe(samples.score.length);
    expect(meanError).toBeLessThan(0.015);
    expect(maxError).toBeLessThan(0.04);
  });

  test('games left out show a model that is wrong: scores worth something in every other game only', () => {
    const score = samples.score.map((value, i) => (samples.game[i]! % 2 === 0 ? value : 4 * value));
    const right = crossValidate(samples, 7);
    expect(crossValidate({ ...samples, score }, 7).logLikelihood).toBeLessThan(right.logLikelihood - 0.01);
  });
});

test('a game gives its scored positions from White’s side, without book moves, missing scores and mates', () => {
  parseFen('4k3/8/8/8/8/8/8/R3K3 w Q - 0 1');
  const rookMove = (from: number, to: number): number => from | (to << 6);
  const moves = [rookMove(0, 8), rookMove(60, 61), rookMove(8, 16), rookMove(61, 60)];
  const scores = [310, 320, UNSCORED, 31_500];
  const game = {
    start: startFromPosition(),
    result: 2 as const,
    moves: Uint16Array.from(moves),
    scores: Int16Array.from(scores),
  };
  const collector = new SampleCollector();
  collector.add(game, 1);
  collector.add(game, 0);
  expect(collector.samples()).toEqual({
    score: Int16Array.of(320, 310, 320),
    material: Uint8Array.of(5, 5, 5),
    result: Uint8Array.of(2, 2, 2),
    game: Uint32Array.of(0, 1, 1),
    games: 2,
  });
});
