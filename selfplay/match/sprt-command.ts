// `npm run match -- sprt`: the statistics of results that were got anywhere, without playing.

import { type commandLine, UserError, writeSummary } from '../common/cli.js';
import { DEFAULT_SPRT } from '../series/match-settings.js';
import type { Statistics } from '../statistics/figures.js';
import { EMPTY_TALLY, type Tally } from '../statistics/tally.js';
import { checkSprt } from './match-options.js';
import { reportLines } from './match-report.js';
import { statisticsOf } from './match-result.js';

/** Declares the calculator's options on the parser. */
export const sprtOptions = (parser: ReturnType<typeof commandLine>) =>
  parser
    .usage('$0 sprt --penta LL LD DD+WL WD WW | --wdl W D L [options]')
    .option('penta', { type: 'number', array: true, requiresArg: true, describe: 'pairs with 0, ½, 1, 1½, 2 points' })
    .option('wdl', { type: 'number', array: true, requiresArg: true, describe: 'games won, drawn, lost' })
    .option('elo0', { type: 'number', default: DEFAULT_SPRT.elo0, requiresArg: true, describe: 'hypothesis H0' })
    .option('elo1', { type: 'number', default: DEFAULT_SPRT.elo1, requiresArg: true, describe: 'hypothesis H1' })
    .option('alpha', { type: 'number', default: DEFAULT_SPRT.alpha, requiresArg: true, describe: 'rate of false H1' })
    .option('beta', { type: 'number', default: DEFAULT_SPRT.beta, requiresArg: true, describe: 'rate of false H0' })
    .option('model', {
      choices: ['normalized', 'logistic', 'bayesian'] as const,
      default: DEFAULT_SPRT.model,
      requiresArg: true,
      describe: 'what Elo means',
    })
    .option('json', { type: 'string', requiresArg: true, describe: 'write the figures to this file' });

export type SprtArguments = Awaited<ReturnType<typeof sprtOptions>['argv']>;

/** Prints Elo, LOS, LLR and verdict of the counts given. */
export function sprtCommand(args: SprtArguments): void {
  const { elo0, elo1, alpha, beta, model } = args;
  const sprt = { elo0, elo1, alpha, beta, model };
  checkSprt(sprt);
  const result = statisticsOf(tallyOf(args), sprt);
  for (const line of reportLines(result)) if (!isUnknown(line, args)) console.log(line);
  console.log(`Verdict: ${result.verdict === null ? 'none yet' : `${result.verdict} accepted`}`);
  writeSummary(args.json, summaryOf(result, args));
}

function tallyOf({ penta, wdl }: SprtArguments): Tally {
  if ((penta === undefined) === (wdl === undefined)) {
    throw new UserError('give either --penta with five counts or --wdl with three', 2);
  }
  const [option, counts, length] = penta === undefined ? ['wdl', wdl ?? [], 3] : ['penta', penta, 5];
  if (counts.length !== length || counts.some((count) => !Number.isInteger(count) || count < 0)) {
    throw new UserError(`--${option} takes ${length} whole numbers, not '${counts.join(' ')}'`, 2);
  }
  if (penta === undefined) return { ...EMPTY_TALLY, wins: counts[0], draws: counts[1], losses: counts[2] };
  return { ...EMPTY_TALLY, penta: counts as unknown as Tally['penta'] };
}

// Pairs do not tell wins from draws, and neither tells colours: those lines and figures are left out, not shown as zero.
function isUnknown(line: string, { penta }: SprtArguments): boolean {
  return line.startsWith('White:') || line.startsWith(penta === undefined ? 'Ptnml' : 'Games');
}

function summaryOf(result: Statistics, { penta, wdl }: SprtArguments): object {
  const { wins, losses, draws, games, white, black, penta: pairs, ...figures } = result;
  return wdl === undefined ? { penta, games: 2 * sum(pairs), ...figures } : { wins, losses, draws, games, ...figures };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
