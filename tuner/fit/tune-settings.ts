// TUNE_OPTIONS: the options of a tuning run, each declared once. The command line, the type of the settings, the recorded provenance and
// the identity of checkpoints are derived from them.

import { availableParallelism } from 'node:os';
import { UserError } from '../../selfplay/common/errors.js';
import { choice, defaultSettings, list, real, type SettingsOf, text, whole } from '../../selfplay/common/options.js';
import { WEIGHTS_HELP } from '../../selfplay/common/weights.js';
import { dataFiles, withShards } from '../../selfplay/records/game-reader.js';
import { METHODS } from '../methods/methods.js';
import type { Model } from '../model/model.js';
import { TARGET_OPTIONS } from '../objective/targets.js';
import { GIVEN_WEIGHTS_HELP } from '../rows/given-weights.js';
import { ROWS_OPTIONS } from '../rows/producer.js';
import { FILTER_OPTIONS } from '../trace/sample.js';

/** The options that select the data and the positions; also options of `tune eval`. */
export const SOURCE_OPTIONS = {
  data: list(
    'folder of a self-play run, folder of PGN and EPD files, or a file (shard; PGN, EPD, text, CSV or JSON lines, also as .gz or .zst); repeatable',
    { default: [] as readonly string[], defaultText: 'required without --rows' },
  ),
  columns: text(
    'columns of labelled positions by number or name, such as fen=1,result=3,score=4; result=-1/0/1 fixes the scale, score=none ignores the scores, side=mover reads results and scores for the side to move',
    { identity: true, defaultText: 'detected from the file' },
  ),
  ...ROWS_OPTIONS,
  ...FILTER_OPTIONS,
};

/** Returns the files that the source options name. Throws a UserError for a folder without data. */
export const sourceFiles = ({ data, rows }: Pick<SettingsOf<typeof SOURCE_OPTIONS>, 'data' | 'rows'>): string[] => [
  ...withShards(data.flatMap(dataFiles)),
  ...rows,
];

/** The options for the error and the number of threads; also options of `tune eval`. */
export const ERROR_OPTIONS = {
  loss: choice('error to minimise', ['mse', 'cross-entropy'], { default: 'mse' as const, identity: true }),
  k: real('K in 1 / (1 + exp(-K score / 400))', { min: 1e-3, max: 100, defaultText: 'fitted' }),
  workers: whole('number of threads', { min: 1, max: 256, default: availableParallelism() }),
};

const SPLIT_OPTIONS = {
  holdout: real('share of the openings held out', { min: 0, max: 0.9, default: 0.1, identity: true }),
};

/** The options of the problem: start, penalty, free terms, targets. */
const PROBLEM_OPTIONS = {
  start: text(`start weights: ${WEIGHTS_HELP}; for another engine: ${GIVEN_WEIGHTS_HELP}`, {
    defaultText: 'shipped, or given',
  }),
  prior: text('weights at the centre of the prior', { defaultText: 'the start weights' }),
  rescale: real(
    'K for which the start and prior weights are rescaled before the fit; with a K near 2, weights are in centipawns',
    {
      min: 0.25,
      max: 10,
      identity: true,
      conflicts: ['re-resolve'],
      defaultText: 'not rescaled',
    },
  ),
  // l2 is the ratio of the variance of the results to the expected variance of a weight in logits. It therefore depends neither on the
  // scale of the weights nor on the number of games
  l2: real(
    'single penalty instead of the learnt prior: adds l2 / games * sum of (K * difference / 400)^2 to the error',
    {
      min: 0,
      max: 1e6,
      identity: true,
      defaultText: 'learnt from the data, with ties between neighbours',
    },
  ),
  freeze: list('terms that stay unchanged, for example psqt or psqt[0]', {
    default: [] as readonly string[],
    identity: true,
    defaultText: 'none',
  }),
  only: list('terms to fit; all others stay unchanged', {
    default: [] as readonly string[],
    identity: true,
    defaultText: 'all',
  }),
  ...TARGET_OPTIONS,
};

/** The options that control the steps of a method. */
const STEP_OPTIONS = {
  epochs: whole('maximum number of epochs', { default: 400, identity: true }),
  patience: whole('epochs without a gain before the fit ends', { min: 1, default: 100, identity: true }),
  rate: real('initial step size; for adam, in centipawns', {
    min: 1e-6,
    max: 1000,
    identity: true,
    defaultText: "the method's",
  }),
  decay: real('decay of the rate of gd and adam, which is divided by 1 + decay * epoch', {
    min: 0,
    max: 1000,
    identity: true,
    defaultText: '0',
  }),
  batch: whole('positions per step of gd and adam; 0: all', { identity: true, defaultText: '0' }),
};

const METHOD_OPTIONS = {
  method: choice('fitting method', Object.keys(METHODS), { default: 'gauss-newton', identity: true }),
};

/** The options of a fit that are also options of `tune compare`. */
export const FIT_OPTIONS = {
  ...SOURCE_OPTIONS,
  ...ERROR_OPTIONS,
  ...SPLIT_OPTIONS,
  ...PROBLEM_OPTIONS,
  ...STEP_OPTIONS,
};

/** The options of a fit with a single method. */
export const TUNE_OPTIONS = {
  ...FIT_OPTIONS,
  're-resolve': whole(
    'epochs between resolutions of the positions with the current weights, if --resolve is qsearch or search; 0: resolved only once',
    { default: 0, identity: true },
  ),
  'leaf-rounds': whole(
    'further fits to labels; each moves the scores by the change of the static evaluation at the end of their principal variations',
    { default: 0, max: 100, identity: true, conflicts: ['re-resolve', 'rows', 'trace'] },
  ),
  certainty: real(
    'number of standard errors that the expected gain must exceed for the weights to change; 0: no test',
    {
      min: 0,
      max: 100,
      default: 2,
      identity: true,
    },
  ),
  ...METHOD_OPTIONS,
};

export type TuneSettings = SettingsOf<typeof TUNE_OPTIONS>;

/** The settings of a problem and of a method. */
export type ProblemSettings = Omit<TuneSettings, 'reResolve' | 'leafRounds' | 'certainty'> &
  Pick<ProblemOptions, 'leafRounds'>;

// The settings of each stage of a fit

export type DataOptions = Pick<TuneSettings, 'holdout' | 'method' | 'seed'>;
export type ProblemOptions = SettingsOf<typeof ERROR_OPTIONS & typeof PROBLEM_OPTIONS> & { leafRounds?: number };
export type MethodOptions = SettingsOf<typeof STEP_OPTIONS & typeof METHOD_OPTIONS>;

/** Returns the names or files of the start and prior weights that are given. */
export const weightsFiles = ({ start, prior }: Pick<TuneSettings, 'start' | 'prior'>): string[] =>
  [start, prior].filter((file) => file !== undefined);

/** Returns whether K is fitted, rather than given. */
export const isKFitted = ({ k, rescale }: Pick<TuneSettings, 'k' | 'rescale'>): boolean => (k ?? rescale) === undefined;

/** Throws a UserError if an option is given that affects none of the methods. */
export function checkSteps(methods: readonly string[], settings: Pick<TuneSettings, 'batch' | 'decay'>): void {
  if (methods.some((method) => METHODS[method].takesBatches === true)) return;
  const takers = Object.keys(METHODS).filter((method) => METHODS[method].takesBatches === true);
  for (const option of ['batch', 'decay'] as const) {
    if ((settings[option] ?? 0) > 0)
      throw new UserError(
        `--${option} affects only ${takers.join(', ')}; choose one of these methods, or omit --${option}`,
        2,
      );
  }
}

export const DEFAULTS: Omit<TuneSettings, 'data'> = defaultSettings(TUNE_OPTIONS);

// frozenTerms(): the weights that must not change. `--freeze` and `--only` accept a term, such as `psqt`, or one of its rows, such as
// `psqt[0]`.

/** Returns 1 for the weights that keep their start values. Throws a UserError for unknown names, or if no weight may change. */
export function frozenTerms(
  model: Model,
  { freeze, only }: { freeze: readonly string[]; only: readonly string[] },
): Uint8Array {
  const frozen = new Uint8Array(model.size).fill(only.length > 0 ? 1 : 0);
  for (const name of only) mark(model, frozen, 'only', name, 0);
  for (const name of freeze) mark(model, frozen, 'freeze', name, 1);
  if (frozen.every((flag) => flag === 1)) throw new UserError('--freeze and --only leave no term to fit', 2);
  return frozen;
}

function mark({ terms }: Model, flags: Uint8Array, option: string, name: string, flag: number): void {
  const [, base, row] = /^(\w+)(?:\[(\d+)\])?$/.exec(name) ?? [];
  const term = terms.find((candidate) => candidate.name === base);
  if (term === undefined) {
    throw new UserError(`--${option} ${name}: no such term; the terms are ${terms.map((t) => t.name).join(', ')}`, 2);
  }
  const width = row === undefined ? term.size : term.size / (term.shape[0] ?? 1);
  const from = term.offset + width * Number(row ?? 0);
  if (from + width > term.offset + term.size) throw new UserError(`--${option} ${name}: the term has no such row`, 2);
  flags.fill(flag, from, from + width);
}
