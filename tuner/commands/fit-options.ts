// The options of `tune` that choose how to fit, and the checks that yargs does not make.

import type { Argv } from 'yargs';
import { wholeNumber } from '../../selfplay/common/options.js';
import { stagesOf } from '../fit/freedom.js';
import { DEFAULTS } from '../fit/tune.js';
import type { TuneSettings } from '../fit/tune-settings.js';
import { METHODS } from '../methods/methods.js';
import type { LabelSettings } from '../objective/labels.js';
import { numberWithin } from './tune-options.js';

/** Adds the options that choose targets, terms, penalty and the length of the fit. */
export function fitOptions<T>(parser: Argv<T>) {
  return parser
    .option('start', {
      type: 'string',
      default: DEFAULTS.start as string,
      describe: 'weights to start from: shipped, material or a file',
    })
    .option('prior', { type: 'string', describe: 'weights that --l2 and --l1 pull towards; the start when left out' })
    .option('holdout', { type: 'number', default: DEFAULTS.holdout, describe: 'share of the openings held out' })
    .option('epochs', { type: 'number', default: DEFAULTS.epochs, describe: 'steps of the method at most' })
    .option('patience', { type: 'number', default: DEFAULTS.patience, describe: 'epochs to go on without a gain' })
    .option('rate', { type: 'number', describe: 'first step size, centipawns for adam; the method has a default' })
    .option('decay', { type: 'number', describe: 'the rate of gd, adagrad and adam is divided by 1 + decay * epoch' })
    .option('batch', { type: 'number', describe: 'positions a step of gd, adagrad and adam; 0 for all at once' })
    .option('l2', {
      type: 'number',
      default: DEFAULTS.l2,
      describe: 'pull towards the prior: l2 / games * sum of (K * difference / 400)^2 is added to the error',
    })
    .option('l1', { type: 'number', default: DEFAULTS.l1, describe: 'as l2, with absolute values in place of squares' })
    .option('re-resolve', {
      type: 'number',
      default: DEFAULTS.reresolve,
      describe:
        'with --resolve qsearch or search: epochs after which positions are resolved anew with the weights so far; 0: once',
    })
    .option('min-occurrences', {
      type: 'number',
      default: DEFAULTS.leastOccurrences,
      describe: 'terms that count in fewer positions keep their prior values',
    })
    .option('freeze', {
      type: 'string',
      array: true,
      describe: 'terms that keep their values, such as psqt or psqt[0]',
    })
    .option('only', { type: 'string', array: true, describe: 'terms that may move; all others keep their values' })
    .option('unfreeze', { type: 'string', array: true, describe: 'TERM@EPOCH: the term keeps its values until then' })
    .option('blend', {
      type: 'number',
      default: DEFAULTS.labels.blend,
      describe: 'share of the recorded search score in the target, 0 (results only) to 1',
    })
    .option('count', {
      choices: ['positions', 'games'] as const,
      default: DEFAULTS.labels.count as LabelSettings['count'],
      describe: 'what weighs the same in the error',
    })
    .option('repeats', {
      choices: ['all', 'once'] as const,
      default: DEFAULTS.labels.repeats as LabelSettings['repeats'],
      describe:
        'all: a position counts as often as it occurs; once: its occurrences are merged, with their mean result',
    })
    .option('balance-phases', { type: 'boolean', default: false, describe: 'make all phases weigh the same' });
}

type FitArguments = Awaited<ReturnType<typeof fitOptions<object>>['argv']>;

/** Returns the checked settings of the fit; what is left out is the method's default. */
export function checkFitArguments(
  args: FitArguments,
  method: string,
): Omit<TuneSettings, 'data' | 'filter' | 'k' | 'loss' | 'workers'> {
  const { defaults } = METHODS[method];
  const freedom = { freeze: args.freeze ?? [], only: args.only ?? [], unfreeze: args.unfreeze ?? [] };
  stagesOf(freedom);
  return {
    method,
    start: args.start,
    prior: args.prior ?? null,
    holdout: numberWithin('holdout', args.holdout, 0, 0.9),
    epochs: wholeNumber('epochs', args.epochs, 0),
    patience: wholeNumber('patience', args.patience, 1),
    rate: numberWithin('rate', args.rate ?? defaults.rate, 1e-6, 1000),
    decay: numberWithin('decay', args.decay ?? defaults.decay, 0, 1000),
    batch: wholeNumber('batch', args.batch ?? defaults.batch, 0),
    l2: numberWithin('l2', args.l2, 0, 1e6),
    l1: numberWithin('l1', args.l1, 0, 1e6),
    reresolve: wholeNumber('re-resolve', args['re-resolve'], 0),
    leastOccurrences: wholeNumber('min-occurrences', args['min-occurrences'], 1),
    freedom,
    labels: {
      blend: numberWithin('blend', args.blend, 0, 1),
      count: args.count,
      balancePhases: args['balance-phases'],
      repeats: args.repeats,
    },
  };
}
