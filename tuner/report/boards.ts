// weightSections(): the weights in a report. Tables of 64 squares are shown as boards, other arrays as curves with error bands, and the
// rest as a table.

import type { WeightSet } from '../../engine/eval/weight-set.js';
import { signed, withMinus } from '../../selfplay/common/wording.js';
import { entities, figure, figures, fold, htmlTable, note } from '../../selfplay/web/html.js';
import { isBoard, isMaterial, type Model, type Term, widthOf } from '../model/model.js';
import { columnNames, rowName, weightLabel } from '../model/names.js';
import { type ArraySeries, arrayChart } from './fit-charts.js';

/** Standard errors by weight: all middlegame errors, then all endgame errors. */
type Errors = ArrayLike<number> | undefined;

/** Returns whether a term is shown as curves: rows of three or more entries that are neither boards nor material. */
const isArray = (term: Term): boolean => !isMaterial(term) && widthOf(term) >= 3 && !isBoard(term);

/** Values along the last dimension of a term, middlegame and endgame. */
interface Row {
  name: string;
  columns: string[];
  phases: [ArraySeries, ArraySeries];
}

function rowsOf(terms: number, term: Term, before: WeightSet, after: WeightSet, errors: Errors): Row[] {
  const width = widthOf(term);
  return Array.from({ length: term.size / width }, (_, row) => {
    const phaseOf = (phase: 0 | 1): ArraySeries => {
      const values = (set: WeightSet): number[] =>
        set.terms[term.name].slice(row * width, (row + 1) * width).map((value) => value[phase]);
      const first = phase * terms + term.offset + row * width;
      const spread = Array.from({ length: width }, (_, i) => errors?.[first + i] ?? Number.NaN);
      return { before: values(before), after: values(after), errors: spread };
    };
    return { name: rowName(term, row), columns: columnNames(term), phases: [phaseOf(0), phaseOf(1)] };
  });
}

/** Returns two collapsed sections that compare two weight sets. `span` describes the two sets. */
export function weightSections(
  model: Model,
  span: string,
  before: WeightSet,
  after: WeightSet,
  errors?: Errors,
): string[] {
  const text = note(
    `${span}, in centipawns (Heft's king attack in danger points, its endgame scale in 128ths). Curves: blue middlegame, orange endgame, dashed before. Boards: blue positive, orange negative.`,
  );
  const rowsWhere = (isShown: (term: Term) => boolean): Row[] =>
    model.terms.filter(isShown).flatMap((term) => rowsOf(model.size, term, before, after, errors));
  const boards = rowsWhere(isBoard).map((row) => boardSection(row, errors !== undefined));
  const charts = rowsWhere(isArray).map(({ name, columns, phases }) =>
    figure(arrayChart(name, columns, ...phases), name, false),
  );
  return [
    fold('Values', text, valueTable(model, before, after, errors), figures(charts)),
    fold('Tables', text, boards.join('\n')),
  ];
}

/** Returns a table of 64 squares as rows of boards: before, after, change and, if known, error, for both phases. */
function boardSection({ name, phases }: Row, hasErrors: boolean): string {
  const scale = Math.max(1, ...phases.flatMap(({ before, after }) => [...before, ...after]).map(Math.abs));
  const boards = phases.map(({ before, after, errors }, i) => {
    const change = after.map((value, square) => Number((value - before[square]).toFixed(2)));
    const drawn = [heatMap(before, scale, 'before'), heatMap(after, scale, 'after'), heatMap(change, scale, 'change')];
    if (hasErrors) {
      const largest = Math.max(1, ...errors.filter(Number.isFinite));
      drawn.push(heatMap(errors.map(Math.round), largest, 'standard error', GREY));
    }
    const title = i === 0 ? 'middlegame' : 'endgame';
    return `<div class="phase"><h4>${title}</h4><div class="boards of${drawn.length}">${drawn.join('')}</div></div>`;
  });
  return `<section class="piece"><h3>${entities(name)} <small>colour scale ±${scale} cp</small></h3>${boards.join('')}</section>`;
}

/** Colours of values above and below zero. */
export const SIGNS: readonly [string, string] = ['64,132,240', '236,106,40'];
const GREY: readonly [string, string] = ['128,134,146', '128,134,146'];

/** Returns one board of 64 values, a1 first, with rank 8 on top; values of ±scale have the full colour. */
export function heatMap(values: readonly number[], scale: number, caption: string, colors = SIGNS): string {
  const cell = (value: number): string => {
    if (!Number.isFinite(value)) return '<b></b>';
    // Colours become transparent towards zero, so they fit light and dark pages
    const strength = Math.min(1, Math.abs(value) / scale) * 0.8;
    const shown = Math.round(255 * strength);
    if (shown === 0) return `<b>${value}</b>`;
    const parts = [...colors[value >= 0 ? 0 : 1].split(',').map(Number), shown];
    return `<b style="background:#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}">${value}</b>`;
  };
  const lines = [7, 6, 5, 4, 3, 2, 1, 0].map((rank) => {
    const cells = values.slice(8 * rank, 8 * rank + 8).map(cell);
    return `<i>${rank + 1}</i>${cells.join('')}`;
  });
  const files = [...'abcdefgh'].map((file) => `<i>${file}</i>`).join('');
  return figure(`<div class="board" aria-label="${caption}">${lines.join('')}<i></i>${files}</div>`, caption);
}

/** Returns material and the values outside boards and arrays as a table. */
function valueTable(model: Model, before: WeightSet, after: WeightSet, errors?: Errors): string {
  const rows = model.terms
    .filter((term) => !isBoard(term) && !isArray(term))
    .flatMap((term) =>
      after.terms[term.name].map((to, i) => {
        const cells = to.flatMap((value, phase) => {
          const from = before.terms[term.name][i][phase];
          const error = errors?.[phase * model.size + term.offset + i] ?? Number.NaN;
          return [
            withMinus(from),
            `${withMinus(value)}${Number.isNaN(error) ? '' : ` ± ${error.toFixed(0)}`}`,
            signed(value - from),
          ];
        });
        return [weightLabel(model, term.offset + i), ...cells];
      }),
    );
  const heads = ['middlegame', 'endgame'].flatMap((phase) => [`${phase} before`, 'after', 'change']);
  return htmlTable(['', ...heads], rows);
}
