// `npm run match`: engine against engine until an SPRT decides or the games are played. `match sprt` only calculates.

import '../../engine/flags.js';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hideBin } from 'yargs/helpers';
import { commandLine, makeFolder, runCommand, UserError, writeSummary } from '../common/cli.js';
import { interruption } from '../common/interruption.js';
import { LiveDisplay } from '../common/live-display.js';
import { describeLimits } from '../games/clock.js';
import { openPage } from '../page/match-page.js';
import { JOURNAL } from '../series/journal.js';
import type { SeriesSettings } from '../series/match-settings.js';
import { describePace, type Pace } from '../series/run-control.js';
import { runMatch } from './match.js';
import { joinWordLists, type MatchArguments, matchOptions } from './match-arguments.js';
import { isTournament, matchSettings, tournamentSettings } from './match-options.js';
import { happeningLines, reportLines, verdictLine } from './match-report.js';
import type { MatchResult } from './match-result.js';
import { MatchStatus } from './match-status.js';
import { sprtCommand, sprtOptions } from './sprt-command.js';
import { runTournament, type TournamentResult, tournamentGames } from './tournament.js';
import { tournamentLines, tournamentStatus } from './tournament-report.js';

await runCommand(async () => {
  await commandLine('match', '--candidate WEIGHTS [--baseline WEIGHTS] | --engine WORDS --engine WORDS [options]')
    .parserConfiguration({ 'camel-case-expansion': false, 'greedy-arrays': true })
    .command('$0', 'play a match', matchOptions, matchCommand)
    .command('sprt', 'calculate Elo and SPRT of given results', sprtOptions, sprtCommand)
    .parseAsync(joinWordLists(hideBin(process.argv)));
});

async function matchCommand(args: MatchArguments): Promise<void> {
  for (const option of ['pgn', 'viriformat', 'events', 'json'] as const) checkOutput(option, args[option]);
  const signal = interruption();
  const result = isTournament(args) ? await playTournament(args, signal) : await playMatch(args, signal);
  if (result.finished) writeSummary(args.json, result);
}

async function playMatch(args: MatchArguments, signal: AbortSignal): Promise<MatchResult> {
  const settings = matchSettings(args);
  const { games, sprt } = settings;
  const status = new MatchStatus(settings);
  const end = sprt === undefined ? `${games} games` : `SPRT [${sprt.elo0}, ${sprt.elo1}], at most ${games} games`;
  status.note(introduction(settings, end));
  const page = await openPage(args.page, settings, end, games);
  if (page !== null) status.note(`Live page: ${page.address}`);
  const result = await runMatch(settings, {
    ...{ signal, keys: true, wantsMoves: page !== null },
    onProgress: (now) => status.update(now),
    onEvent: (event) => {
      if (event.type === 'concurrency') status.changePace(paceOf(event));
      page?.take(event);
    },
    onWarning: (message) => status.note(`warning: ${message}`),
  });
  status.clear();
  await page?.close(verdictLine(result, sprt !== undefined));
  report(`Results of ${result.engines.join(' vs ')}:`, reportLines(result), result, settings);
  return result;
}

async function playTournament(args: MatchArguments, signal: AbortSignal): Promise<TournamentResult> {
  const settings = tournamentSettings(args);
  const display = new LiveDisplay();
  const games = tournamentGames(settings);
  const title = `${settings.format}, ${games} games`;
  display.note(introduction(settings, title));
  const page = await openPage(args.page, settings, title, games);
  if (page !== null) display.note(`Live page: ${page.address}`);
  const result = await runTournament(settings, {
    ...{ signal, keys: true, wantsMoves: page !== null },
    onEvent: (event) => {
      if (event.type === 'concurrency') display.note(describePace(paceOf(event)));
      page?.take(event);
    },
    onProgress: (now) => {
      const line = (): string => tournamentStatus(now, games);
      display.update(() => [line(), ...tournamentLines(now)], line);
    },
    onWarning: (message) => display.note(`warning: ${message}`),
  });
  display.clear();
  await page?.close(result.finished ? 'Finished' : 'Interrupted');
  report(`Table after ${result.games} games:`, tournamentLines(result), result, settings);
  return result;
}

function paceOf({ games, paused }: { games: number; paused: boolean }): Pace {
  return { concurrency: games, paused };
}

// A place that cannot be written to is a mistake to hear of before the games, not after them.
function checkOutput(option: string, file: string | undefined): void {
  if (file === undefined) return;
  makeFolder(dirname(file));
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw new UserError(`--${option}: ${file} is a folder`);
}

function introduction({ engines, concurrency, out }: SeriesSettings, end: string): string {
  const sides = engines.map(({ spec, limits }) => `${spec.name ?? spec.command} (${describeLimits(limits)})`);
  return `${sides.join(' - ')}: ${end}, ${concurrency} at a time, in ${out}`;
}

function report(
  title: string,
  lines: string[],
  result: MatchResult | TournamentResult,
  settings: SeriesSettings,
): void {
  const { out = '' } = settings;
  for (const line of [title, ...lines, ...happeningLines(result, out)]) console.log(line);
  console.log(
    'verdict' in result ? verdictLine(result, 'sprt' in settings) : result.finished ? 'Finished' : 'Interrupted',
  );
  if (result.finished) console.log(`Games and result: ${out}`);
  else if (existsSync(join(out, JOURNAL))) console.log(`To continue, give the same options and --out ${out}`);
}
