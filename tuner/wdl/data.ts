// samplesOf() and crossValidate(): games as samples for the WDL model, and the agreement of the model with held-out games.

import { createRandom, randomBelow } from '../../engine/kernel/random.js';
import { MATE_BOUND } from '../../engine/search/score.js';
import { materialOnBoard, type WdlModel, winChance } from '../../engine/strength/wdl.js';
import { UserError } from '../../selfplay/common/errors.js';
import type { SourcedGame } from '../../selfplay/records/game-kind.js';
import { RecordError, replay, UNSCORED } from '../../selfplay/records/record.js';
import { fitWdl, logLikelihood, type WdlSample } from './fit.js';

/**
 * Returns the positions of a game that are after the book and have a score other than a mate, from White's side. Overwrites the engine's
 * position. Throws a UserError for a game with an illegal move.
 */
export function samplesOf(record: SourcedGame, game: number): WdlSample[] {
  const samples: WdlSample[] = [];
  const visit = (_: Move, score: number, ply: number): void => {
    if (ply < record.bookPlies || score === UNSCORED || Math.abs(score) >= MATE_BOUND) return;
    samples.push({ score, material: materialOnBoard(), result: record.result, game });
  };
  try {
    replay(record, visit, record.index);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    throw new UserError(`${record.file}: ${error.message}`);
  }
  return samples;
}

/** Probabilities or shares of win, draw and loss. */
type Outcomes = readonly number[];

/** A bin of positions by expected score, with expected and actual results. */
export interface Bin {
  positions: number;
  games: number;
  expected: Outcomes;
  actual: Outcomes;
}

export interface CrossValidation {
  /** Mean log-likelihood of positions of held-out games. */
  logLikelihood: number;
  /** At most ten bins by expected score; empty ones are left out. */
  bins: Bin[];
  /** Mean (weighted by positions) and maximum difference between expected and actual score over the bins. */
  meanError: number;
  maxError: number;
}

const FOLDS = 5;
const BINS = 10;

/** A sample of a held-out game, with the model's probabilities. */
interface Judged extends WdlSample {
  chances: Outcomes;
}

/** Returns the agreement by five-fold cross-validation over games, with folds drawn from the seed. */
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
      byBin[Math.min(BINS - 1, Math.floor(BINS * scoreOf(chances)))].push({ ...sample, chances });
    }
  }
  const bins = byBin.filter((judged) => judged.length > 0).map(binOf);
  const errors = bins.map(({ expected, actual }) => Math.abs(scoreOf(expected) - scoreOf(actual)));
  const size = Math.max(1, samples.length);
  return {
    logLikelihood: sum / size,
    bins,
    meanError: bins.reduce((total, { positions }, i) => total + positions * errors[i], 0) / size,
    maxError: Math.max(0, ...errors),
  };
}

const scoreOf = ([win, draw]: Outcomes): number => win + draw / 2;

function chancesOf({ score, material }: WdlSample, model: WdlModel): Outcomes {
  const win = winChance(model, score, material);
  const loss = winChance(model, -score, material);
  return [win, 1 - win - loss, loss];
}

function binOf(judged: readonly Judged[]): Bin {
  const means = (share: (sample: Judged, outcome: number) => number): Outcomes =>
    [0, 1, 2].map((outcome) => judged.reduce((sum, sample) => sum + share(sample, outcome), 0) / judged.length);
  return {
    positions: judged.length,
    games: new Set(judged.map(({ game }) => game)).size,
    expected: means(({ chances }, outcome) => chances[outcome]),
    actual: means(({ result }, outcome) => (result === 2 - outcome ? 1 : 0)),
  };
}
