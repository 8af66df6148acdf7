// HTML of a running match or tournament: figures, standings, charts of Elo and likelihood ratio, failures and finished games.

import { type Counts, gamesOf, pointsOf, resultText, scoreOf } from '../common/game-result.js';
import { thousands } from '../common/wording.js';
import type { SprtSettings } from '../statistics/sprt.js';
import type { Statistics, TournamentStatistics } from '../statistics/types.js';
import { BLUE, chart, dashed, FAINT, line, MUTED, numbers, numbersAcross } from '../web/charts.js';
import { type Cell, entities, figure, figures, htmlTable, note, section, tiles } from '../web/html.js';
import type { PageState, PathPoint } from './state.js';

/** Returns the current state of the run as HTML. `isLive` adds buttons for the page's script. */
export function runView(state: PageState, isLive = true): string {
  const { figures: statistics } = state;
  const match = statistics !== null && 'llr' in statistics ? statistics : null;
  const tournament = statistics !== null && 'standings' in statistics ? statistics : null;
  return [
    `<h2>${entities(headline(state))}</h2>`,
    tiles([...(match === null ? [] : matchTiles(match)), gamesTile(state)]),
    tournament === null ? '' : section('Standings', standingsTable(tournament)),
    state.path.length === 0 ? '' : section('Progress', charts(state, match)),
    state.failures.size === 0 ? '' : section('Failures', failures(state)),
    state.recent.length === 0 ? '' : section('Finished games', finishedGames(state, isLive)),
  ].join('\n');
}

/** Returns the window title: Elo of a match, number of games. */
export function windowTitle({ figures: statistics, gamesPlayed, description, end }: PageState): string {
  const finished = end === null ? '' : 'finished · ';
  const elo = statistics !== null && 'llr' in statistics ? `${withError(statistics.elo, statistics.eloError)} · ` : '';
  return `${finished}${elo}${gamesPlayed}/${description.gamesToPlay} · Heft`;
}

function headline({ names, description, end, paused }: PageState): string {
  const players = names.length > 0 ? names : description.engines;
  return `${players.join(' – ')}: ${end ?? (paused ? 'paused' : 'running')}`;
}

function matchTiles(match: Statistics): [string, string][] {
  const { sprt, wins, draws, losses, white, black, penta } = match;
  return [
    [withError(match.elo, match.eloError), `Elo, 95 %; nElo ${withError(match.nelo, match.neloError)}`],
    [percent(match.los), 'likelihood of superiority'],
    ...(sprt === null ? [] : [llrTile(match, sprt)]),
    [
      `${thousands(wins)} · ${thousands(draws)} · ${thousands(losses)}`,
      `wins, draws, losses: ${score(match)}; White ${score(white)}, Black ${score(black)}`,
    ],
    [penta.join(' · '), `pairs with 0, ½, 1, 1½, 2 points; ratio ${match.pairsRatio.toFixed(2)}`],
  ];
}

function llrTile({ llr, lower, upper, verdict }: Statistics, { elo0, elo1, model }: SprtSettings): [string, string] {
  return [
    `${llr.toFixed(2)}${verdict === null ? '' : ` ${verdict}`}`,
    `LLR (${lower.toFixed(2)}, ${upper.toFixed(2)}) of [${elo0}, ${elo1}] ${model}`,
  ];
}

function gamesTile({ gamesPlayed, gamesPerHour, description, workers, end }: PageState): [string, string] {
  const { gamesToPlay } = description;
  const minutes = Math.ceil((60 * (gamesToPlay - gamesPlayed)) / gamesPerHour);
  const isRunning = end === null && gamesPerHour > 0;
  const rest = isRunning ? `, at most ${Math.floor(minutes / 60)} h ${minutes % 60} min left` : '';
  return [
    `${thousands(gamesPlayed)} of ${thousands(gamesToPlay)}`,
    `games, ${gamesPerHour} per hour, ${workers} in parallel${rest}`,
  ];
}

function standingsTable({ standings, crosstable }: TournamentStatistics): string {
  const heads = ['Engine', 'Elo', '±', 'Points', 'Games', 'Score', ...standings.map((_, i) => String(i + 1))];
  const rows = standings.map((standing, i) => [
    ...[`${i + 1}. ${standing.engine}`, standing.elo.toFixed(1), standing.eloError.toFixed(1)],
    ...[String(standing.points), String(standing.games), score(standing)],
    ...crosstable[i].map((counts) => (gamesOf(counts) === 0 ? '·' : `${pointsOf(counts)}/${gamesOf(counts)}`)),
  ]);
  return htmlTable(heads, rows);
}

function charts({ path, names }: PageState, match: Statistics | null): string {
  const games = path.map((point) => point.games);
  const x = numbersAcross('games', { max: 'dataMax', splitLine: { show: false } });
  const along = (value: (point: PathPoint) => number): number[][] => path.map((point) => [point.games, value(point)]);
  if (match === null) {
    const courses = names.map((_, i) => along(({ elo }) => elo[i]));
    const lines = names.map((name, i) => line(name, `hsl(${(360 * i) / names.length} 60% 50%)`, courses[i]));
    const drawn = chart({ label: 'Elo by games', x, y: numbers('Elo'), series: lines, width: 720, legend: true });
    return figures([figure(drawn)]);
  }
  const course = along(({ llr }) => llr ?? 0);
  const [lower, upper] = [match.lower, match.upper].map((bound) => [games[0], games.at(-1)].map((at) => [at, bound]));
  const ratio = [line('LLR', BLUE, course), dashed('H0', MUTED, lower), dashed('H1', MUTED, upper)];
  const [low, middle, high] = [-1, 0, 1].map((errors) => along(({ elo, error }) => elo[0] + errors * error[0]));
  const elo = [line('', BLUE, middle), dashed('', FAINT, low), dashed('', FAINT, high)];
  const ofTest = chart({ label: 'Log-likelihood ratio by games', x, y: numbers('LLR'), series: ratio, legend: true });
  const ofElo = chart({ label: 'Elo with its error by games', x, y: numbers('Elo'), series: elo });
  return figures((match.sprt === null ? [ofElo] : [ofTest, ofElo]).map((drawn) => figure(drawn)));
}

function failures(state: PageState): string {
  const rows = [...state.failures].map(([what, { times, game }]): Cell[] => [
    { text: what, mark: 'bad' },
    ...[`${times}×`, `last in game ${game}`],
  ]);
  return htmlTable(['', '', ''], rows);
}

function finishedGames({ recent, end, description }: PageState, isLive: boolean): string {
  const rows = recent.map(({ index, white, black, game: { result, moves, reason } }) => {
    const name = `${index + 1}. ${white} – ${black}`;
    const button = { html: `<button data-game="${index + 1}">${entities(name)}</button>` };
    return [isLive ? button : name, resultText(result), `${Math.ceil(moves.length / 2)} moves`, reason];
  });
  const all =
    isLive && end === null
      ? '<p><a href="/games.pgn" download>All games so far as PGN</a></p>'
      : note(`All games as PGN: ${description.folder}/games.pgn`);
  return all + htmlTable(['Game', 'Result', 'Length', 'End'], rows);
}

const withError = (value: number, error: number): string => `${value.toFixed(1)} ± ${error.toFixed(1)}`;
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const score = (counts: Counts): string => percent(scoreOf(counts));
