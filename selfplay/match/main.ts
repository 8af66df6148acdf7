// `npm run match`: plays engines against each other until an SPRT decides or the games are played. `match sprt` only calculates.

import '../../engine/kernel-node.js';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hideBin } from 'yargs/helpers';
import { command, commandLine, runCommand } from '../common/command-line.js';
import { UserError } from '../common/errors.js';
import { makeFolder, writeSummary } from '../common/files.js';
import { interruptSignal } from '../common/interrupt.js';
import { LiveDisplay } from '../common/live-display.js';
import { joinWords } from '../common/words.js';
import { describeLimits } from '../games/clock.js';
import { openPage } from '../page/match-page.js';
import { JOURNAL } from '../series/journal.js';
import { describePace } from '../series/pace-control.js';
import type { MatchSettings, SeriesSettings } from '../series/series-settings.js';
import { runMatch } from './match.js';
import { isTournament, MATCH_OPTIONS, type MatchOptions, matchSettings, tournamentSettings } from './match-options.js';
import { incidentLines, reportLines, verdictLine } from './match-report.js';
import type { MatchResult } from './match-result.js';
import { MatchStatus } from './match-status.js';
import { CALCULATOR_OPTIONS, sprtCommand } from './sprt-command.js';
import { runTournament, type TournamentResult, type TournamentSettings, tournamentGames } from './tournament.js';
import { tournamentLines, tournamentStatus } from './tournament-report.js';

await runCommand(async () => {
  const usage = '--candidate WEIGHTS [--baseline WEIGHTS] | --engine WORDS --engine WORDS [options]';
  await commandLine('match', usage)
    .command(command('$0', 'play a match', MATCH_OPTIONS, playCommand))
    .command(command('sprt', 'calculate Elo and SPRT of given results', CALCULATOR_OPTIONS, sprtCommand))
    .parseAsync(joinWords(hideBin(process.argv), { ...MATCH_OPTIONS, ...CALCULATOR_OPTIONS }));
});

async function playCommand(options: MatchOptions, given: Partial<MatchOptions>): Promise<void> {
  for (const option of ['pgn', 'viriformat', 'events', 'json'] as const) checkOutput(option, options[option]);
  const signal = interruptSignal();
  const { page, json } = options;
  const result = isTournament(options)
    ? await playTournament(tournamentSettings(options), page, signal)
    : await playMatch(matchSettings(options, given), page, signal);
  if (result.finished) writeSummary(json, result);
}

async function playMatch(settings: MatchSettings, port: string | undefined, signal: AbortSignal): Promise<MatchResult> {
  const { games, sprt } = settings;
  const status = new MatchStatus(settings);
  const end = sprt === undefined ? `${games} games` : `SPRT [${sprt.elo0}, ${sprt.elo1}], at most ${games} games`;
  status.note(introduction(settings, end));
  const page = await openPage(port, settings, end, games);
  if (page !== null) status.note(`Live page: ${page.address}`);
  const result = await runMatch(settings, {
    ...{ signal, keys: true, wantsMoves: page !== null },
    onProgress: (now) => status.update(now),
    onEvent: (event) => {
      if (event.type === 'pace') status.changePace(event);
      page?.take(event);
    },
    onWarning: (message) => status.note(`warning: ${message}`),
  });
  status.clear();
  await page?.close(verdictLine(result, sprt !== undefined));
  report(`Results of ${result.engines.join(' vs ')}:`, reportLines(result), result, settings);
  return result;
}

async function playTournament(
  settings: TournamentSettings,
  port: string | undefined,
  signal: AbortSignal,
): Promise<TournamentResult> {
  const display = new LiveDisplay();
  const games = tournamentGames(settings);
  const title = `${settings.format}, ${games} games`;
  display.note(introduction(settings, title));
  const page = await openPage(port, settings, title, games);
  if (page !== null) display.note(`Live page: ${page.address}`);
  const result = await runTournament(settings, {
    ...{ signal, keys: true, wantsMoves: page !== null },
    onEvent: (event) => {
      if (event.type === 'pace') display.note(describePace(event));
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

// A place that cannot be written to is a mistake to hear of before the games, not after them.
function checkOutput(option: string, file: string | undefined): void {
  if (file === undefined) return;
  makeFolder(dirname(file));
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw new UserError(`--${option}: ${file} is a folder`);
}

function introduction({ engines, workers, out }: SeriesSettings, end: string): string {
  const sides = engines.map(({ spec, limits }) => `${spec.name ?? spec.command} (${describeLimits(limits)})`);
  return `${sides.join(' - ')}: ${end}, ${workers} at a time, in ${out}`;
}

function report(
  title: string,
  lines: string[],
  result: MatchResult | TournamentResult,
  settings: SeriesSettings,
): void {
  const { out = '' } = settings;
  for (const line of [title, ...lines, ...incidentLines(result, out)]) console.log(line);
  console.log(
    'verdict' in result ? verdictLine(result, 'sprt' in settings) : result.finished ? 'Finished' : 'Interrupted',
  );
  if (result.finished) console.log(`Games and result: ${out}`);
  else if (existsSync(join(out, JOURNAL))) console.log(`To continue, give the same options and --out ${out}`);
}
