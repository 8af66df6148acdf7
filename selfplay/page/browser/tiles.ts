// Draws the tiles: Elo, likelihood ratio, counts and pairs of a match, games of any run; and the window's title.

import type { Counts, Statistics } from '../../statistics/types.js';
import type { RunView } from '../views.js';
import { element, place } from './elements.js';
import { duration, fixed, percent, signed, whole } from './formats.js';

/** Shows the figures; a tournament's are in its table. */
export function drawTiles(run: RunView): void {
  const match = run.figures !== null && 'llr' in run.figures ? run.figures : null;
  const tiles = match === null ? [] : [eloTile(match), ratioTile(match), countsTile(match), pairsTile(match)];
  place('tiles').replaceChildren(...tiles, gamesTile(run));
  const elo = match === null ? '' : `${signed(match.elo)} ±${match.eloError.toFixed(1)} · `;
  document.title = `${elo}${run.gamesPlayed}/${run.gamesToPlay} · Heft`;
}

function gamesTile({ gamesPlayed, gamesToPlay, gamesPerHour, workers, end }: RunView): HTMLElement {
  const pace = gamesPerHour > 0 ? `${whole(gamesPerHour)} games/h` : '';
  const left = (gamesToPlay - gamesPlayed) / gamesPerHour;
  const rest = end === null && gamesPerHour > 0 ? `at most ${duration(left)} left` : '';
  return tile(
    'Games',
    large(whole(gamesPlayed), ` of ${whole(gamesToPlay)}`),
    bar([['won', gamesPlayed / Math.max(1, gamesToPlay)]]),
    note([pace, `${workers} at a time`, rest].filter((text) => text !== '').join(', ')),
  );
}

function eloTile({ elo, eloError, nelo, neloError, los }: Statistics): HTMLElement {
  return tile(
    'Elo, 95 %',
    large(signed(elo), ` ± ${eloError.toFixed(1)}`),
    note(`nElo ${signed(nelo)} ± ${neloError.toFixed(1)}, LOS ${percent(los)}`),
  );
}

function ratioTile({ sprt, llr, lower, upper, verdict }: Statistics): HTMLElement {
  const needle = Math.max(0, Math.min(1, (llr - lower) / (upper - lower)));
  return tile(
    `LLR [${sprt.elo0}, ${sprt.elo1}] ${sprt.model}`,
    large(fixed(llr, 2), verdict === null ? '' : ` ${verdict} accepted`),
    element('div', { class: 'bar' }, element('i', { class: 'needle', style: `left:${98.5 * needle}%` })),
    note(`${fixed(lower, 2)} … ${fixed(upper, 2)}; α ${sprt.alpha}, β ${sprt.beta}`),
  );
}

function countsTile({ wins, draws, losses, games, white, black }: Statistics): HTMLElement {
  const points = percent(games === 0 ? 0.5 : (wins + draws / 2) / games, 2);
  const all = Math.max(1, games);
  return tile(
    'Wins, draws, losses',
    large(`${whole(wins)} · ${whole(draws)} · ${whole(losses)}`),
    bar([
      ['won', wins / all],
      ['drawn', draws / all],
      ['lost', losses / all],
    ]),
    note(`${points}; White ${shareOf(white)}, Black ${shareOf(black)}`),
  );
}

function pairsTile({ penta, pairsRatio, drawRatio }: Statistics): HTMLElement {
  const max = Math.max(1, ...penta);
  const bars = penta.map((count) =>
    element('span', {}, element('i', { style: `height:${Math.round((34 * count) / max)}px` }), count),
  );
  return tile(
    'Pairs: 0, ½, 1, 1½, 2 points',
    element('div', { class: 'penta' }, ...bars),
    note(`pair ratio ${pairsRatio.toFixed(2)}, drawn ${percent(drawRatio)}`),
  );
}

function shareOf({ wins, draws, losses }: Counts): string {
  const played = wins + draws + losses;
  return played === 0 ? '–' : percent((wins + draws / 2) / played);
}

function tile(name: string, ...content: HTMLElement[]): HTMLElement {
  return element('div', { class: 'tile' }, element('div', { class: 'name' }, name), ...content);
}

function large(text: string, small = ''): HTMLElement {
  return element('div', { class: 'value' }, text, element('small', {}, small));
}

function note(text: string): HTMLElement {
  return element('div', { class: 'muted' }, text);
}

function bar(parts: [look: string, share: number][]): HTMLElement {
  const made = parts.map(([look, share]) =>
    element('i', { class: look, style: `width:${Math.min(100, 100 * share)}%` }),
  );
  return element('div', { class: 'bar' }, ...made);
}
