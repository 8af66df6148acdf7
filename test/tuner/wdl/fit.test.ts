// The fit of the WDL model: planted parameters are recovered, held-out games agree, and games are converted to samples.

import { describe, expect, test } from 'vitest';
import { parseFen } from '../../../engine/board/fen.js';
import { createRandom } from '../../../engine/kernel/random.js';
import { type WdlModel, winChance } from '../../../engine/strength/wdl.js';
import { startFromPosition, UNSCORED } from '../../../selfplay/records/record.js';
import { crossValidate, samplesOf } from '../../../tuner/wdl/data.js';
import { fitWdl, type WdlSample } from '../../../tuner/wdl/fit.js';

const PLANTED: WdlModel = { logA: [4.2, 1.1, -0.4], logB: [3.9, 0.9, -0.2] };
const POSITIONS_IN_GAME = 20;

/** Results drawn from the model, independent even within what counts as one game. */
function drawn(model: WdlModel, size: number, seed: number): WdlSample[] {
  const random = createRandom(seed);
  const uniform = (): number => random() / 2 ** 32;
  return Array.from({ length: size }, (_, i) => {
    const score = Math.trunc(1200 * (uniform() - 0.5));
    const material = Math.trunc(10 + 70 * uniform());
    const draw = uniform();
    const win = winChance(model, score, material);
    const result = draw < win ? 2 : draw < 1 - winChance(model, -score, material) ? 1 : 0;
    return { score, material, result, game: Math.floor(i / POSITIONS_IN_GAME) };
  });
}

const samples = drawn(PLANTED, 30_000, 1);

describe('a fit', () => {
  test('a fit recovers the chances of the model that generated the results', () => {
    const { model } = fitWdl(samples);
    for (const material of [17, 40, 58, 78]) {
      for (const score of [-400, -150, 0, 60, 150, 400]) {
        const found = winChance(model, score, material);
        expect(Math.abs(found - winChance(PLANTED, score, material)), `${score} at ${material}`).toBeLessThan(0.02);
      }
    }
  });

  test('a fit maximises the likelihood in every parameter', () => {
    const { model, logLikelihood } = fitWdl(samples);
    const chance = (changed: WdlModel): number => {
      let sum = 0;
      for (const { score, material, result } of samples) {
        const win = winChance(changed, score, material);
        const loss = winChance(changed, -score, material);
        sum += Math.log([loss, 1 - win - loss, win][result]!);
      }
      return sum / samples.length;
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

  test('a fit is finite if all games are drawn or all are won', () => {
    for (const result of [1, 2]) {
      const { model } = fitWdl(samples.slice(0, 2000).map((sample) => ({ ...sample, result })));
      expect([...model.logA, ...model.logB].every(Number.isFinite)).toBe(true);
    }
  });
});

describe('cross-validation', () => {
  test('held-out games agree with the model that generated them', () => {
    const { bins, meanError, maxError } = crossValidate(samples, 7);
    expect(bins).toHaveLength(10);
    expect(bins.reduce((sum, { positions }) => sum + positions, 0)).toBe(samples.length);
    expect(meanError).toBeLessThan(0.015);
    expect(maxError).toBeLessThan(0.04);
  });

  test('a wrong model has a lower likelihood on held-out games', () => {
    const few = samples.slice(0, 8000);
    const wrong = few.map((sample) => ({ ...sample, score: (sample.game % 2 === 0 ? 1 : 4) * sample.score }));
    const right = crossValidate(few, 7);
    expect(crossValidate(wrong, 7).logLikelihood).toBeLessThan(right.logLikelihood - 0.01);
  });
});

test('a game is converted to its scored positions, with scores for White and without book moves and mates', () => {
  parseFen('4k3/8/8/8/8/8/8/R3K3 w Q - 0 1');
  const rookMove = (from: number, to: number): number => from | (to << 6);
  const moves = [rookMove(0, 8), rookMove(60, 61), rookMove(8, 16), rookMove(61, 60)];
  const scores = [310, 320, UNSCORED, 31_500];
  const game = {
    start: startFromPosition(),
    result: 2 as const,
    moves: Uint16Array.from(moves),
    scores: Int16Array.from(scores),
    file: 'games.vf',
    index: 4,
  };
  const sample = { material: 5, result: 2 };
  expect(samplesOf({ ...game, bookPlies: 1 }, 0)).toEqual([{ ...sample, score: 320, game: 0 }]);
  expect(samplesOf({ ...game, bookPlies: 0 }, 1)).toEqual([310, 320].map((score) => ({ ...sample, score, game: 1 })));
  const illegal = { ...game, bookPlies: 0, moves: Uint16Array.from([moves[0], moves[0]]) };
  expect(() => samplesOf(illegal, 0)).toThrow('games.vf: game 5: illegal move a1a2 at ply 2');
});
