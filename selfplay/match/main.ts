// `npm run match`: plays engines against each other until an SPRT decides or the games are played. `match sprt` only calculates.

import '../../engine/kernel-node.js';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { hideBin } from 'yargs/helpers';
import { command, commandLine, runCommand } from '../common/command-line.js';
import { UserError } from '../common/errors.js';
import { makeFolder, writeSummary } from '../common/files.js';
import { joinWords } from '../common/words.js';
import { isTournament, MATCH_OPTIONS, type MatchOptions, matchSettings, tournamentSettings } from './match-options.js';
import { play, playMatch } from './play.js';
import { CALCULATOR_OPTIONS, sprtCommand } from './sprt-command.js';
import { runTournament, type TournamentResult, type TournamentSettings, tournamentGames } from './tournament.js';
import { showTournament, tournamentLines } from './tournament-report.js';

await runCommand(async () => {
  const usage = '--candidate WEIGHTS [--baseline WEIGHTS] | --engine WORDS --engine WORDS [options]';
  await commandLine('match', usage)
    .command(command('$0', 'play a match', MATCH_OPTIONS, playCommand))
    .command(command('sprt', 'calculate Elo and SPRT of given results', CALCULATOR_OPTIONS, sprtCommand))
    .parseAsync(joinWords(hideBin(process.argv), { ...MATCH_OPTIONS, ...CALCULATOR_OPTIONS }));
});

async function playCommand(options: MatchOptions, given: Partial<MatchOptions>): Promise<void> {
  for (const option of ['pgn', 'viriformat', 'events', 'json'] as const) checkOutput(option, options[option]);
  const { page, json } = options;
  const result = isTournament(options)
    ? await playTournament(tournamentSettings(options), page)
    : await playMatch(matchSettings(options, given), page);
  if (result.finished) writeSummary(json, result);
}

function playTournament(settings: TournamentSettings, port: string | undefined): Promise<TournamentResult> {
  const games = tournamentGames(settings);
  return play({
    ...{ settings, port, games, title: `${settings.format}, ${games} games` },
    run: (hooks) => runTournament(settings, hooks),
    show: showTournament,
    report: (result) => [`Table after ${result.games} games:`, ...tournamentLines(result)],
    end: ({ finished }) => (finished ? 'Finished' : 'Interrupted'),
  });
}

// A place that cannot be written to is reported before the games, not after them
function checkOutput(option: string, file: string | undefined): void {
  if (file === undefined) return;
  makeFolder(dirname(file));
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw new UserError(`--${option}: ${file} is a folder`);
}
