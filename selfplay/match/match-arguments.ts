// The command line of `npm run match`: its options as yargs declares them.

import type { commandLine } from '../common/cli.js';
import { DEFAULT_PORT } from '../page/match-page.js';
import { gameOptions } from '../series/game-arguments.js';
import { DEFAULT_SPRT } from '../series/match-settings.js';

/** Options whose words may follow one another without quotes, as in cutechess: `--engine cmd=X name=Y --engine cmd=Z`. */
export const WORD_LISTS = ['--engine', '--each', '--draw', '--resign'];

/** Declares the options on the parser. */
export const matchOptions = (parser: ReturnType<typeof commandLine>) =>
  gameOptions(
    parser
      .option('candidate', {
        type: 'string',
        requiresArg: true,
        describe: 'our engine: a weights file, shipped, material, the folder of another build, or rev=REVISION',
      })
      .option('baseline', { type: 'string', requiresArg: true, describe: 'the same for its opponent [shipped]' })
      .option('engine', {
        type: 'string',
        array: true,
        requiresArg: true,
        describe:
          'any UCI engine, as words: cmd="./engine --flag" name= dir= option.Hash=16 tc= nodes= …; or weights= build=; anchor=ELO fixes its rating. Give it twice, or more often for a tournament',
      })
      .option('each', {
        type: 'string',
        array: true,
        requiresArg: true,
        describe: 'words for every engine, such as option.Hash=16',
      }),
  )
    .option('tournament', {
      choices: ['round-robin', 'gauntlet', 'swiss'] as const,
      default: 'round-robin' as const,
      requiresArg: true,
      describe: 'with more than two engines: each against each, the first against the others, or by points',
    })
    .option('rounds', {
      type: 'number',
      requiresArg: true,
      describe: 'rounds of a Swiss tournament [log2 of engines, + 1]',
    })
    .option('games', { type: 'number', requiresArg: true, describe: 'number of games; with --sprt the most games' })
    .option('sprt', { type: 'boolean', describe: 'play until the SPRT decides; the default without --games' })
    .option('elo0', { type: 'number', default: DEFAULT_SPRT.elo0, requiresArg: true, describe: 'SPRT: hypothesis H0' })
    .option('elo1', { type: 'number', default: DEFAULT_SPRT.elo1, requiresArg: true, describe: 'SPRT: hypothesis H1' })
    .option('alpha', {
      type: 'number',
      default: DEFAULT_SPRT.alpha,
      requiresArg: true,
      describe: 'SPRT: rate of false H1',
    })
    .option('beta', {
      type: 'number',
      default: DEFAULT_SPRT.beta,
      requiresArg: true,
      describe: 'SPRT: rate of false H0',
    })
    .option('model', {
      choices: ['normalized', 'logistic', 'bayesian'] as const,
      default: DEFAULT_SPRT.model,
      requiresArg: true,
      describe: 'SPRT: what Elo means',
    })
    .option('out', {
      type: 'string',
      requiresArg: true,
      describe: 'folder of the run: continues it if it was interrupted [runs/match-TIME]',
    })
    .option('pgn', { type: 'string', requiresArg: true, describe: 'write the games to this file too; .gz compresses' })
    .option('viriformat', {
      type: 'string',
      requiresArg: true,
      describe: 'write the games as training records to this file',
    })
    .option('events', {
      type: 'string',
      requiresArg: true,
      describe: 'write events as JSON lines, with every move, to this file (the run folder has them without moves)',
    })
    .option('page', {
      type: 'string',
      describe: `show the running match on a page of this machine: a port, 0 for any [${DEFAULT_PORT} or any]`,
    })
    .option('json', { type: 'string', requiresArg: true, describe: 'write the result to this file' });

export type MatchArguments = Awaited<ReturnType<typeof matchOptions>['argv']>;

/** Puts the words after --engine and its like together, so that each option has one value. */
export function joinWordLists(argv: readonly string[]): string[] {
  const joined: string[] = [];
  for (let i = 0; i < argv.length; ) {
    const option = argv[i++];
    joined.push(option);
    if (!WORD_LISTS.includes(option)) continue;
    let end = i;
    while (end < argv.length && !argv[end].startsWith('--')) end++;
    const words = argv.slice(i, end);
    // A single value is a list of words already; several are words that the shell has taken the quotes from.
    if (words.length > 0) joined.push(words.length === 1 ? words[0] : words.map(quote).join(' '));
    i = end;
  }
  return joined;
}

function quote(word: string): string {
  if (!/[\s"']/.test(word)) return word;
  return word.includes('"') ? `'${word}'` : `"${word}"`;
}
