// The command line of `npm run spsa`: its options as yargs declares them.

import type { Argv } from 'yargs';
import { UserError } from '../../selfplay/common/errors.js';
import { addOptions } from '../../selfplay/common/options.js';
import { joinWords } from '../../selfplay/common/words.js';
import { MATCH_OPTIONS } from '../../selfplay/match/match-options.js';
import { GAME_OPTIONS } from '../../selfplay/series/game-settings.js';
import { DEFAULT_METHOD } from './method.js';
import { DEFAULT_R_END } from './variable.js';

/** Options that take a list. */
const LISTS = ['_', 'engine', 'variable'];

/** Puts the words after --engine and its like together. */
export const joinedWords = (argv: readonly string[]): string[] => joinWords(argv, MATCH_OPTIONS);

/** Throws a UserError for an option given twice that is no list. */
export function refuseRepeated(args: object): void {
  for (const [name, value] of Object.entries(args)) {
    if (Array.isArray(value) && !LISTS.includes(name)) throw new UserError(`--${name} is given more than once`, 2);
  }
}

/** Declares what is tuned, and of which engine. */
export const variableOptions = <T>(parser: Argv<T>) =>
  parser
    .option('variable', {
      type: 'string',
      array: true,
      requiresArg: true,
      describe:
        'what to tune: all (our search parameters), a parameter, a knob such as psqt[knight].amplitude or material.bias.eg, an option of the engine, or a line "name, int, start, min, max, c_end, r_end"',
    })
    .option('variables', {
      type: 'string',
      requiresArg: true,
      describe: 'file of such names and lines, # for comments',
    })
    .option('c-scale', { type: 'number', default: 1, requiresArg: true, describe: 'multiplies every c_end' })
    .option('r-end', {
      type: 'number',
      requiresArg: true,
      describe: `r_end of every variable [its own, ${DEFAULT_R_END}]`,
    })
    .option('weights', {
      type: 'string',
      default: 'shipped',
      requiresArg: true,
      describe: 'our engine at these weights, whose tables the knobs turn',
    })
    .option('engine', {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'another engine instead of ours, as words: cmd="./engine --flag" option.Hash=16 …',
    });

/** Declares the options of a run. */
export const runOptions = <T>(parser: Argv<T>) =>
  addOptions(
    variableOptions(parser)
      .option('method', {
        choices: ['spall', 'kiiski'] as const,
        default: 'spall' as const,
        requiresArg: true,
        describe: 'gain sequences as in fishtest and OpenBench, or Gaussian deltas and an apply factor (2011)',
      })
      .option('games', { type: 'number', default: 20_000, requiresArg: true, describe: 'games to play in all' })
      .option('pairs', {
        type: 'number',
        requiresArg: true,
        describe: 'pairs of games an iteration [spall 8, kiiski 1]',
      })
      .option('ahead', {
        type: 'number',
        requiresArg: true,
        describe: 'iterations played at a time; part of the trajectory, unlike --concurrency [8 pairs, at least 2]',
      })
      .option('alpha', {
        type: 'number',
        default: DEFAULT_METHOD.alpha,
        requiresArg: true,
        describe: 'spall: exponent of a',
      })
      .option('gamma', {
        type: 'number',
        default: DEFAULT_METHOD.gamma,
        requiresArg: true,
        describe: 'spall: exponent of c',
      })
      .option('a-ratio', {
        type: 'number',
        default: DEFAULT_METHOD.aRatio,
        requiresArg: true,
        describe: 'spall: A as a share of the iterations',
      })
      .option('factor', {
        type: 'number',
        default: DEFAULT_METHOD.factor,
        requiresArg: true,
        describe: 'kiiski: apply factor',
      }),
    GAME_OPTIONS,
  )
    .option('seed', {
      type: 'number',
      default: 1,
      requiresArg: true,
      describe: 'decides directions, rounding and openings',
    })
    .option('simulate', {
      type: 'boolean',
      default: false,
      describe: 'a known noisy objective in place of games; without variables, twenty of them',
    })
    .option('sim-distance', {
      type: 'number',
      default: 3,
      requiresArg: true,
      describe: 'its optimum, in c from the start',
    })
    .option('sim-elo', { type: 'number', default: 1, requiresArg: true, describe: 'Elo lost one c from its optimum' })
    .option('sim-draws', { type: 'number', default: 0.3, requiresArg: true, describe: 'its share of draws' })
    .option('out', {
      type: 'string',
      requiresArg: true,
      describe: 'folder of the run: continues it if it was interrupted [runs/spsa-TIME]',
    })
    .option('json', { type: 'string', requiresArg: true, describe: 'write trajectory and end values to this file' });

export type VariableArguments = Awaited<ReturnType<typeof variableOptions<object>>['argv']>;
export type RunArguments = Awaited<ReturnType<typeof runOptions<object>>['argv']>;
