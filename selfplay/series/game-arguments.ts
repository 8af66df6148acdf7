// What every command that plays engines against each other asks: limits, openings, adjudication, how many at a time.

import { availableParallelism } from 'node:os';
import type { Argv } from 'yargs';
import { NO_ADJUDICATION } from '../games/adjudication.js';

/** What limits the searches when nothing else does. */
export const DEFAULT_NODES = 10_000;

/** Declares the options on the parser. */
export const gameOptions = <T>(parser: Argv<T>) =>
  parser
    .option('nodes', {
      type: 'number',
      requiresArg: true,
      describe: `nodes a move [${DEFAULT_NODES} when nothing limits]`,
    })
    .option('tc', { type: 'string', requiresArg: true, describe: 'time control: 8+0.08, 40/60+0.6 (seconds)' })
    .option('movetime', { type: 'number', requiresArg: true, describe: 'milliseconds a move' })
    .option('depth', { type: 'number', requiresArg: true, describe: 'depth of every search' })
    .option('ponder', { type: 'boolean', default: false, describe: "think in the opponent's time too; needs --tc" })
    .option('margin', {
      type: 'number',
      default: 100,
      requiresArg: true,
      describe: 'milliseconds an answer may be late',
    })
    .option('stall', {
      type: 'number',
      default: 60,
      requiresArg: true,
      describe: 'seconds without an answer after which an engine has stalled, where no clock runs',
    })
    .option('concurrency', {
      type: 'number',
      default: availableParallelism(),
      requiresArg: true,
      describe: 'games at a time; while they run: keys + - p(ause), or words in the file control of --out',
    })
    .option('openings', {
      type: 'string',
      requiresArg: true,
      describe: 'book: EPD, FEN or PGN, also .gz [random plies]',
    })
    .option('order', {
      choices: ['random', 'sequential'] as const,
      default: 'random' as const,
      requiresArg: true,
      describe: 'order of the openings',
    })
    .option('plies', {
      type: 'number',
      requiresArg: true,
      describe: 'random plies from the start [8]; most plies of a PGN opening',
    })
    .option('start', {
      type: 'number',
      default: 1,
      requiresArg: true,
      describe: 'number of the first opening in that order',
    })
    .option('seed', { type: 'number', default: 1, requiresArg: true, describe: 'decides the openings' })
    .option('chess960', { type: 'boolean', default: false, describe: 'play Chess960' })
    .option('dfrc', { type: 'boolean', default: false, describe: 'Chess960 with two different back ranks' })
    .option('hash', { type: 'number', requiresArg: true, describe: 'hash table of every engine in MB' })
    .option('draw', {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'adjudicate draws: movenumber=34 movecount=8 score=20',
    })
    .option('resign', {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'adjudicate losses: movecount=3 score=600 twosided=false',
    })
    .option('max-moves', {
      type: 'number',
      default: NO_ADJUDICATION.maxMoves,
      requiresArg: true,
      describe: 'moves after which a game is drawn',
    });

export type GameArguments = Awaited<ReturnType<typeof gameOptions<object>>['argv']>;
