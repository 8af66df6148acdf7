// What the options of `npm run match` mean: from the command line to the settings of a match or tournament.

import { UserError, wholeNumber } from '../common/cli.js';
import { type NamedEngine, namedEngine, parseEach, parseEngine } from '../engines/engine-spec.js';
import { gameSettings, limitsOf, merged } from '../series/game-options.js';
import { type Competitor, DEFAULT_SPRT, type MatchSettings, type SeriesSettings } from '../series/match-settings.js';
import type { SprtModel, SprtSettings } from '../statistics/figures.js';
import { bounds } from '../statistics/sprt.js';
import { type MatchArguments, WORD_LISTS } from './match-arguments.js';
import type { TournamentSettings } from './tournament.js';

/** Most games of an SPRT when --games does not say. */
const SPRT_GAMES = 100_000;

/** Games of each pairing of a tournament when --games does not say. */
const TOURNAMENT_GAMES = 100;

/** Returns the settings of a match; throws a UserError that names the option that is wrong. */
export function matchSettings(args: MatchArguments): MatchSettings {
  if (args.rounds !== undefined)
    throw new UserError('--rounds are those of a Swiss tournament of three engines or more', 2);
  const sprt = sprtOf(args);
  const games = wholeNumber('games', args.games ?? SPRT_GAMES, 1);
  return { ...seriesSettings(args), games, ...(sprt !== null && { sprt }) };
}

/** Returns the settings of a tournament; throws a UserError that names the option that is wrong. */
export function tournamentSettings(args: MatchArguments): TournamentSettings {
  if (args.rounds !== undefined && args.tournament !== 'swiss') {
    throw new UserError('--rounds are those of --tournament swiss', 2);
  }
  if (args.sprt === true) throw new UserError('--sprt compares two engines: not in a tournament', 2);
  const games = wholeNumber('games', args.games ?? TOURNAMENT_GAMES, 1);
  if (games % 2 !== 0) throw new UserError(`--games of a pairing is an even number, not ${games}`, 2);
  const series = seriesSettings(args);
  const format = args.tournament;
  return { ...series, format, games, ...(format === 'swiss' && { rounds: roundsOf(args, series.engines.length) }) };
}

// Enough for a single winner, and one more; with few engines everybody has met everybody before.
function roundsOf({ rounds }: MatchArguments, engines: number): number {
  return wholeNumber('rounds', rounds ?? Math.min(engines - 1, Math.ceil(Math.log2(engines)) + 1), 1, 10_000);
}

/** Whether the engines given make a tournament: more than two. */
export function isTournament({ candidate, baseline, engine = [] }: MatchArguments): boolean {
  return Number(candidate !== undefined) + Number(baseline !== undefined) + engine.length > 2;
}

function seriesSettings(args: MatchArguments): SeriesSettings {
  refuseRepeated(args);
  const { pgn, viriformat, events } = args;
  return {
    engines: competitorsOf(args),
    ...gameSettings(args),
    out: args.out ?? `runs/match-${timestamp()}`,
    ...(pgn !== undefined && { pgn }),
    ...(viriformat !== undefined && { viriformat }),
    ...(events !== undefined && { events }),
  };
}

/** Throws a UserError for an option given twice that is no list of words. */
export function refuseRepeated(args: object, lists: readonly string[] = WORD_LISTS): void {
  for (const [name, value] of Object.entries(args)) {
    const isList = name === '_' || lists.includes(`--${name}`);
    if (Array.isArray(value) && !isList) throw new UserError(`--${name} is given more than once`, 2);
  }
}

// Ours are the candidate and the baseline; a single one of them without another opponent meets the shipped weights.
function competitorsOf(args: MatchArguments): Competitor[] {
  const { candidate, baseline, engine = [] } = args;
  const own = [candidate, baseline].map((value) => (engine.length === 0 ? (value ?? 'shipped') : value));
  const isOwnGiven = candidate !== undefined || baseline !== undefined;
  const ours = own.filter((value) => value !== undefined && isOwnGiven) as string[];
  const named: NamedEngine[] = ours.map((value) => ({ spec: namedEngine(value), limits: {} }));
  named.push(...engine.map(parseEngine));
  if (named.length < 2) {
    const number = named.length === 0 ? 'none' : 'one';
    throw new UserError(
      `a match has two engines, not ${number}: give --candidate and --baseline, or --engine twice`,
      2,
    );
  }
  const each = args.each === undefined ? null : parseEach(args.each.join(' '));
  const common = limitsOf(args);
  return named.map(({ spec, limits, ...rest }) => {
    const options = { ...(args.hash !== undefined && { Hash: String(wholeNumber('hash', args.hash, 1)) }) };
    const own = merged(common, { ...each?.limits, ...limits });
    if (own.ponder === true && own.tc === undefined) throw new UserError('pondering needs a clock: give --tc', 2);
    Object.assign(options, own.ponder === true && { Ponder: 'true' }, each?.options, spec.options);
    return { spec: { ...spec, options }, limits: own, ...rest };
  });
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
