// A chart of lines over games played: axes with round numbers, bounds, bands of error, and what is under the pointer in words.

import { shape } from './elements.js';
import { fixed, whole } from './formats.js';

/** A line: its values, one for each point of the games, with their errors where there are any. */
export interface Series {
  values: number[];
  errors: number[] | null;
  /** CSS's, null for the usual one. */
  colour: string | null;
  name: string;
}

/** What is in the picture besides: named bounds, and levels that are in it whatever the values. */
export interface Guides {
  bounds: [value: number, name: string][];
  levels: number[];
  /** Behind the point, when a value is read out. */
  digits: number;
}

interface Scale {
  left: number;
  right: number;
  top: number;
  bottom: number;
  low: number;
  high: number;
  games: number;
}

const HEIGHT = 220;

/** Draws the series into the figure's picture, over `games`, ascending. */
export function drawLineChart(figure: HTMLElement, games: number[], series: Series[], guides: Guides): void {
  const svg = figure.querySelector('svg')!;
  const width = Math.max(200, svg.clientWidth);
  const [low, high] = rangeOf(series, guides);
  const frame = { left: 46, right: width - 8, top: 8, bottom: HEIGHT - 24 };
  const scale: Scale = { ...frame, low, high, games: Math.max(1, games.at(-1) ?? 1) };
  const parts = [
    ...axes(scale),
    ...boundLines(scale, guides.bounds),
    ...series.flatMap((line) => linePaths(scale, games, line)),
  ];
  const cursor = shape('line', { class: 'zero', y1: scale.top, y2: scale.bottom, visibility: 'hidden' });
  svg.setAttribute('viewBox', `0 0 ${width} ${HEIGHT}`);
  svg.replaceChildren(...(games.length === 0 ? [] : parts), cursor);

  const readout = figure.querySelector('.readout')!;
  svg.onpointerleave = () => {
    cursor.setAttribute('visibility', 'hidden');
    readout.textContent = '';
  };
  svg.onpointermove = ({ clientX }) => {
    const at = clientX - svg.getBoundingClientRect().left;
    const i = nearest(games, (scale.games * (at - scale.left)) / (scale.right - scale.left));
    if (i < 0) return;
    cursor.setAttribute('visibility', 'visible');
    for (const end of ['x1', 'x2']) cursor.setAttribute(end, String(across(scale, games[i])));
    const texts = series.map((line) => valueText(line, i, guides.digits));
    readout.textContent = `${whole(games[i])} games: ${texts.join(', ')}`;
  };
}

// Early errors are cut where the picture would be all error
function rangeOf(series: Series[], { bounds, levels }: Guides): [low: number, high: number] {
  const heights = series.flatMap(({ values, errors }) => {
    const settled = Math.floor(values.length / 20);
    return values.flatMap((value, i) => (errors && i >= settled ? [value - errors[i], value + errors[i]] : [value]));
  });
  const marks = [...levels, ...bounds.map(([value]) => value), ...heights];
  const [min, max] = [Math.min(...marks), Math.max(...marks)];
  const room = 0.05 * (max - min || 1);
  return [min - room, max + room];
}

function across({ left, right, games }: Scale, count: number): number {
  return left + ((right - left) * count) / games;
}

function up({ top, bottom, low, high }: Scale, value: number): number {
  const within = Math.max(low, Math.min(high, value));
  return bottom - ((bottom - top) * (within - low)) / (high - low);
}

function axes(scale: Scale): SVGElement[] {
  const values = ticks(scale.low, scale.high).flatMap((value) => {
    const label = { x: scale.left - 6, y: up(scale, value) + 4, 'text-anchor': 'end' };
    return [levelLine(scale, value, value === 0 ? 'zero' : 'grid'), shape('text', label, minus(value))];
  });
  const counts = ticks(0, scale.games).filter((tick) => tick > 0 && Number.isInteger(tick));
  const labels = counts.map((count) => {
    const x = across(scale, count);
    return shape('text', { x, y: HEIGHT - 7, 'text-anchor': x > scale.right - 22 ? 'end' : 'middle' }, whole(count));
  });
  return [...values, ...labels];
}

function boundLines(scale: Scale, bounds: Guides['bounds']): SVGElement[] {
  return bounds.flatMap(([value, name]) => {
    const label = { x: scale.right, y: up(scale, value) + (value > 0 ? 13 : -5), 'text-anchor': 'end' };
    return [levelLine(scale, value, 'bound'), shape('text', label, name)];
  });
}

function levelLine(scale: Scale, value: number, look: string): SVGElement {
  const y = up(scale, value);
  return shape('line', { class: look, x1: scale.left, x2: scale.right, y1: y, y2: y });
}

function linePaths(scale: Scale, games: number[], { values, errors, colour }: Series): SVGElement[] {
  const point = (i: number, value: number): string =>
    `${across(scale, games[i]).toFixed(1)} ${up(scale, value).toFixed(1)}`;
  const points = values.map((value, i) => point(i, value));
  const style = colour === null ? '' : `stroke:${colour}`;
  const line = shape('path', { class: 'path', style, d: `M${points.join('L')}h.1` });
  if (errors === null) return [line];
  const upper = values.map((value, i) => point(i, value + errors[i]));
  const lower = values.map((value, i) => point(i, value - errors[i])).reverse();
  return [shape('path', { class: 'area', d: `M${[...upper, ...lower].join('L')}Z` }), line];
}

function valueText({ name, values, errors }: Series, i: number, digits: number): string {
  const error = errors ? ` ± ${errors[i].toFixed(digits)}` : '';
  return `${name ? `${name} ` : ''}${fixed(values[i], digits)}${error}`;
}

function nearest(games: number[], wanted: number): number {
  let best = -1;
  games.forEach((count, i) => {
    if (best < 0 || Math.abs(count - wanted) < Math.abs(games[best] - wanted)) best = i;
  });
  return best;
}

/** Returns some four round numbers between the two. */
function ticks(low: number, high: number): number[] {
  const rough = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const first = Math.ceil(low / step);
  const last = Math.floor(high / step);
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(6)));
}

function minus(value: number): string {
  return String(value).replace('-', '\u2212');
}
