// The weights in a report: piece-square tables as board heat maps, arrays as curves with error bands, the rest as a table.

import type { Term } from '../../engine/eval/terms.js';
import { TERM_COUNT, TERMS } from '../../engine/eval/terms.js';
import type { Pair, WeightSet } from '../../engine/eval/weight-set.js';
import { chart, names } from '../../selfplay/html/charts.js';
import { figure, figures } from '../../selfplay/html/page.js';
import { rowLabel, termLabel } from '../weights/term-names.js';
import { type ArraySeries, arrayChart } from './fit-charts.js';

const PHASES = ['middlegame', 'endgame'];
const FILES = [...'abcdefgh'];
const RANKS = [...'12345678'];

/** Standard errors by weight: all mg, then all eg. */
type Errors = ArrayLike<number> | undefined;

/** Returns every 64-square table of the weights as rows of boards: before, after, change and, where known, error, for both phases. */
export function boardSections(before: WeightSet, after: WeightSet, errors?: Errors): string {
  return TERMS.filter((term) => term.shape[term.shape.length - 1] === 64)
    .flatMap((term) => tablesOf(term, before, after, errors))
    .join('\n');
}

function tablesOf(term: Term, before: WeightSet, after: WeightSet, errors: Errors): string[] {
  return Array.from({ length: term.size / 64 }, (_, table) => {
    const from = before.terms[term.name].slice(64 * table, 64 * table + 64);
    const to = after.terms[term.name].slice(64 * table, 64 * table + 64);
    const scale = Math.max(1, ...[...from, ...to].flat().map(Math.abs));
    const name = term.name === 'psqt' ? rowLabel('psqt', table) : `${term.name} ${table}`;
    const boards = [0, 1].map((phase) => {
      const old = from.map((pair) => pair[phase]);
      const values = to.map((pair) => pair[phase]);
      const change = values.map((value, square) => value - old[square]);
      const boards = [board(old, scale, 'before'), board(values, scale, 'after'), board(change, scale, 'change')];
      if (errors !== undefined) {
        const spread = values.map((_, square) => errors[phase * TERM_COUNT + term.offset + 64 * table + square]);
        const widest = Math.max(1, ...spread.filter(Number.isFinite));
        boards.push(board(spread.map(Math.round), widest, 'standard error', GREY));
      }
      return `<div class="phase"><h4>${PHASES[phase]}</h4><div class="boards of${boards.length}">${boards.join('')}</div></div>`;
    });
    return `<section class="piece"><h3>${name} <small>colours to ±${scale} cp</small></h3>${boards.join('')}</section>`;
  });
}

/** Colours of values above and below zero. */
const SIGNS: readonly [string, string] = ['64,132,240', '236,106,40'];
const GREY: readonly [string, string] = ['128,134,146', '128,134,146'];

const board = (values: readonly number[], scale: number, caption: string, colors = SIGNS): string =>
  figure(boardChart(values, scale, caption, colors), caption);

/** Returns one board of 64 values, a1 first, drawn with rank 8 on top; ±scale has the full colour. */
export function boardChart(values: readonly number[], scale: number, label: string, colors = SIGNS): string {
  const labels = { fontSize: 9, margin: 4 };
  return chart({
    ...{ label, width: 232, height: 232 },
    grid: { left: 14, right: 2, top: 2, bottom: 14 },
    x: names(FILES, { labels }),
    y: names(RANKS, { labels }),
    series: [
      {
        type: 'custom',
        renderItem: (_: unknown, api: CellApi) => cell(api, scale, colors),
        data: values.map((value, square) => [square & 7, square >> 3, value]),
      },
    ],
  });
}

interface CellApi {
  value(dimension: number): number;
  coord(point: number[]): number[];
  size(extent: number[]): number[];
}

function cell(api: CellApi, scale: number, colors: readonly [string, string]): object {
  const value = api.value(2);
  const [x, y] = api.coord([api.value(0), api.value(1)]);
  const [width, height] = api.size([1, 1]);
  // Transparent towards zero: the page shows through, light or dark.
  const strength = Math.min(1, Math.abs(value || 0) / scale) * 0.8;
  const color = value >= 0 ? colors[0] : colors[1];
  return {
    type: 'rect',
    shape: { x: x - width / 2, y: y - height / 2, width, height },
    style: { fill: `rgba(${color},${strength.toFixed(2)})`, stroke: 'var(--rule)', lineWidth: 0.5 },
    textContent: {
      style: {
        text: Number.isFinite(value) ? String(value) : '',
        fill: 'var(--ink)',
        fontSize: 9,
        fontFamily: 'inherit',
      },
    },
    textConfig: { position: 'inside' },
  };
}

/** Whether a term is an array whose neighbours belong together. */
const isArray = ({ name, shape }: Term): boolean => {
  const width = shape[shape.length - 1];
  return name !== 'material' && width >= 3 && width !== 64;
};

/** Returns every array of the weights as curves, one a row. */
export function arraySections(before: WeightSet, after: WeightSet, errors?: Errors): string {
  const charts = TERMS.filter(isArray).flatMap((term) => {
    const width = term.shape[term.shape.length - 1];
    return Array.from({ length: term.size / width }, (_, row) => {
      const series = [0, 1].map((phase): ArraySeries => {
        const values = (set: WeightSet): number[] =>
          set.terms[term.name].slice(row * width, (row + 1) * width).map((value) => value[phase]);
        const from = phase * TERM_COUNT + term.offset + row * width;
        const spread = Array.from({ length: width }, (_, i) => errors?.[from + i] ?? Number.NaN);
        return { before: values(before), after: values(after), errors: spread };
      });
      const name = term.size === width ? term.name : `${term.name} ${rowLabel(term.name, row)}`;
      return figure(arrayChart(name, series[0], series[1]), name);
    });
  });
  return figures(charts);
}

/** Returns the single values (material and whatever is neither board nor array) as a table of before and after. */
export function valueTable(before: WeightSet, after: WeightSet, errors?: Errors): string {
  const rows = TERMS.filter((term) => term.shape[term.shape.length - 1] !== 64 && !isArray(term)).flatMap((term) =>
    after.terms[term.name].map((to, i) => {
      const from = before.terms[term.name][i];
      const name = term.name === 'material' ? rowLabel('material', i) : termLabel(term.offset + i);
      const cells = [0, 1].map((phase) => valueCells(from, to, phase, errors?.[phase * TERM_COUNT + term.offset + i]));
      return `<tr><th scope="row">${name}</th>${cells.join('')}</tr>`;
    }),
  );
  return `<div class="wide"><table><thead><tr><th rowspan="2"></th><th colspan="3">middlegame</th><th colspan="3">endgame</th></tr>
<tr>${'<th>before</th><th>after</th><th>change</th>'.repeat(2)}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
}

function valueCells(from: Pair, to: Pair, phase: number, error?: number): string {
  const change = to[phase] - from[phase];
  const sign = change > 0 ? '+' : '';
  const spread = error === undefined || Number.isNaN(error) ? '' : ` <small>± ${error.toFixed(0)}</small>`;
  return `<td>${from[phase]}</td><td>${to[phase]}${spread}</td><td>${sign}${change}</td>`;
}
