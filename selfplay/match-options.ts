// The options of `npm run match` and what they mean: from the command line to the settings of a match.

import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseDrawRule, parseResignRule } from './adjudication.js';
import { type commandLine, UserError, wholeNumber } from './cli.js';
import { type Limits, parseTimeControl } from './clock.js';
import { type NamedEngine, namedEngine, parseEach, parseEngine } from './engine-spec.js';
import {
  type Competitor,
  DEFAULT_SPRT,
  type MatchSettings,
  NO_ADJUDICATION,
  type SprtSettings,
} from './match-settings.js';
import { bounds, type SprtModel } from './sprt.js';

/** Options whose words may follow one another without quotes, as in cutechess: `--engine cmd=X name=Y --engine cmd=Z`. */
const WORD_LISTS = ['--engine', '--each', '--draw', '--resign'];

/** Most games of an SPRT when --games does not say. */
const SPRT_GAMES = 100_000;

const DEFAULT_NODES = 10_000;

/** Declares the options on the parser. */
export const matchOptions = (parser: ReturnType<typeof commandLine>) =>
  parser
    .option('candidate', {
      type: 'string',
      requiresArg: true,
      describe: 'our engine: a weights file, shipped, material, or the folder of another build',
    })
    .option('baseline', { type: 'string', requiresArg: true, describe: 'the same for its opponent [shipped]' })
    .option('engine', {
      type: 'string',
      array: true,
      requiresArg: true,
      describe:
        'any UCI engine, as words: cmd="./engine --flag" name= dir= option.Hash=16 tc= nodes= …; or weights= build=. Give it twice; the first is the candidate',
    })
    .option('each', {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'words for every engine, such as option.Hash=16',
    })
    .option('nodes', {
      type: 'number',
      requiresArg: true,
      describe: `nodes a move [${DEFAULT_NODES} when nothing limits]`,
    })
    .option('tc', { type: 'string', requiresArg: true, describe: 'time control: 8+0.08, 40/60+0.6 (seconds)' })
    .option('movetime', { type: 'number', requiresArg: true, describe: 'milliseconds a move' })
    .option('depth', { type: 'number', requiresArg: true, describe: 'depth of every search' })
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
    .option('concurrency', {
      type: 'number',
      default: availableParallelism(),
      requiresArg: true,
      describe: 'games at a time',
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
    .option('seed', { type: 'number', default: 1, requiresArg: true, describe: 'decides the openings' })
    .option('chess960', { type: 'boolean', default: false, describe: 'play Chess960' })
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
    })
    .option('out', {
      type: 'string',
      requiresArg: true,
      describe: 'folder of the run: continues it if it was interrupted [runs/match-TIME]',
    })
    .option('pgn', { type: 'string', requiresArg: true, describe: 'write the games to this file too' })
    .option('json', { type: 'string', requiresArg: true, describe: 'write the result to this file' });

export type MatchArguments = Awaited<ReturnType<typeof matchOptions>['argv']>;

/** Returns the settings of the match; throws a UserError that names the option that is wrong. */
export function matchSettings(args: MatchArguments): MatchSettings {
  refuseRepeated(args);
  const { openings, pgn } = args;
  if (openings !== undefined && !existsSync(openings)) throw new UserError(`--openings: no such file: ${openings}`);
  const random = {
    order: args.order,
    plies: wholeNumber('plies', args.plies ?? (openings === undefined ? 8 : 1000), 0, 1000),
  };
  const sprt = sprtOf(args);
  return {
    engines: competitorsOf(args),
    openings: openings === undefined ? random : { ...random, file: openings },
    chess960: args.chess960,
    adjudication: {
      maxMoves: wholeNumber('max-moves', args['max-moves'], 1, NO_ADJUDICATION.maxMoves),
      ...(args.draw !== undefined && { draw: parseDrawRule(args.draw.join(' ')) }),
      ...(args.resign !== undefined && { resign: parseResignRule(args.resign.join(' ')) }),
    },
    seed: wholeNumber('seed', args.seed, 0),
    games: wholeNumber('games', args.games ?? SPRT_GAMES, 1),
    ...(sprt !== null && { sprt }),
    concurrency: wholeNumber('concurrency', args.concurrency, 1, 512),
    out: args.out ?? `runs/match-${timestamp()}`,
    ...(pgn !== undefined && { pgn }),
  };
}

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

function refuseRepeated(args: MatchArguments): void {
  for (const [name, value] of Object.entries(args)) {
    const isList = name === '_' || WORD_LISTS.includes(`--${name}`);
    if (Array.isArray(value) && !isList) throw new UserError(`--${name} is given more than once`, 2);
  }
}

function competitorsOf(args: MatchArguments): Competitor[] {
  const { candidate, baseline, engine = [] } = args;
  const own = candidate === undefined && baseline === undefined ? [] : [candidate, baseline];
  const named: NamedEngine[] = own.map((value = 'shipped') => ({ spec: namedEngine(value), limits: {} }));
  named.push(...engine.map(parseEngine));
  if (named.length !== 2) {
    const number = named.length === 0 ? 'none' : named.length;
    throw new UserError(
      `a match has two engines, not ${number}: give --candidate and --baseline, or --engine twice`,
      2,
    );
  }
  const each = args.each === undefined ? null : parseEach(args.each.join(' '));
  const common = limitsOf(args);
  return named.map(({ spec, limits }) => {
    const options = { ...(args.hash !== undefined && { Hash: String(wholeNumber('hash', args.hash, 1)) }) };
    Object.assign(options, each?.options, spec.options);
    return { spec: { ...spec, options }, limits: merged(common, { ...each?.limits, ...limits }) };
  });
}

function limitsOf(args: MatchArguments): Limits {
  const limits: Limits = {
    margin: wholeNumber('margin', args.margin, 0),
    stall: 1000 * wholeNumber('stall', args.stall, 1),
  };
  if (args.tc !== undefined) limits.tc = parseTimeControl(args.tc);
  if (args.movetime !== undefined) limits.movetime = wholeNumber('movetime', args.movetime, 1);
  if (args.nodes !== undefined) limits.nodes = wholeNumber('nodes', args.nodes, 1);
  if (args.depth !== undefined) limits.depth = wholeNumber('depth', args.depth, 1);
  return limits;
}

// An engine's own limits take the place of all the common ones; margin and stall are no limits.
function merged(common: Limits, own: Partial<Limits>): Limits {
  const { margin, stall } = common;
  const isLimited = ({ tc, movetime, nodes, depth }: Partial<Limits>): boolean =>
    [tc, movetime, nodes, depth].some((limit) => limit !== undefined);
  if (isLimited(own)) return { margin, stall, ...own };
  return { ...(isLimited(common) ? {} : { nodes: DEFAULT_NODES }), ...common, ...own };
}

function sprtOf(args: MatchArguments): SprtSettings | null {
  const { elo0, elo1, alpha, beta } = args;
  const model: SprtModel = args.model;
  const sprt = { elo0, elo1, alpha, beta, model };
  const isAsked = JSON.stringify(sprt) !== JSON.stringify(DEFAULT_SPRT);
  if (args.sprt === false || (args.sprt === undefined && args.games !== undefined && !isAsked)) return null;
  checkSprt(sprt);
  return sprt;
}

/** Throws a UserError when the hypotheses or error rates of an SPRT make no sense. */
export function checkSprt({ elo0, elo1, alpha, beta }: SprtSettings): void {
  if (!(elo0 < elo1)) throw new UserError(`--elo0 must be below --elo1, not ${elo0} and ${elo1}`, 2);
  bounds(alpha, beta);
}

function timestamp(): string {
  return new Date().toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '');
}
