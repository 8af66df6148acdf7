// `npm run match`: plays engines against each other until an SPRT decides or the games are played. `match sprt` only calculates.

import '../../engine/kernel-node.js';
import { hideBin } from 'yargs/helpers';
import { command, commandLine, runCommand } from '../common/command-line.js';
import { writeSummary } from '../common/files.js';
import { claimOutputs } from '../common/outputs.js';
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
  const { page, json, force } = options;
  const settings = isTournament(options) ? tournamentSettings(options) : matchSettings(options, given);
  const { out, pgn, viriformat, events } = settings;
  claimOutputs({ force, out, files: { pgn, viriformat, events, json } });
  const result = await ('format' in settings ? playTournament(settings, page) : playMatch(settings, page));
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
