import { describe, expect, test } from 'vitest';
import { commandLine, joinWords } from '../../../selfplay/common/command-line.js';
import { UserError } from '../../../selfplay/common/errors.js';
import { addOptions, givenSettings, type Options, readSettings } from '../../../selfplay/common/options.js';
import type { MatchSettings } from '../../../selfplay/match/match.js';
import { MATCH_OPTIONS, matchSettings, tournamentSettings } from '../../../selfplay/match/options.js';
import { CALCULATOR_OPTIONS, sprtCommand } from '../../../selfplay/match/sprt-command.js';
import type { TournamentSettings } from '../../../selfplay/match/tournament.js';

const parse = (options: Options, args: string[]) =>
  addOptions(commandLine('match', ''), options).parseSync(joinWords(args, options));
const settingsOf = (...args: string[]): MatchSettings => {
  const argv = parse(MATCH_OPTIONS, args);
  return matchSettings(readSettings(MATCH_OPTIONS, argv), givenSettings(MATCH_OPTIONS, argv));
};
const tournamentOf = (...args: string[]): TournamentSettings => {
  const argv = parse(MATCH_OPTIONS, args);
  return tournamentSettings(readSettings(MATCH_OPTIONS, argv), givenSettings(MATCH_OPTIONS, argv));
};
const TWO = ['--engine', 'cmd=sh', 'name=A', '--engine', 'cmd=sh', 'name=B'];
const limitsOf = (...args: string[]): object[] => settingsOf(...args).engines.map(({ limits }) => limits);

describe('options', () => {
  test('default options give an SPRT at fixed nodes with eight random plies and adjudication only by length', () => {
    const settings = settingsOf(...TWO);
    expect(settings).toMatchObject({
      plies: 8,
      chess960: false,
      maxMoves: 1000,
      seed: 1,
      sprt: { elo0: 0, elo1: 5, alpha: 0.05, beta: 0.05, model: 'normalized' },
    });
    expect(settings.engines[0]).toEqual({
      spec: { name: 'A', command: 'sh', args: [], options: {} },
      limits: { nodes: 10_000, margin: 100, stall: 60_000 },
    });
    expect(settings.out).toMatch(/^runs\/match-[\d-]+$/);
  });

  test('--games sets a fixed number of games, or limits an SPRT', () => {
    expect(settingsOf(...TWO, '--games', '10').sprt).toBeUndefined();
    expect(settingsOf(...TWO, '--games', '10', '--sprt')).toMatchObject({ games: 10, sprt: { elo1: 5 } });
    expect(settingsOf(...TWO, '--games', '10', '--elo0', '-3')).toMatchObject({ games: 10, sprt: { elo0: -3 } });
    expect(settingsOf(...TWO, '--no-sprt', '--games', '4', '--elo1', '4').sprt).toBeUndefined();
  });

  test('--page without a port uses the default port', () => {
    const pageOf = (...args: string[]) => readSettings(MATCH_OPTIONS, parse(MATCH_OPTIONS, args)).page;
    expect(pageOf('--page', '0')).toEqual({ port: 0, orAny: false });
    expect(pageOf('--page', '--games', '2')).toEqual({ port: 8020, orAny: true });
    expect(() => pageOf('--page', '99999')).toThrow("--page takes a port from 0 to 65535, not '99999'");
  });

  test('limits and options apply to all engines or to one', () => {
    const common = { margin: 0, stall: 60_000 };
    expect(limitsOf(...TWO, '--tc', '8+0.08', '--margin', '0')[1]).toEqual({
      ...common,
      tc: { moves: 0, time: 8000, increment: 80 },
    });
    const own = [
      '--engine',
      'cmd=sh',
      'nodes=5',
      'option.Hash=1',
      '--engine',
      'cmd=sh',
      '--margin',
      '0',
      '--movetime',
      '50',
    ];
    expect(limitsOf(...own)).toEqual([
      { ...common, nodes: 5 },
      { ...common, movetime: 50 },
    ]);
    const settings = settingsOf(...own, '--each', 'option.Hash=2', 'option.Threads=3', '--hash', '9');
    expect(settings.engines.map(({ spec }) => spec.options)).toEqual([
      { Hash: '1', Threads: '3' },
      { Hash: '2', Threads: '3' },
    ]);
    expect(limitsOf(...TWO, '--each', 'depth=4', '--depth', '9')[0]).toMatchObject({ depth: 4 });
    const endless = ['--engine', 'cmd=sh', 'tc=inf', 'nodes=5', '--engine', 'cmd=sh', '--each', 'tc=8'];
    expect(limitsOf(...endless)).toEqual([
      { margin: 100, stall: 60_000, nodes: 5 },
      { margin: 100, stall: 60_000, tc: { moves: 0, time: 8000, increment: 0 } },
    ]);
  });

  test('tc=inf leaves the common nodes, and requires a limit if the common one is a clock', () => {
    const endless = ['--engine', 'cmd=sh', 'tc=inf', '--engine', 'cmd=sh'];
    const nodes = (...args: string[]): unknown =>
      settingsOf(...endless, ...args).engines.map(({ limits }) => limits.nodes);
    expect(nodes('--nodes', '7')).toEqual([7, 7]);
    expect(nodes('--each', 'nodes=7')).toEqual([7, 7]);
    expect(nodes()).toEqual([10_000, 10_000]);
    expect(() => nodes('--tc', '8')).toThrow('tc=inf needs nodes=, depth= or st= too');
  });

  test('--ponder and ponder=on require a clock', () => {
    const [one, two] = settingsOf(...TWO, '--ponder', '--tc', '8').engines;
    expect([one.limits.ponder, two.spec.options['Ponder']]).toEqual([true, 'true']);
    const own = settingsOf('--engine', 'cmd=sh', 'tc=5', 'ponder=on', ...TWO.slice(3)).engines;
    expect(own.map(({ limits }) => limits.ponder)).toEqual([true, undefined]);
    expect(() => settingsOf(...TWO, '--ponder')).toThrow('pondering needs a clock: give --tc');
  });

  test('--start sets the first opening, and --dfrc selects double Chess960', () => {
    expect(settingsOf(...TWO, '--start', '11')).toMatchObject({ start: 11 });
    expect(settingsOf(...TWO, '--dfrc')).toMatchObject({ chess960: true, dfrc: true });
  });

  test('--tournament with two engines plays a fixed number of games instead of an SPRT', () => {
    const settings = settingsOf(...TWO, '--tournament', 'round-robin');
    expect([settings.games, 'sprt' in settings]).toEqual([100, false]);
    expect(settingsOf(...TWO, '--tournament', 'gauntlet', '--elo1', '3')).toMatchObject({ sprt: { elo1: 3 } });
  });

  test('anchor= in --engine fixes the rating of that engine in a tournament', () => {
    const anchored = tournamentOf('--engine', 'cmd=sh', 'name=C', 'anchor=2500', ...TWO, '--games', '2');
    expect(anchored.engines.map(({ anchor }) => anchor)).toEqual([2500, undefined, undefined]);
  });

  test('--rounds overrides the default number of Swiss rounds', () => {
    const swiss = (...args: string[]): object => tournamentOf(...TWO, ...TWO, ...TWO.slice(3), ...args);
    expect(swiss('--tournament', 'swiss', '--games', '4')).toMatchObject({ format: 'swiss', rounds: 4, games: 4 });
    expect(swiss('--tournament', 'swiss', '--rounds', '2')).toMatchObject({ rounds: 2 });
    // With three engines, each gets one bye
    const three = [...TWO, ...TWO.slice(3), '--tournament', 'swiss', '--games', '2'];
    expect(tournamentOf(...three)).toMatchObject({ rounds: 3 });
    expect(() => swiss('--rounds', '2')).toThrow('--rounds: only with --tournament swiss');
  });

  test.each([['--sprt'], ['--elo1=4'], ['--alpha=0.1'], ['--model=logistic']])(
    '%s is rejected in a tournament',
    (option) => {
      expect(() => tournamentOf(...TWO, ...TWO.slice(3), '--games', '2', option)).toThrow(
        '--sprt and its options compare two engines; they do not apply to a tournament',
      );
    },
  );

  test('--draw, --resign and --max-moves set the adjudication', () => {
    const words = [
      '--draw',
      'movenumber=34',
      'movecount=8',
      'score=20',
      '--resign',
      'movecount=3 score=600 twosided=true',
    ];
    expect(settingsOf(...TWO, ...words, '--max-moves', '200')).toMatchObject({
      maxMoves: 200,
      draw: { moveNumber: 34, moveCount: 8, score: 20 },
      resign: { moveCount: 3, score: 600, twoSided: true },
    });
  });

  test.each([
    ['a match needs two engines, but none was given: use --candidate', []],
    ['a match needs two engines, but only one was given', TWO.slice(0, 3)],
    ["--tc takes a time control such as 8+0.08 or 40/60+0.6 (seconds), not 'x'", [...TWO, '--tc', 'x']],
    ['--games takes an even number of at least 2, not 0', [...TWO, '--games', '0']],
    ['--nodes takes a whole number of at least 1, not many', [...TWO, '--nodes', 'many']],
    ['--workers takes a whole number from 1 to 512, not 0', [...TWO, '--concurrency', '0']],
    ['Arguments dfrc and openings are mutually exclusive', [...TWO, '--dfrc', '--openings', 'x']],
    ['--seed is given more than once', [...TWO, '--seed', '1', '--seed', '2']],
    ['--elo0 must be below --elo1, not 5 and 5', [...TWO, '--elo0', '5']],
    ['--alpha and --beta must be between 0 and 0.5, not 1', [...TWO, '--alpha', '1']],
    ['--draw takes the words movenumber=N movecount=N score=N', [...TWO, '--draw', 'moves=3']],
    ["--resign takes the words movecount=N score=N twosided=N, not 'twosided=2'", [...TWO, '--resign', 'twosided=2']],
    ["--draw takes the words movenumber=N movecount=N score=N, not 'toString=1'", [...TWO, '--draw', 'toString=1']],
    ['--resign: movecount must be at least 1, not 0', [...TWO, '--resign', 'movecount=0', 'score=600']],
    ['--draw: movecount must be at least 1, not 0', [...TWO, '--draw', 'movecount=0']],
    ['--resign needs score=CENTIPAWNS', [...TWO, '--resign', 'movecount=3']],
    ['--rounds: only with --tournament swiss and three or more engines', [...TWO, '--rounds', '3']],
    ['--tournament swiss: only with three or more engines', [...TWO, '--tournament', 'swiss']],
    ['anchor= fixes a rating in a tournament; omit it with two engines', [...TWO, 'anchor=2500']],
    ['Unknown argument: what', [...TWO, '--what', '1']],
    ['--out needs a value', [...TWO, '--out']],
  ])('invalid options are rejected: %s', (message, args) => {
    expect(() => settingsOf(...args)).toThrow(
      expect.objectContaining({ exitCode: 2, message: expect.stringContaining(message) }),
    );
  });

  test('missing files are reported', () => {
    expect(() => settingsOf('--candidate', 'no.json')).toThrow(UserError);
    expect(() => settingsOf(...TWO, '--openings', 'no.epd')).toThrow('--openings: no such file: no.epd');
  });
});

test.each([
  ['give either --penta with five counts or --wdl with three', []],
  ['Arguments penta and wdl are mutually exclusive', ['--wdl', '1', '1', '1', '--penta', '1', '1', '1', '1', '1']],
  ["--penta takes 5 whole numbers, not '1 2 3 4'", ['--penta', '1', '2', '3', '4']],
  ["--wdl takes 3 whole numbers, not '1 2 -3'", ['--wdl', '1', '2', '-3']],
  ['the bayesian SPRT model counts games, not pairs', ['--penta', '1', '2', '3', '4', '5', '--model', 'bayesian']],
])('the SPRT calculator rejects invalid counts: %s', (message, args) => {
  expect(() => sprtCommand(readSettings(CALCULATOR_OPTIONS, parse(CALCULATOR_OPTIONS, args)))).toThrow(message);
});
