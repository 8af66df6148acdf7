// The options that `tune` and `tune eval` share, and the checks that yargs does not make.

import { availableParallelism } from 'node:os';
import type { Argv } from 'yargs';
import { UserError } from '../../selfplay/common/errors.js';
import { wholeNumber } from '../../selfplay/common/options.js';
import { DEFAULTS } from '../fit/tune.js';
import type { LossKind } from '../objective/objective.js';
import { type FilterSettings, RESOLUTIONS } from '../trace/sample.js';

/** Adds the options that choose the data, the error and the machine's share. */
export function dataOptions(parser: Argv) {
  return parser
    .option('data', {
      type: 'string',
      array: true,
      demandOption: true,
      requiresArg: true,
      describe: 'folder of a self-play run, shard, PGN, EPD, text or CSV, plain or .gz; repeatable',
    })
    .option('per-game', { type: 'number', default: DEFAULTS.filter.perGame, describe: 'positions from a game at most' })
    .option('skip-plies', {
      type: 'number',
      default: DEFAULTS.filter.skipPlies,
      describe: 'plies left out at the start of each recorded game',
    })
    .option('max-score', { type: 'number', describe: 'leave out positions whose score is larger (cp)' })
    .option('skip-decided', {
      type: 'number',
      describe: 'leave out the rest of a game once its winner stays this far ahead (cp)',
    })
    .option('resolve', {
      choices: RESOLUTIONS,
      default: DEFAULTS.filter.resolve as FilterSettings['resolve'],
      describe:
        'none: quiet positions as they are; qsearch: the quiet ends of all positions; search: those of the lines of a shallow search',
    })
    .option('exact-draws', {
      type: 'boolean',
      default: false,
      describe: 'count positions that nobody can win by the rules as drawn, whatever the result',
    })
    .option('loss', {
      choices: ['mse', 'cross-entropy'] as const,
      default: DEFAULTS.loss as LossKind,
      describe: 'error to minimise',
    })
    .option('k', { type: 'number', describe: 'K of 1 / (1 + exp(-K score / 400)); fitted when left out' })
    .option('seed', { type: 'number', default: DEFAULTS.filter.seed, describe: 'of the sampling and the split' })
    .option('workers', { type: 'number', default: availableParallelism(), describe: 'threads' })
    .option('json', { type: 'string', describe: 'write a summary for scripts to this file' });
}

export interface DataArguments {
  'per-game': number;
  'skip-plies': number;
  'max-score': number | undefined;
  'skip-decided': number | undefined;
  resolve: FilterSettings['resolve'];
  'exact-draws': boolean;
  seed: number;
  workers: number;
  k: number | undefined;
}

/** Returns the checked filter settings, K and number of workers. */
export function checkDataArguments(args: DataArguments): { filter: FilterSettings; k: number | null; workers: number } {
  const maxScore = args['max-score'];
  const decided = args['skip-decided'];
  return {
    filter: {
      skipPlies: wholeNumber('skip-plies', args['skip-plies'], 0),
      maxScore: maxScore === undefined ? null : wholeNumber('max-score', maxScore, 0),
      decided: decided === undefined ? null : wholeNumber('skip-decided', decided, 1),
      perGame: wholeNumber('per-game', args['per-game'], 1),
      resolve: args.resolve,
      ...(args['exact-draws'] && { exactDraws: true }),
      seed: wholeNumber('seed', args.seed, 0),
    },
    k: args.k === undefined ? null : numberWithin('k', args.k, 1e-3, 100),
    workers: wholeNumber('workers', args.workers, 1, 256),
  };
}

/** Returns the value if it is a number within [min, max]; otherwise throws a UserError that names the option. */
export function numberWithin(option: string, value: number, min: number, max: number): number {
  if (typeof value === 'number' && value >= min && value <= max) return value;
  throw new UserError(`--${option} takes a number from ${min} to ${max}, not ${value}`, 2);
}
