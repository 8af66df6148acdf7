// formatValues(): the fitted values as CSV, a line a weight: the term, its place, its name, start and value of both phases, their standard
// errors, and in how many training positions and games it counts.

import type { WeightSet } from '../../engine/eval/weight-set.js';
import type { Model } from '../model/model.js';
import { termLabel } from '../model/names.js';
import type { Study } from '../study/study.js';

const HEADER = 'term,index,name,mgStart,egStart,mg,eg,mgError,egError,positions,games';

/** Returns the table as text; an error without data and prior is empty. */
export function formatValues(model: Model, before: WeightSet, after: WeightSet, study: Study): string {
  const lines = model.terms.flatMap(({ name, offset, size }) =>
    Array.from({ length: size }, (_, i) => {
      const at = offset + i;
      const errors = [study.errors[at], study.errors[model.size + at]].map((error) =>
        Number.isNaN(error) ? '' : error.toFixed(2),
      );
      const label = JSON.stringify(termLabel(model, at)).replaceAll('\\"', '""');
      const values = [...before.terms[name][i], ...after.terms[name][i], ...errors];
      return [name, i, label, ...values, study.positions[at], study.games[at]].join(',');
    }),
  );
  return `${HEADER}\n${lines.join('\n')}\n`;
}
