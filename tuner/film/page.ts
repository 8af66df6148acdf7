// renderFilm(): the film of a loop as one HTML file, with the weights, the strength and a game of each generation.

import { signed, thousands } from '../../selfplay/common/wording.js';
import { BLUE, chart, GRID, line, MUTED, names, numbers, ORANGE } from '../../selfplay/web/charts.js';
import { figure, htmlTable, reportPage, tiles } from '../../selfplay/web/html.js';
import type { LoopFolder } from '../generations/folder.js';
import type { FinalEntry, Ledger } from '../generations/settings.js';
import { learnt } from '../generations/story.js';
import { type Strength, type Strengths, strengthsOf } from '../generations/strength.js';
import { PIECES } from '../model/names.js';
import { heatMap } from '../report/boards.js';
import { type EloPoint, eloChart } from '../report/fit-charts.js';
import { boardsOfWeights, type Frame, framesOf, GAME_RULE } from './frames.js';
import { FILM_SCRIPT, FILM_STYLE, type ShownFilm, type ShownFrame } from './script.js';

/** Colours of the pieces that have a value, pawn to queen. */
const COLORS = [MUTED, BLUE, ORANGE, 'var(--good)', 'var(--ink)'];
const VALUED = PIECES.slice(0, COLORS.length);

/** Returns the colour scale of each piece in centipawns: the largest absolute value in the boards of all frames, at least 1. */
export function scalesOf(boards: readonly (readonly number[][])[]): number[] {
  const largest = (values: readonly number[]): number => Math.max(...values.map(Math.abs));
  // One frame at a time, because a function call is limited to about 100,000 arguments
  return PIECES.map((_, piece) =>
    boards.reduce((scale, all) => Math.max(scale, largest(all.slice(2 * piece, 2 * piece + 2).flat())), 1),
  );
}

/** Returns the film of a loop as the text of an HTML file. Overwrites the engine's position. */
export async function renderFilm(ledger: Ledger, folder: LoopFolder): Promise<string> {
  const strengths = strengthsOf(ledger);
  const frames = await framesOf(ledger, folder, strengths);
  const boards = frames.map(({ weights }) => boardsOfWeights(weights));
  const scales = scalesOf(boards);
  const film: ShownFilm = { frames: frames.map((frame, i) => shown(frame, i, boards[i], ledger, strengths)), scales };
  const empty = new Array<number>(64).fill(0);
  const maps = PIECES.map(
    (piece, i) =>
      `<div><h3>${piece} <small>colour scale ±${scales[i]} cp</small></h3><div class="both">` +
      `${heatMap(empty, 1, 'middlegame')}${heatMap(empty, 1, 'endgame')}</div></div>`,
  );
  const last = frames.length - 1;
  return reportPage(
    'Heft learning from its own games: the film',
    learnt(ledger),
    [
      `<div id="controls" class="bar"><output id="name"></output>${controls('film', 'generation', 'frame', last)}</div>`,
      '<div id="facts"></div>',
      `<div class="maps">${maps.join('')}</div>`,
      '<div class="scenes">',
      figure(strengthChart(frames, strengths), strengthNote(strengths)),
      `<div>${figure(materialChart(frames), MATERIAL_NOTE)}<div id="values"></div></div>`,
      `<div id="game" tabindex="-1"><p id="title"></p><div id="board"></div><p class="bar">${controls('game', 'move', 'ply', 0)}</p>`,
      `<p id="move"></p><p class="note">${GAME_RULE} Scores are in pawns for White.</p></div></div>`,
      '<p class="note">The arrow keys step through the generations, or through the moves after a click on the game. Space plays the film.</p>',
      `<script type="application/json" id="film">${JSON.stringify(film).replaceAll('<', '\\u003c')}</script>`,
      `<script>${FILM_SCRIPT}</script>`,
    ],
    FILM_STYLE,
  );
}

const strengthNote = ({ level }: Strengths): string =>
  `Elo against ${level}: ratings from all matches of the run together. Bars are 95 % intervals. Hollow: not accepted, or opponents from outside the loop.`;
const MATERIAL_NOTE = 'Material in centipawns; endgame dashed';

function controls(what: 'film' | 'game', unit: string, slider: string, end: number): string {
  const button = (text: string, by: number, label: string): string =>
    `<button data-${what}="${by}" aria-label="${label} ${unit}">${text}</button>`;
  return [
    ...[button('|◀', -1e4, 'first'), button('◀', -1, 'previous')],
    `<button data-play="${what}">Play</button>`,
    ...[button('▶', 1, 'next'), button('▶|', 1e4, 'last')],
    `<input type="range" id="${slider}" min="0" max="${end}" value="0" aria-label="${unit}">`,
  ].join('');
}

function shown(
  frame: Frame,
  i: number,
  boards: number[][],
  { settings, final }: Ledger,
  { level }: Strengths,
): ShownFrame {
  const { weights, game, verdict, player } = frame;
  const values = VALUED.map((piece, row) => {
    const [mg, eg] = weights.terms['material'][row];
    return [{ html: `<span style="--line:${COLORS[row]}" class="key">${piece}</span>` }, String(mg), String(eg)];
  });
  return {
    name: i === 0 ? `Generation 0: ${verdict} (${settings.from})` : `Generation ${i}: ${verdict}`,
    facts: tiles(facts(frame, i, final, level)),
    values: htmlTable(['', 'middlegame', 'endgame'], values),
    boards,
    game: game === null ? null : { ...game, title: `${game.title}, ${player} against itself` },
  };
}

function facts(
  { gain, height, pool, games, spent, player }: Frame,
  i: number,
  final: FinalEntry | null,
  level: string,
): [string, string][] {
  const match = final?.generation === i ? final.match : null;
  const outside =
    match === null
      ? pool
      : [...pool.filter((entry) => entry.opponent !== 'shipped'), { opponent: 'shipped', ...match }];
  return [
    [strength(height), `Elo against ${level}, from all matches`],
    ...(i === 0 ? [] : [matchTile(gain, player)]),
    ...outside.map(({ opponent, elo, eloError }): [string, string] => [
      strength({ elo, error: eloError }),
      `Elo against ${opponent}`,
    ]),
    [thousands(games), 'games of self-play so far'],
    ...(spent === null ? [] : [timeTile(spent)]),
  ];
}

const matchTile = (gain: Frame['gain'], opponent: string): [string, string] => {
  if (gain === null) return ['no match', `against ${opponent}: undecided`];
  return [strength(gain), `Elo against ${opponent}${gain.isEarly ? ', match stopped early' : ''}`];
};

const timeTile = ({ wall, cpu }: NonNullable<Frame['spent']>): [string, string] =>
  cpu === null ? [hours(wall), 'hours so far'] : [hours(cpu), `CPU hours so far; ${hours(wall)} hours elapsed`];
const hours = (seconds: number): string => (seconds / 3600).toFixed(2);
const strength = ({ elo, error }: Strength): string => `${signed(elo)} ± ${error.toFixed(0)}`;

function strengthChart(frames: readonly Frame[], { level, pool }: Strengths): string {
  const points = frames.map(
    ({ height, accepted }, i): EloPoint => ({ name: i === 0 ? 'start' : String(i), ...height, accepted }),
  );
  for (const [name, height] of pool) if (height.error > 0) points.push({ name, ...height, accepted: false });
  return withFuture(eloChart(points, level, true), points.length);
}

function materialChart(frames: readonly Frame[]): string {
  const series = VALUED.flatMap((piece, row) =>
    [0, 1].map((phase) => {
      const values = frames.map(({ weights }) => weights.terms['material'][row][phase]);
      const dash = phase === 0 ? {} : { lineStyle: { color: COLORS[row], width: 1.5, type: 'dashed' } };
      return line(piece, COLORS[row], values, { showSymbol: true, symbolSize: 5, ...dash });
    }),
  );
  const drawn = chart({
    label: 'Material values by generation',
    height: 260,
    x: names(['start', ...frames.slice(1).map((_, i) => String(i + 1))]),
    y: numbers('centipawns'),
    series,
  });
  return withFuture(drawn, frames.length);
}

/** Returns the chart, which has `places` columns, with a mask over the later generations. The script scales the mask. */
function withFuture(svg: string, places: number): string {
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? [];
  const { left, right, top, bottom } = GRID;
  const size = `width="${Number(width) - left - right}" height="${Number(height) - top - bottom}"`;
  const veil = `<rect class="future" data-places="${places}" x="${left}" y="${top}" ${size} fill="var(--page)"/>`;
  return svg.replace(/<\/svg>\s*$/, `${veil}</svg>`);
}
