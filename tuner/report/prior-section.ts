// priorSection(): the learnt prior (the expected deviation and the number of free parameters of each family) and its effect on one table.

import { figure, htmlTable, note } from '../../selfplay/web/html.js';
import type { FitReport } from '../fit/result.js';
import { type Act, isBoard, type Model } from '../model/model.js';
import { rowName } from '../model/names.js';
import type { Study } from '../study/study.js';
import { heatMap } from './boards.js';

const UNITS: Record<Act, string> = { sum: 'cp', danger: 'danger points', factor: '128ths' };
const KINDS = {
  distance: 'distance from the prior',
  mirror: 'left against right',
  curvature: 'curvature along neighbours',
};

/** Returns the section; empty if no prior was learnt, as in fits of earlier versions. */
export function priorSection(model: Model, { families = [], gain = null }: Partial<FitReport>, study?: Study): string {
  if (families.length === 0) return '';
  const total = families.reduce((sum, { effective }) => sum + effective, 0);
  const unitOf = (name: string): string =>
    UNITS[model.terms.find((term) => (term.family ?? term.name) === name)?.act ?? 'sum'];
  const rows = families.map(({ name, kind, deviation, contrasts, effective }) => [
    ...[name === 'psqt' ? 'piece-square tables' : name, KINDS[kind]],
    ...[`±${Number(deviation.toPrecision(2))} ${unitOf(name)}`, effective.toFixed(1), String(contrasts)],
  ]);
  const text = `Learnt from the training games: the expected distance of values from the prior, difference between left and right, and curvature along neighbours. The last columns give the number of free parameters that remain (${total.toFixed(0)} in total).`;
  const worth =
    gain === null || gain.error === null
      ? ''
      : ` Expected gain on other games: ${gain.mean.toFixed(5)} ± ${gain.error.toFixed(5)}.`;
  const values = htmlTable(['weights', 'kind', 'expected', 'parameters', 'of'], rows);
  return note(text + worth) + values + (study === undefined ? '' : pictures(model, study));
}

/** Returns the table that the learnt prior changes most in the middlegame, as fitted with it and with a weak prior. */
function pictures({ terms }: Model, { fitted, withoutPrior }: Study): string {
  if (withoutPrior === null) return '';
  const tables = terms.filter(isBoard).flatMap((term) =>
    Array.from({ length: term.size / 64 }, (_, row) => {
      const from = term.offset + 64 * row;
      const both = [fitted, withoutPrior].map((weights) => [...weights.subarray(from, from + 64)]);
      const change = both[0].reduce((sum, value, square) => sum + (value - both[1][square]) ** 2, 0);
      return { piece: rowName(term, row), both, change };
    }),
  );
  if (tables.length === 0) return '';
  const { piece, both } = tables.reduce((most, one) => (one.change > most.change ? one : most));
  const scale = Math.max(1, ...both.flat().map(Math.abs));
  const drawn = both.map((values, i) => heatMap(values, scale, i === 0 ? 'with the learnt prior' : 'with a weak one'));
  return figure(`<div class="boards of2">${drawn.join('')}</div>`, `${piece}, middlegame: effect of the prior`);
}
