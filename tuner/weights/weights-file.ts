// formatWeights() formats weights files by term name, so old files remain readable if terms are reordered. toVector() and fromVector()
// convert weight sets to and from the flat vectors of a fit. selfplay/common/weights.ts reads weights files.

import type { Pair, WeightSet } from '../../engine/eval/weight-set.js';
import { writeFileAtomic } from '../../selfplay/common/files.js';
import { weightsHash } from '../../selfplay/common/weights.js';
import type { Model, Term } from '../model/model.js';

/** Writes a weights file atomically. Throws a UserError if that fails. */
export function writeWeights(model: Model, file: string, weights: WeightSet): void {
  writeFileAtomic(file, formatWeights(model, weights));
}

/** Returns the text of weights.json, with one rank of a board per line for readable diffs, and a checksum of the values. */
export function formatWeights(model: Model, weights: WeightSet): string {
  const terms = model.terms.map((term) => {
    const lines = rowsOf(term, weights.terms[term.name]).map(
      (row) => `      ${row.map((pair) => formatPair(term, pair)).join(', ')}`,
    );
    return `    ${JSON.stringify(term.name)}: [\n${lines.join(',\n')}\n    ]`;
  });
  const provenance = JSON.stringify(weights.provenance, null, 2).replaceAll('\n', '\n  ');
  const sha256 = weightsHash(weights, model.terms);
  return `{\n  "provenance": ${provenance},\n  "sha256": "${sha256}",\n  "terms": {\n${terms.join(',\n')}\n  }\n}\n`;
}

/** Returns the scalar entries of the provenance as comment lines. */
export function provenanceComments({ provenance }: WeightSet): string[] {
  const facts = Object.entries(provenance).filter(([, value]) => typeof value !== 'object');
  return facts.map(([name, value]) => `// ${name}: ${String(value).replaceAll('\n', ' ')}`);
}

/** Returns the values as one vector: all middlegame values by weight index, then all endgame values. */
export function toVector({ terms, size }: Model, weights: WeightSet): Float64Array {
  const vector = new Float64Array(2 * size);
  for (const term of terms) {
    weights.terms[term.name].forEach(([mg, eg], i) => {
      vector[term.offset + i] = mg;
      vector[size + term.offset + i] = eg;
    });
  }
  return vector;
}

/** Returns the weights of a vector in toVector()'s layout. */
export function fromVector(model: Model, vector: ArrayLike<number>, provenance: Record<string, unknown>): WeightSet {
  const terms: Record<string, Pair[]> = {};
  for (const { name, offset, size } of model.terms) {
    terms[name] = Array.from({ length: size }, (_, i) => [vector[offset + i], vector[model.size + offset + i]]);
  }
  return { provenance, terms };
}

/** Splits a term's values into lines: ranks of a board, otherwise rows of the last dimension. */
export function rowsOf<T>(term: Pick<Term, 'shape'>, values: readonly T[]): T[][] {
  const last = term.shape[term.shape.length - 1];
  const width = last === 64 ? 8 : last;
  return Array.from({ length: values.length / width }, (_, row) => values.slice(row * width, (row + 1) * width));
}

const formatPair = ({ isUntapered }: Term, [mg, eg]: Pair): string =>
  isUntapered === true ? String(mg) : `[${mg}, ${eg}]`;
