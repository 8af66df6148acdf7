// formatWeights(), toVector() and fromVector(): weight files as the tuner writes them, by term name, so that old files stay readable when
// terms are re-ordered, and the flat vectors that the fit works on. selfplay/common/weights.ts reads them.

import { TERM_COUNT, TERMS, type Term } from '../../engine/eval/terms.js';
import type { Pair, WeightSet } from '../../engine/eval/weight-set.js';
import { writeFileAtomic } from '../../selfplay/common/files.js';

/** Writes a weight file, whole or not at all. */
export function writeWeights(file: string, weights: WeightSet): void {
  writeFileAtomic(file, formatWeights(weights));
}

/** Returns the text of weights.json: a board's rank a line, so that differences are readable. */
export function formatWeights(weights: WeightSet): string {
  const terms = TERMS.map((term) => {
    const lines = rowsOf(term, weights.terms[term.name]).map((row) => `      ${row.map(formatPair).join(', ')}`);
    return `    ${JSON.stringify(term.name)}: [\n${lines.join(',\n')}\n    ]`;
  });
  const provenance = JSON.stringify(weights.provenance, null, 2).replaceAll('\n', '\n  ');
  return `{\n  "provenance": ${provenance},\n  "terms": {\n${terms.join(',\n')}\n  }\n}\n`;
}

/** Returns the values as one vector: all middlegame values by term index, then all endgame values. */
export function toVector(weights: WeightSet): Float64Array {
  const vector = new Float64Array(2 * TERM_COUNT);
  for (const term of TERMS) {
    weights.terms[term.name].forEach(([mg, eg], i) => {
      vector[term.offset + i] = mg;
      vector[TERM_COUNT + term.offset + i] = eg;
    });
  }
  return vector;
}

/** Returns the weights of a vector as toVector() lays it out. */
export function fromVector(vector: ArrayLike<number>, provenance: Record<string, unknown>): WeightSet {
  const terms: Record<string, Pair[]> = {};
  for (const { name, offset, size } of TERMS) {
    terms[name] = Array.from({ length: size }, (_, i) => [vector[offset + i], vector[TERM_COUNT + offset + i]]);
  }
  return { provenance, terms };
}

/** Cuts a term's values into lines: ranks of a board, otherwise rows of the last dimension. */
export function rowsOf<T>(term: Term, values: readonly T[]): T[][] {
  const last = term.shape[term.shape.length - 1];
  const width = last === 64 ? 8 : last;
  return Array.from({ length: values.length / width }, (_, row) => values.slice(row * width, (row + 1) * width));
}

const formatPair = ([mg, eg]: Pair): string => `[${mg}, ${eg}]`;
