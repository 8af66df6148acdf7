// Draws the history of the run: a match's likelihood ratio between its bounds, and the Elo of each engine.

import type { RunView } from '../views.js';
import { element, place } from './elements.js';
import { drawLineChart, type Series } from './line-chart.js';

const COLOURS = Array.from({ length: 8 }, (_, i) => `var(--s${i + 1})`);

/** Draws both charts for the width they have. */
export function drawCharts({ path, figures, names }: RunView): void {
  const match = figures !== null && 'llr' in figures ? figures : null;
  const games = path.map((point) => point.games);
  place('charts').hidden = path.length === 0;
  place('llr-figure').hidden = match === null;
  if (match !== null) {
    const ratio: Series = { values: path.map(({ llr }) => llr ?? 0), errors: null, colour: null, name: '' };
    const bounds: [number, string][] = [
      [match.lower, 'H0'],
      [match.upper, 'H1'],
    ];
    drawLineChart(place('llr-figure'), games, [ratio], { bounds, levels: [0], digits: 2 });
  }
  const series = eloSeries(path, match === null ? names : []);
  drawLineChart(place('elo-figure'), games, series, { bounds: [], levels: match === null ? [] : [0], digits: 1 });
  drawLegend(series.filter(({ name }) => name !== ''));
}

// Bands of error around several lines would hide them
function eloSeries(path: RunView['path'], names: string[]): Series[] {
  const count = path.length === 0 ? 0 : Math.min(COLOURS.length, path[0].elo.length);
  return COLOURS.slice(0, count).map((colour, i) => ({
    values: path.map(({ elo }) => elo[i]),
    errors: count === 1 ? path.map(({ error }) => error[i]) : null,
    colour,
    name: names[i] ?? '',
  }));
}

function drawLegend(series: Series[]): void {
  const keys = series.map(({ name, colour }) =>
    element('span', {}, element('i', { class: 'key', style: `background:${colour}` }), name),
  );
  place('elo-figure')
    .querySelector('.legend')!
    .replaceChildren(...keys);
}
