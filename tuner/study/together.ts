// occurTogether(): weights whose counts are equal or proportional in every position, so the data cannot separate their values.

import { createRandom } from '../../engine/kernel/random.js';
import { type Dataset, entryCoefficient, entryIndex, entryPart } from '../dataset/dataset.js';
import { type Model, type Term, widthOf } from '../model/model.js';
import { weightLabel } from '../model/names.js';

/** Shortens random integers to 18 bits, so sums over counts and positions are exact. */
const RANDOM_SHIFT = 14;

/** Returns the groups of such weights, by index, among rows with non-zero `positionWeights`. */
export function occurTogether(dataset: Dataset, positionWeights: Float64Array, terms: number): number[][] {
  const { offsets, packed } = dataset;
  const random = createRandom(1);
  // Two random checksums of each weight's counts, and its first count
  const sums = [new Float64Array(terms), new Float64Array(terms)];
  const first = new Float64Array(terms);
  const isNonlinear = new Uint8Array(terms);
  for (let row = 0; row < positionWeights.length; row++) {
    if (positionWeights[row] === 0) continue;
    const [a, b] = [random() >>> RANDOM_SHIFT, random() >>> RANDOM_SHIFT];
    for (let at = offsets[row]; at < offsets[row + 1]; at++) {
      const term = entryIndex(packed[at]);
      const count = entryCoefficient(packed[at]);
      if (entryPart(packed[at]) !== 0) isNonlinear[term] = 1;
      if (first[term] === 0) first[term] = count;
      sums[0][term] += count * a;
      sums[1][term] += count * b;
    }
  }
  const groups = new Map<string, number[]>();
  for (let term = 0; term < terms; term++) {
    if (first[term] === 0 || isNonlinear[term] === 1) continue;
    const key = sums.map((sum) => sum[term] / first[term]).join(' ');
    groups.set(key, [...(groups.get(key) ?? []), term]);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

/** Returns one line for all weights that never occur, and one for each group of weights that always occur together. */
export function occurrenceWarnings(model: Model, positions: Uint32Array, together: readonly number[][]): string[] {
  const missing = model.terms.flatMap((term) => {
    const cells = cellsOf(term).filter((cell) => positions[term.offset + cell] === 0);
    if (cells.length === 0) return [];
    return [`${term.title || term.name}${cells.length === term.size ? '' : ` (${cells.length} of ${term.size})`}`];
  });
  const never = missing.length === 0 ? [] : [`never occur: ${missing.join('; ')}; they are not fitted`];
  const groups = together.map((terms) => {
    const names = terms.map((term) => weightLabel(model, term));
    return `always occur together: ${names.join('; ')}; only a weighted sum of their values can be determined`;
  });
  return [...never, ...groups];
}

/** Cells of the table that can count. */
function cellsOf(term: Term): number[] {
  const width = widthOf(term);
  return Array.from({ length: term.size }, (_, cell) => cell).filter(
    (cell) => term.gauge?.isUnused(Math.floor(cell / width), cell % width) !== true,
  );
}
