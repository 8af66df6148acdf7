// `npm run ratings`: rates all players in PGN files, with error margins and optional anchors, as Ordo and BayesElo do.

import '../../engine/kernel-node.js';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hideBin } from 'yargs/helpers';
import { command, commandLine, runCommand } from '../common/command-line.js';
import { UserError } from '../common/errors.js';
import { isExistingFolder, writeSummary } from '../common/files.js';
import { gamesOf, pointsOf, scoreOf } from '../common/game-result.js';
import { alignedLines } from '../common/live-display.js';
import { list, parsed, real, type SettingsOf, whole } from '../common/options.js';
import { claimOutputs, OUTPUT_OPTIONS } from '../common/outputs.js';
import { counted, printable } from '../common/wording.js';
import { refuseRepeated } from '../records/game-reader.js';
import type { Rating } from '../statistics/rating-fit.js';
import { connectedPlayers, ratingsFrom } from '../statistics/ratings.js';
import { type CrossTable, readCrossTable } from './pgn-results.js';

/** Maximum number of unreadable games listed. */
const SHOWN = 5;

const OPTIONS = {
  files: list('PGN files, also .gz or .zst, or folders of matches', { required: true }),
  anchor: list('NAME=ELO fixes the rating of a player; repeatable'),
  average: real('average rating without anchors', { default: 0 }),
  'white-advantage': parsed('advantage of White in Elo: a number, or fitted to the games', parseAdvantage, {
    default: null,
    defaultText: 'fitted',
  }),
  'min-games': whole('minimum number of games for a player to be listed', { min: 1, default: 1 }),
  ...OUTPUT_OPTIONS,
};

await runCommand(async () => {
  await commandLine('ratings', 'FILE.pgn … [options]')
    .parserConfiguration({ 'camel-case-expansion': false, 'greedy-arrays': false })
    .command(command('$0 <files..>', 'rate the players of PGN files', OPTIONS, ratings))
    .parseAsync(hideBin(process.argv));
});

async function ratings(options: SettingsOf<typeof OPTIONS>): Promise<void> {
  const { json, force, minGames } = options;
  const files = options.files.map(gamesFile);
  refuseRepeated(files);
  claimOutputs({ force, files: { json }, inputs: files });
  const results = await readCrossTable(files);
  warnOfProblems(results);
  if (results.games === 0) throw new UserError(`${files.join(', ')}: no finished games between two players`);
  const anchors = anchorsOf(options.anchor ?? [], results);
  const fit = ratingsFrom(results.meetings, anchors, options.whiteAdvantage);
  warnOfComponents(results, anchors);
  const isAnchored = anchors.some((anchor) => anchor !== undefined);
  const ranking = rankingOf(results, fit.ratings, isAnchored ? 0 : options.average);
  const { games, pairs, unfinished } = results;
  for (const line of tableLines(ranking.filter((one) => one.games >= minGames))) console.log(line);
  const notes = [
    `${counted(games, 'games')} of ${results.players.length} players, ${counted(pairs, 'pairs')} with reversed colours`,
    ...(unfinished > 0 ? [`${counted(unfinished, 'unfinished games')} left out`] : []),
    `White's advantage: ${rounded(fit.advantage, 1)} Elo${options.whiteAdvantage === null ? '' : ', as given'}`,
  ];
  console.log(
    `${notes.join('; ')}. Errors are half-widths of 95 % intervals relative to the ${isAnchored ? 'anchors' : 'average'}.`,
  );
  writeSummary(json, { games, pairs, unfinished, whiteAdvantage: fit.advantage, ratings: ranking });
}

function gamesFile(path: string): string {
  if (!isExistingFolder(path)) return path;
  const file = join(path, 'games.pgn');
  if (existsSync(file)) return file;
  throw new UserError(`${path}: no games.pgn in this folder; give a PGN file or the folder of a match`);
}

function parseAdvantage(text: string): number | null {
  if (text === 'fitted') return null;
  if (text.trim() !== '' && Math.abs(Number(text)) <= 1000) return Number(text);
  throw new UserError(`--white-advantage takes a number from -1000 to 1000, or fitted, not '${text}'`, 2);
}

function anchorsOf(texts: readonly string[], { players }: CrossTable): (number | undefined)[] {
  const anchors = new Array<number | undefined>(players.length).fill(undefined);
  for (const text of texts) {
    const at = text.lastIndexOf('=');
    const name = text.slice(0, Math.max(0, at)).trim();
    const value = text.slice(at + 1).trim();
    if (name === '' || value === '' || !(Math.abs(Number(value)) <= 10_000)) {
      throw new UserError(`--anchor takes NAME=ELO, not '${text}'`, 2);
    }
    const place = players.findIndex((player) => player.name === name);
    if (place < 0) {
      const like = players.map((player) => player.name).filter((one) => one.toLowerCase().includes(name.toLowerCase()));
      const names = (like.length > 0 ? like : players.map((player) => player.name)).slice(0, 5).map(printable);
      throw new UserError(
        `--anchor: no player '${name}'; the players are ${names.join(', ')}${players.length > 5 ? ', …' : ''}`,
        2,
      );
    }
    if (anchors[place] !== undefined) throw new UserError(`--anchor: ${printable(name)} has two ratings; keep one`, 2);
    anchors[place] = Number(value);
  }
  return anchors;
}

function warnOfProblems({ problems: { count, messages } }: CrossTable): void {
  for (const message of messages.slice(0, SHOWN)) process.stderr.write(`warning: ${message}\n`);
  if (count > SHOWN)
    process.stderr.write(`warning: ${count} games in total were skipped because they could not be read\n`);
}

// Rating differences between players that are not connected by games are arbitrary
function warnOfComponents({ meetings, players }: CrossTable, anchors: readonly (number | undefined)[]): void {
  const sets = connectedPlayers(meetings, players.length).filter((set) => set.size > 1);
  const loose = sets.filter((set) => ![...set].some((player) => anchors[player] !== undefined));
  if (sets.length < 2 || loose.length === 0) return;
  const names = sets.map((set) => printable(players[[...set][0]].name));
  process.stderr.write(
    `warning: ${sets.length} groups of players have no games between them (those of ${names.slice(0, 5).join('; ')}); compare ratings only within a group\n`,
  );
}

// The ranking of rated players, and its table.

interface Ranked {
  rank: number;
  name: string;
  elo: number;
  /** Half-width of the 95 % interval in Elo; 0 for an anchor. */
  error: number;
  games: number;
  points: number;
  /** Score and draw rate, 0 to 1. */
  score: number;
  draws: number;
  /** Mean rating of the opponents, weighted by games. */
  opponents: number;
}

/** Returns the players in order of strength, with `average` added to their ratings. */
function rankingOf({ players }: CrossTable, ratings: readonly Rating[], average: number): Ranked[] {
  const places = players.flatMap(({ opponents }, i) => (opponents.size > 0 ? [i] : []));
  places.sort((a, b) => ratings[b].elo - ratings[a].elo);
  return places.map((place, i) => {
    const player = players[place];
    const games = gamesOf(player);
    const met = [...player.opponents].reduce((sum, [opponent, count]) => sum + count * ratings[opponent].elo, 0);
    return {
      rank: i + 1,
      name: player.name,
      elo: ratings[place].elo + average,
      error: ratings[place].error,
      games,
      points: pointsOf(player),
      score: scoreOf(player),
      draws: player.draws / games,
      opponents: met / games + average,
    };
  });
}

function rounded(value: number, digits: number): string {
  // A rating just below 0 would be shown as -0.0
  return Number(value.toFixed(digits)).toFixed(digits);
}

function tableLines(ranking: readonly Ranked[]): string[] {
  const head = ['Rank', 'Name', 'Elo', '+/-', 'Games', 'Points', 'Score', 'Draws', 'Opponents'];
  const rows = ranking.map(({ rank, name, elo, error, games, points, score, draws, opponents }) => [
    String(rank),
    printable(name),
    rounded(elo, 1),
    error === 0 ? 'anchor' : error.toFixed(1),
    String(games),
    String(points),
    `${(100 * score).toFixed(1)} %`,
    `${(100 * draws).toFixed(1)} %`,
    rounded(opponents, 0),
  ]);
  return alignedLines([head, ...rows], [1]);
}
