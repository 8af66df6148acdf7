// `npm run match`: plays engines against each other until an SPRT decides or all games are played. `match sprt` only computes statistics.

import '../../engine/kernel-node.js';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { hideBin } from 'yargs/helpers';
import { command, commandLine, joinWords, runCommand } from '../common/command-line.js';
import { UserError } from '../common/errors.js';
import { writeFileAtomic, writeSummary } from '../common/files.js';
import { lockFolder } from '../common/folder-lock.js';
import { COMMAND_FILE, claimOutputs, reserveFiles } from '../common/outputs.js';
import { invocation, shellLine } from '../common/program.js';
import { isForeign, translated } from '../foreign/command.js';
import { appendGames, GAMES } from '../series/files.js';
import { JOURNAL } from '../series/journal.js';
import { programFiles } from '../series/settings.js';
import { failureMarkdown, isReport, matchMarkdown, tournamentMarkdown, writeMarkdown } from './markdown-report.js';
import { isTournament, MATCH_OPTIONS, type MatchOptions, matchSettings, tournamentSettings } from './options.js';
import { type PlayOptions, play, playMatch } from './play.js';
import { continuedCommand, pinnedWords, saveCommand } from './saved-command.js';
import { CALCULATOR_OPTIONS, sprtCommand } from './sprt-command.js';
import {
  runTournament,
  showTournament,
  type TournamentResult,
  type TournamentSettings,
  tournamentGames,
  tournamentLines,
} from './tournament.js';

/** List of the files to which the games of a finished match have been appended, one path per line. */
const APPENDED = 'appended.txt';
/** Files that a match writes into its folder, in addition to those of every run. */
const FILES = [GAMES, 'result.json', 'report.html', APPENDED];

let words: readonly string[] = [];

await runCommand(async () => {
  words = continuedCommand(joinWords(ownWords(), { ...MATCH_OPTIONS, ...CALCULATOR_OPTIONS }), MATCH_OPTIONS);
  const usage = '--candidate WEIGHTS [--baseline WEIGHTS] | --engine WORDS --engine WORDS [options]';
  await commandLine('match', usage)
    .command(command('$0', 'play a match', MATCH_OPTIONS, playCommand))
    .command(command('sprt', 'calculate Elo and SPRT from given results', CALCULATOR_OPTIONS, sprtCommand))
    .parseAsync(words);
});

// A command line of fastchess or cutechess-cli is translated and printed first
function ownWords(): string[] {
  const given = hideBin(process.argv);
  if (!isForeign(given)) return given;
  const { words: ours, notes } = translated(given);
  process.stderr.write(`${[...notes, `${invocation('match')} ${shellLine(ours)}`].join('\n')}\n`);
  process.argv.splice(2, given.length, ...ours);
  return ours;
}

async function playCommand(options: MatchOptions, given: Partial<MatchOptions>): Promise<void> {
  const { markdown, force } = options;
  if (!isReport(markdown)) claimOutputs({ force, files: { markdown } });
  try {
    await playOrThrow(options, given);
  } catch (error) {
    if (error instanceof UserError) writeMarkdown(markdown, failureMarkdown(error));
    throw error;
  }
}

async function playOrThrow(options: MatchOptions, given: Partial<MatchOptions>): Promise<void> {
  const { json, force } = options;
  const settings = isTournament(options) ? tournamentSettings(options, given) : matchSettings(options, given);
  const { out = '', pgn, viriformat, events, log } = settings;
  const collected = options.pgnAppend ? options.pgn : undefined;
  // A second process must not change the files of a run in progress
  if ([COMMAND_FILE, JOURNAL].some((name) => existsSync(join(out, name)))) lockFolder(out)();
  const existing = options.pgnOverwrite ? pgn : collected;
  const appended = { log, markdown: options.markdown, ...(existing !== undefined && { pgn: existing }) };
  const run = { out, command: 'match', mark: JOURNAL };
  claimOutputs({
    force,
    run,
    rewritten: FILES,
    files: { ...(!options.pgnOverwrite && { pgn }), viriformat, events, json },
    appended,
    gzipped: ['pgn', 'viriformat', 'events'],
    inputs: [settings.openings ?? [], ...settings.engines.map(({ spec }) => programFiles(spec))].flat(),
  });
  const specs = settings.engines.map(({ spec }) => spec);
  saveCommand(out, pinnedWords(words, specs), existsSync(join(out, JOURNAL)));
  reserveFiles([pgn, viriformat, events]);
  const result = await ('format' in settings ? playTournament(settings, options) : playMatch(settings, options));
  if (result.finished && collected !== undefined) appendOnce(out, collected);
  const isTable = 'standings' in result;
  writeMarkdown(options.markdown, isTable ? tournamentMarkdown(settings, result) : matchMarkdown(settings, result));
  if (result.finished) writeSummary(json, result);
}

// The command of a finished match may be repeated to write further files
function appendOnce(out: string, file: string): void {
  const list = join(out, APPENDED);
  const done = existsSync(list) ? readFileSync(list, 'utf8') : '';
  const path = resolve(file);
  if (done.split('\n').includes(path)) return;
  appendGames(join(out, GAMES), file);
  writeFileAtomic(list, `${done}${path}\n`);
}

function playTournament(settings: TournamentSettings, options: PlayOptions): Promise<TournamentResult> {
  const games = tournamentGames(settings);
  return play({
    settings,
    options,
    games,
    title: `${settings.format}, ${games} games`,
    run: (hooks) => runTournament(settings, hooks),
    show: showTournament,
    report: (result) => [`Table after ${result.games} games:`, ...tournamentLines(result)],
    end: ({ finished }) => (finished ? 'Finished' : 'Interrupted'),
  });
}
