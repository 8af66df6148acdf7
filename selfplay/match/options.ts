// The options of `npm run match`, and the settings of a match or tournament derived from them.

import { UserError } from '../common/errors.js';
import { newRunFolder } from '../common/files.js';
import {
  choice,
  flag,
  parsed,
  pickSettings,
  type SettingsOf,
  text,
  whole,
  wordLists,
  words,
} from '../common/options.js';
import { OUTPUT_OPTIONS } from '../common/outputs.js';
import { WEIGHTS_HELP } from '../common/weights.js';
import { type NamedEngine, namedEngine, parseEach, parseEngine } from '../engines/spec.js';
import { GAME_OPTIONS, gameSettings, limitsOf, merged } from '../series/game-settings.js';
import { type Competitor, SERIES_OPTIONS, type SeriesSettings } from '../series/settings.js';
import { SPRT_OPTIONS, type SprtSettings, sprtSettings } from '../statistics/sprt.js';
import type { MatchSettings } from './match.js';
import { TOURNAMENT_FORMATS, type TournamentSettings } from './tournament.js';

/** Default port of the live page. */
const DEFAULT_PORT = 8020;

/** Defaults of --games: the maximum with an SPRT, otherwise the number of games per pairing. */
const SPRT_GAMES = 100_000;
const TOURNAMENT_GAMES = 100;

/** Converts a time such as 45m to milliseconds. */
function parseBudget(value: string): number {
  const [, number, unit] = /^(\d+\.?\d*)\s*(s|m|min|h)$/.exec(value) ?? [];
  const milliseconds = Number(number) * ({ s: 1000, h: 3_600_000 }[unit] ?? 60_000);
  // Node fires longer timers immediately
  if (milliseconds > 0 && milliseconds < 2 ** 31) return milliseconds;
  throw new UserError(`--budget takes a time such as 45m, 90s or 2h (at most 596h), not '${value}'`, 2);
}

/** Converts a port. Without a value, the default port is used, or any free port if it is taken. */
function parsePage(value: string): { port: number; orAny: boolean } {
  if (value === '') return { port: DEFAULT_PORT, orAny: true };
  const port = Number(value);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return { port, orAny: false };
  throw new UserError(`--page takes a port from 0 to 65535, not '${value}'`, 2);
}

export const MATCH_OPTIONS = {
  candidate: text(`version of Heft: ${WEIGHTS_HELP}, the folder of another build, or rev=REVISION`),
  baseline: text('opponent, same syntax as --candidate', { defaultText: 'shipped' }),
  engine: wordLists(
    'UCI engine as a list of settings: cmd="./engine --flag" name= dir= option.Hash=16 tc= nodes= …; built from git: git=URL (default: the current repository) rev=main build="make EXE={out}" exe=PATH; Heft: weights= build=; anchor=ELO fixes its rating in a tournament. Repeat the option for each engine',
  ),
  each: words('settings for every engine, for example option.Hash=16 build="make EXE={out}"', parseEach),
  ...GAME_OPTIONS,
  tournament: choice(
    'format for three or more engines: all pairings, the first engine against the others, or pairing by points',
    TOURNAMENT_FORMATS,
    { default: 'round-robin' },
  ),
  rounds: whole('rounds of a Swiss tournament', {
    min: 1,
    max: 10_000,
    defaultText: 'log2 of the number of engines, rounded up, + 1',
  }),
  games: whole('number of games (even); the maximum with --sprt, the number per pairing in a tournament', {
    min: 2,
    even: true,
    defaultText: `${SPRT_GAMES} with --sprt, otherwise ${TOURNAMENT_GAMES}`,
  }),
  sprt: flag('play until the SPRT decides; the default for two engines unless --games or --tournament is given'),
  ...SPRT_OPTIONS,
  out: text('folder of the run; an interrupted run is continued', { defaultText: 'runs/match-TIME' }),
  pgn: text('additional file for the games; compressed if it ends in .gz', { isPath: true }),
  'pgn-append': flag('append the games to the --pgn file at the end of the run'),
  'pgn-overwrite': flag('overwrite an existing --pgn file; unlike --force, this affects no other file', {
    conflicts: ['pgn-append'],
  }),
  ...SERIES_OPTIONS,
  ratinginterval: whole('number of games between printed results', { min: 1 }),
  budget: parsed('time limit for this run, such as 45m, 90s or 2h; --continue resumes the match', parseBudget),
  markdown: text('file for a Markdown report, written even if the run fails to start', { isPath: true }),
  continue: text('folder of a run to continue with its original options'),
  page: parsed(
    `serve a live page on 127.0.0.1 at this port; 0: any free port; without a value: ${DEFAULT_PORT}, or any free port if it is taken`,
    parsePage,
    { bare: true },
  ),
  ...OUTPUT_OPTIONS,
};

export type MatchOptions = SettingsOf<typeof MATCH_OPTIONS>;

/** Returns the settings of a match. `given` are the explicit options. Throws a UserError that names an invalid option. */
export function matchSettings(options: MatchOptions, given: Partial<MatchOptions>): MatchSettings {
  if (options.rounds !== undefined) {
    throw new UserError('--rounds: only with --tournament swiss and three or more engines', 2);
  }
  if (given.tournament === 'swiss') throw new UserError('--tournament swiss: only with three or more engines', 2);
  const sprt = sprtOf(options, given);
  const series = seriesSettings(options);
  if (series.engines.some(({ anchor }) => anchor !== undefined))
    throw new UserError('--engine: anchor= fixes a rating in a tournament; omit it with two engines', 2);
  const { games = sprt === null ? TOURNAMENT_GAMES : SPRT_GAMES } = options;
  return { ...series, games, ...(sprt !== null && { sprt }) };
}

/** Returns the settings of a tournament. `given` are the explicit options. Throws a UserError that names an invalid option. */
export function tournamentSettings(options: MatchOptions, given: Partial<MatchOptions>): TournamentSettings {
  const { tournament: format, rounds, games = TOURNAMENT_GAMES } = options;
  if (rounds !== undefined && format !== 'swiss') throw new UserError('--rounds: only with --tournament swiss', 2);
  if (wantsSprt(given))
    throw new UserError('--sprt and its options compare two engines; they do not apply to a tournament', 2);
  const series = seriesSettings(options);
  return { ...series, format, games, ...(format === 'swiss' && { rounds: rounds ?? roundsOf(series.engines.length) }) };
}

// Returns enough rounds for a single winner, plus one, or fewer if all engines have met by then. With an odd number of engines, one engine
// has a bye in each round.
const roundsOf = (engines: number): number => Math.min(engines - 1 + (engines % 2), Math.ceil(Math.log2(engines)) + 1);

/** Returns whether the options specify a tournament, that is, more than two engines. */
export function isTournament({ candidate, baseline, engine = [] }: MatchOptions): boolean {
  return Number(candidate !== undefined) + Number(baseline !== undefined) + engine.length > 2;
}

function seriesSettings(options: MatchOptions): SeriesSettings {
  const { pgn, pgnAppend, pgnOverwrite } = options;
  if ((pgnAppend || pgnOverwrite) && pgn === undefined)
    throw new UserError(`--pgn-${pgnAppend ? 'append' : 'overwrite'} requires --pgn`, 2);
  return {
    engines: competitorsOf(options),
    ...gameSettings(options),
    // The folder is named only now, because another match may have begun while the engines were being built
    out: options.out ?? newRunFolder('match'),
    ...(pgn !== undefined && !pgnAppend && { pgn }),
    ...pickSettings(SERIES_OPTIONS, options),
  };
}

// Candidate and baseline are Heft. If only one of them is given, and no --engine, the opponent is Heft with the shipped weights
function competitorsOf(options: MatchOptions): Competitor[] {
  const { candidate, baseline, engine = [], each, hash } = options;
  const hasVersion = candidate !== undefined || baseline !== undefined;
  const other = hasVersion && engine.length === 0 ? 'shipped' : undefined;
  const versions = [candidate ?? other, baseline ?? other].filter((version) => version !== undefined);
  const named: NamedEngine[] = versions.map((version) => ({ spec: namedEngine(version), limits: {} }));
  named.push(...engine.map((words) => parseEngine(words, each)));
  if (named.length < 2) {
    const number = named.length === 0 ? 'none' : 'only one';
    throw new UserError(
      `a match needs two engines, but ${number} was given: use --candidate and --baseline, or --engine twice`,
      2,
    );
  }
  const common = limitsOf(options);
  return named.map(({ spec, limits, ...rest }) => {
    const own = merged(common, { ...each?.limits, ...limits });
    if (own.ponder === true && own.tc === undefined)
      throw new UserError('pondering needs a clock: give --tc, or tc= for an engine with its own limits', 2);
    const shared = {
      ...(hash !== undefined && { Hash: String(hash) }),
      ...(own.ponder === true && { Ponder: 'true' }),
      ...each?.options,
    };
    return { spec: { ...spec, options: { ...shared, ...spec.options } }, limits: own, ...rest };
  });
}

// An SPRT is requested, or implied if neither --games nor --tournament is given, because nothing else would end the match
function sprtOf(options: MatchOptions, given: Partial<MatchOptions>): SprtSettings | null {
  const isOpen = given.games === undefined && given.tournament === undefined;
  return (given.sprt ?? (isOpen || wantsSprt(given))) ? sprtSettings(options) : null;
}

/** Returns whether --sprt or one of its options is given. */
function wantsSprt(given: Partial<MatchOptions>): boolean {
  return given.sprt ?? Object.keys(SPRT_OPTIONS).some((name) => Object.hasOwn(given, name));
}
