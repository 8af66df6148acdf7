// Piece-square tables as board heat maps, and the material values beside them.

import { CustomChart } from 'echarts/charts';
import { GridComponent } from 'echarts/components';
import { use } from 'echarts/core';
import type { Term } from '../engine/eval/terms.js';
import { TERMS } from '../engine/eval/terms.js';
import type { Pair, WeightSet } from '../engine/eval/weight-set.js';
import { axis, renderChart } from './report-charts.js';

use([CustomChart, GridComponent]);

const PIECES = ['Pawn', 'Knight', 'Bishop', 'Rook', 'Queen', 'King'];
const PHASES = ['middlegame', 'endgame'];
const FILES = [...'abcdefgh'];
const RANKS = [...'12345678'];

/** Returns every 64-square table of the weights as rows of boards: before, after and change, for both phases. */
export function boardSections(before: WeightSet, after: WeightSet): string {
  return TERMS.filter((term) => term.shape[term.shape.length - 1] === 64)
    .flatMap((term) => tablesOf(term, before, after))
    .join('\n');
}

function tablesOf(term: Term, before: WeightSet, after: WeightSet): string[] {
  return Array.from({ length: term.size / 64 }, (_, table) => {
    const from = before.terms[term.name].slice(64 * table, 64 * table + 64);
    const to = after.terms[term.name].slice(64 * table, 64 * table + 64);
    const scale = Math.max(1, ...[...from, ...to].flat().map(Math.abs));
    const name = term.name === 'psqt' ? PIECES[table] : `${term.name} ${table}`;
    const boards = [0, 1].map((phase) => {
      const old = from.map((pair) => pair[phase]);
      const values = to.map((pair) => pair[phase]);
      const change = values.map((value, square) => value - old[square]);
      const figures = [figure(old, scale, 'before'), figure(values, scale, 'after'), figure(change, scale, 'change')];
      return `<div class="phase"><h4>${PHASES[phase]}</h4><div class="boards">${figures.join('')}</div></div>`;
    });
    return `<section class="piece"><h3>${name} <small>colours to ±${scale} cp</small></h3>${boards.join('')}</section>`;
  });
}

function figure(values: readonly number[], scale: number, caption: string): string {
  return `<figure>${boardChart(values, scale, caption)}<figcaption>${caption}</figcaption></figure>`;
}

/** Returns one board of 64 values, a1 first, drawn with rank 8 on top; ±scale has the full colour. */
export function boardChart(values: readonly number[], scale: number, label: string): string {
  const labels = { color: 'var(--muted)', fontSize: 9, margin: 4 };
  const option = {
    grid: { left: 14, right: 2, top: 2, bottom: 14 },
    xAxis: axis('', { type: 'category', data: FILES, axisLabel: labels, splitLine: { show: false } }),
    yAxis: axis('', { type: 'category', data: RANKS, axisLabel: labels, splitLine: { show: false } }),
    series: [
      {
        type: 'custom',
        renderItem: (_: unknown, api: CellApi) => cell(api, scale),
        data: values.map((value, square) => [square & 7, square >> 3, value]),
      },
    ],
  };
  return renderChart(option as never, 232, 232, label);
}

interface CellApi {
  value(dimension: number): number;
  coord(point: number[]): number[];
  size(extent: number[]): number[];
}

function cell(api: CellApi, scale: number): object {
  const value = api.value(2);
  const [x, y] = api.coord([api.value(0), api.value(1)]);
  const [width, height] = api.size([1, 1]);
  // Transparent towards zero: the page shows through, light or dark.
  const strength = Math.min(1, Math.abs(value) / scale) * 0.8;
  const color = value >= 0 ? '64,132,240' : '236,106,40';
  return {
    type: 'rect',
    shape: { x: x - width / 2, y: y - height / 2, width, height },
    style: { fill: `rgba(${color},${strength.toFixed(2)})`, stroke: 'var(--rule)', lineWidth: 0.5 },
    textContent: { style: { text: String(value), fill: 'var(--ink)', fontSize: 9, fontFamily: 'inherit' } },
    textConfig: { position: 'inside' },
  };
}

/** Returns the single values (material and whatever is not a board) as a table of before and after. */
export function valueTable(before: WeightSet, after: WeightSet): string {
  const rows = TERMS.filter((term) => term.shape[term.shape.length - 1] !== 64).flatMap((term) =>
    after.terms[term.name].map((to, i) => {
      const from = before.terms[term.name][i];
      const name = term.name === 'material' ? PIECES[i] : term.size === 1 ? term.name : `${term.name} ${i}`;
      return `<tr><th scope="row">${name}</th>${valueCells(from, to, 0)}${valueCells(from, to, 1)}</tr>`;
    }),
  );
  return `<table><thead><tr><th rowspan="2"></th><th colspan="3">middlegame</th><th colspan="3">endgame</th></tr>
<tr>${'<th>before</th><th>after</th><th>change</th>'.repeat(2)}</tr></thead><tbody>${rows.join('\n')}</tbody></table>`;
}

function valueCells(from: Pair, to: Pair, phase: number): string {
  const change = to[phase] - from[phase];
  const sign = change > 0 ? '+' : '';
  return `<td>${from[phase]}</td><td>${to[phase]}</td><td>${sign}${change}</td>`;
}
