// Games as samples for the WDL model, and how well a model's chances agree with what happened in games it has not seen.

import { createRandom, randomBelow } from '../../engine/kernel/random.js';
import { MATE_BOUND } from '../../engine/search/score.js';
import { materialOnBoard, type WdlModel, winChance } from '../../engine/strength/wdl.js';
import { type GameRecord, replay, UNSCORED } from '../../selfplay/records/record.js';
import { fitWdl, logLikelihood, type WdlSamples } from './wdl-fit.js';

/** Samples with the number of each one's game, from 0. */
export interface GameSamples extends WdlSamples {
  game: Uint32Array;
  games: number;
}

/** Gathers samples, game by game. */
export class SampleCollector {
  private readonly score: number[] = [];
  private readonly material: number[] = [];
  private readonly result: number[] = [];
  private readonly game: number[] = [];
  private games = 0;

  /** Adds every position of the game that has a score other than a mate, from White's side. Uses the engine's position. */
  add(record: GameRecord, bookPlies: number): void {
    replay(record, (_, score, ply) => {
      if (ply < bookPlies || score === UNSCORED || Math.abs(score) >= MATE_BOUND) return;
      this.score.push(score);
      this.material.push(materialOnBoard());
      this.result.push(record.result);
      this.game.push(this.games);
    });
    this.games++;
  }

  /** Returns what was gathered. */
  samples(): GameSamples {
    return {
      score: Int16Array.from(this.score),
      material: Uint8Array.from(this.material),
      result: Uint8Array.from(this.result),
      game: Uint32Array.from(this.game),
      games: this.games,
    };
  }
}

/** A bin of positions by expected score: what the model expected and what happened, as means. */
export interface Bin {
  positions: number;
  games: number;
  expected: { win: number; draw: number; loss: number; score: number };
  actual: { win: number; draw: number; loss: number; score: number };
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

/** Returns the agreement on games left out: each fifth of them, drawn by the seed, is judged by a fit to the others. */
export function crossValidate(samples: GameSamples, seed: number): CrossValidation {
  const foldOf = Array.from({ length: samples.games }, (_, game) => randomBelow(createRandom(seed, game), FOLDS));
  const bins = new Bins();
  let sum = 0;
  for (let fold = 0; fold < FOLDS; fold++) {
    const held = select(samples, (game) => foldOf[game] === fold);
    const { model } = fitWdl(select(samples, (game) => foldOf[game] !== fold));
    sum += held.score.length * logLikelihood(held, model);
    bins.add(held, model);
  }
  return { logLikelihood: sum / Math.max(1, samples.score.length), ...bins.result() };
}

function select(samples: GameSamples, wanted: (game: number) => boolean): GameSamples {
  const keep = (_: number, i: number): boolean => wanted(samples.game[i]);
  return {
    score: samples.score.filter(keep),
    material: samples.material.filter(keep),
    result: samples.result.filter(keep),
    game: samples.game.filter(keep),
    games: samples.games,
  };
}

/** Sums by bin: loss, draw and win, expected and actual, and the games seen. */
class Bins {
  private readonly expected = Array.from({ length: BINS }, () => [0, 0, 0]);
  private readonly actual = Array.from({ length: BINS }, () => [0, 0, 0]);
  private readonly games = Array.from({ length: BINS }, () => new Set<number>());

  add({ score, material, result, game }: GameSamples, model: WdlModel): void {
    for (let i = 0; i < score.length; i++) {
      const win = winChance(model, score[i], material[i]);
      const loss = winChance(model, -score[i], material[i]);
      const chance = [loss, 1 - win - loss, win];
      const bin = Math.min(BINS - 1, Math.floor(BINS * (chance[2] + chance[1] / 2)));
      for (let outcome = 0; outcome < 3; outcome++) this.expected[bin][outcome] += chance[outcome];
      this.actual[bin][result[i]]++;
      this.games[bin].add(game[i]);
    }
  }

  result(): Pick<CrossValidation, 'bins' | 'meanError' | 'maxError'> {
    const means = ([loss, draw, win]: number[], count: number): Bin['expected'] => ({
      win: win / count,
      draw: draw / count,
      loss: loss / count,
      score: (win + draw / 2) / count,
    });
    const bins = this.actual.flatMap((actual, i): Bin[] => {
      const positions = actual[0] + actual[1] + actual[2];
      if (positions === 0) return [];
      const games = this.games[i].size;
      return [{ positions, games, expected: means(this.expected[i], positions), actual: means(actual, positions) }];
    });
    const errors = bins.map(({ expected, actual }) => Math.abs(expected.score - actual.score));
    const total = bins.reduce((sum, { positions }) => sum + positions, 0);
    return {
      bins,
      meanError: bins.reduce((sum, { positions }, i) => sum + positions * errors[i], 0) / Math.max(1, total),
      maxError: Math.max(0, ...errors),
    };
  }
}
