// samplesOf() and crossValidate(): games as samples for the WDL model, and how well a model's chances agree with games it has not seen.

import { createRandom, randomBelow } from '../../engine/kernel/random.js';
import { MATE_BOUND } from '../../engine/search/score.js';
import { materialOnBoard, type WdlModel, winChance } from '../../engine/strength/wdl.js';
import { type GameRecord, replay, UNSCORED } from '../../selfplay/records/record.js';
import { fitWdl, logLikelihood, type WdlSample } from './wdl-fit.js';

/** Returns every position of a game that has a score other than a mate, from White's side. Uses the engine's position. */
export function samplesOf(record: GameRecord, bookPlies: number, game: number): WdlSample[] {
  const samples: WdlSample[] = [];
  replay(record, (_, score, ply) => {
    if (ply < bookPlies || score === UNSCORED || Math.abs(score) >= MATE_BOUND) return;
    samples.push({ score, material: materialOnBoard(), result: record.result, game });
  });
  return samples;
}

/** Mean chances or shares of outcomes, and the mean score. */
interface Outcomes {
  win: number;
  draw: number;
  loss: number;
  score: number;
}

/** A bin of positions by expected score: what the model expected and what happened. */
export interface Bin {
  positions: number;
  games: number;
  expected: Outcomes;
  actual: Outcomes;
}

export interface CrossValidation {
  /** Mean log-likelihood of positions of games that the model was not fitted to. */
  logLikelihood: number;
  /** Ten bins by expected score, from 0..0.1 on; empty ones are left out. */
  bins: Bin[];
  /** Mean and greatest difference between expected and actual score over the bins, the mean weighted by positions. */
  meanError: number;
  maxError: number;
}

const FOLDS = 5;
const BINS = 10;

/** A sample of a game left out, with the chances that the model gives it: loss, draw, win. */
interface Judged extends WdlSample {
  chances: [number, number, number];
}

/** Returns the agreement on games left out: each fifth of them, drawn by the seed, is judged by a fit to the others. */
export function crossValidate(samples: readonly WdlSample[], seed: number): CrossValidation {
  const foldOf = (game: number): number => randomBelow(createRandom(seed, game), FOLDS);
  const byBin = Array.from({ length: BINS }, (): Judged[] => []);
  let sum = 0;
  for (let fold = 0; fold < FOLDS; fold++) {
    const held = samples.filter(({ game }) => foldOf(game) === fold);
    const { model } = fitWdl(samples.filter(({ game }) => foldOf(game) !== fold));
    sum += held.length * logLikelihood(held, model);
    for (const sample of held) {
      const chances = chancesOf(sample, model);
      byBin[Math.min(BINS - 1, Math.floor(BINS * (chances[2] + chances[1] / 2)))].push({ ...sample, chances });
    }
  }
  const bins = byBin.filter((judged) => judged.length > 0).map(binOf);
  const errors = bins.map(({ expected, actual }) => Math.abs(expected.score - actual.score));
  const size = Math.max(1, samples.length);
  return {
    logLikelihood: sum / size,
    bins,
    meanError: bins.reduce((total, { positions }, i) => total + positions * errors[i], 0) / size,
    maxError: Math.max(0, ...errors),
  };
}

function chancesOf({ score, material }: WdlSample, model: WdlModel): Judged['chances'] {
  const win = winChance(model, score, material);
  const loss = winChance(model, -score, material);
  return [loss, 1 - win - loss, win];
}

function binOf(judged: readonly Judged[]): Bin {
  const mean = (of: (sample: Judged) => number): number =>
    judged.reduce((sum, sample) => sum + of(sample), 0) / judged.length;
  const outcomes = (shareOf: (sample: Judged, outcome: number) => number): Outcomes => {
    const [loss, draw, win] = [0, 1, 2].map((outcome) => mean((sample) => shareOf(sample, outcome)));
    return { win, draw, loss, score: win + draw / 2 };
  };
  return {
    positions: judged.length,
    games: new Set(judged.map(({ game }) => game)).size,
    expected: outcomes(({ chances }, outcome) => chances[outcome]),
    actual: outcomes(({ result }, outcome) => (result === outcome ? 1 : 0)),
  };
}
