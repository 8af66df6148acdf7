// loadData(): the first stage of a fit. It loads the rows from the selected producer, and splits them into training and held-out games.

import { UserError } from '../../selfplay/common/errors.js';
import { printSkipped } from '../../selfplay/records/game-reader.js';
import { UNSCORED } from '../../selfplay/records/record.js';
import { halfOfHeldOut, type Split, splitByOpening } from '../dataset/split.js';
import { METHODS } from '../methods/methods.js';
import type { LearntPrior } from '../priors/strengths.js';
import { rowsFiles } from '../rows/file.js';
import type { Producer } from '../rows/producer.js';
import { programRows } from '../rows/program-rows.js';
import { type GamesSettings, tracedGames } from '../rows/traced-games.js';
import type { DataSummary, ReadCounts } from '../trace/data-summary.js';
import type { Loaded } from '../trace/load.js';
import type { FitObserver } from './fit.js';
import type { DataOptions, ProblemOptions } from './tune-settings.js';

/** The settings that select the source of rows. */
interface SourceSettings extends GamesSettings {
  rows: readonly string[];
  trace?: string;
}

/** Returns the producer of the rows. Throws a UserError if the options name no data, or if a file does not contain rows. */
export async function openProducer(settings: SourceSettings): Promise<Producer> {
  const { data, rows, trace } = settings;
  if (rows.length > 0) return rowsFiles(rows);
  if (data.length === 0) throw new UserError('--data (games) or --rows (rows of another engine) is missing', 2);
  printSkipped(data);
  return trace === undefined ? tracedGames(settings) : programRows(settings, trace);
}

export interface Data {
  /** Source and model of the rows. */
  producer: Producer;
  loaded: Loaded;
  split: Split;
  /** 1 for the held-out rows that are hidden from a method that selects by held-out error; null for other methods. */
  untouched: Uint8Array | null;
  seed: number;
}

/**
 * Callbacks for the stages of a tuning run. `signal` ends the fit with the best weights so far; while the data are read or traced, it
 * causes a UserError.
 */
export interface StageObserver extends FitObserver {
  onReading?: (counts: ReadCounts) => void;
  onData?: (dataSummary: DataSummary, split: Split) => void;
  onStart?: (k: number) => void;
  /** Called after each round of learning the prior, at most PRIOR_ROUNDS times. */
  onPriorRound?: (round: number) => void;
  onPrior?: (learnt: LearntPrior) => void;
  /** Called if the fit continues from a checkpoint, with the epoch reached. */
  onContinue?: (epoch: number) => void;
}

/** Reads and splits the data. The weights are used to check rows traced by Heft and to resolve their positions. */
export async function loadData(
  producer: Producer,
  { holdout, seed, method }: DataOptions,
  weights: Float64Array,
  observer: StageObserver = {},
): Promise<Data> {
  checkMethod(method, producer);
  const loaded = await producer.load(weights, observer);
  const split = splitByOpening(loaded.dataset, holdout, seed);
  observer.onData?.(loaded.dataSummary, split);
  const chooses = METHODS[method].choosesByHeldOut === true;
  return { producer, loaded, split, untouched: chooses ? halfOfHeldOut(loaded.dataset, split, seed) : null, seed };
}

/** Throws a UserError if the method does not support the model. */
export function checkMethod(method: string, { model: { terms } }: Producer): void {
  const untapered = terms.find(({ isUntapered }) => isUntapered === true);
  if (untapered !== undefined && METHODS[method].integral === true)
    throw new UserError(
      `--method ${method} moves one value at a time, but ${untapered.name} is untapered; use gauss-newton`,
      2,
    );
}

/** Throws a UserError if the options need scores, positions or leaves that the rows lack. */
export function checkColumns(
  { blend, repeats, leafRounds = 0, rescale }: ProblemOptions,
  { dataset, dataSummary, leaves }: Loaded,
  { samples }: Producer,
): void {
  if (blend > 0 && dataset.score.every((score) => score === UNSCORED)) {
    const remedy = samples ? 'scores; label the positions (tune label)' : 'a score column; add it to the rows';
    throw new UserError(`--blend needs ${remedy}, or omit --blend`, 2);
  }
  if (repeats === 'once' && dataSummary.distinct === 0)
    throw new UserError('--repeats once needs a fen column; add it to the rows, or omit --repeats', 2);
  if (rescale !== undefined && dataset.rest?.some((value) => value !== 0))
    throw new UserError('--rescale cannot scale the column rest, whose values the engine keeps; omit --rescale', 2);
  if (leafRounds === 0) return;
  if (leaves.length === 0)
    throw new UserError('--leaf-rounds needs labels with leaves; label the games again (tune label)', 2);
}
