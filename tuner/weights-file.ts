// Weight files: weights.json as the tuner writes it, by term name, so that old files stay readable when terms are
// re-ordered; the weights that have names of their own; and the flat vectors that the fit works on.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { TERM_COUNT, TERMS, type Term } from '../engine/eval/terms.js';
import { checkWeightSet, type Pair, type WeightSet } from '../engine/eval/weight-set.js';
import { WEIGHTS } from '../engine/eval/weights.js';
import { UserError, writeFileAtomic } from '../selfplay/cli.js';
import { projectFile } from './places.js';

const NAMED: ReadonlyMap<string, () => WeightSet> = new Map([
  ['shipped', () => checkWeightSet(WEIGHTS)],
  ['material', () => readWeights(fileURLToPath(projectFile('engine/eval/material.json')))],
]);

/** Returns the weights called `shipped` (compiled in) or `material`, or those of a weight file. */
export function loadWeights(nameOrFile: string): WeightSet {
  return NAMED.get(nameOrFile)?.() ?? readWeights(nameOrFile);
}

/** Reads a weight file; anything wrong with it is a UserError that names the file and, where it applies, the term. */
export function readWeights(file: string): WeightSet {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const names = [...NAMED.keys()].join(', ');
    throw new UserError(`cannot read weights ${file}: ${(error as Error).message} (named weights: ${names})`);
  }
  try {
    return checkWeightSet(JSON.parse(text));
  } catch (error) {
    throw new UserError(`${file} is not a weight file: ${(error as Error).message}`);
  }
}

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

/** Returns the sha256 (hex) of the values, whatever the provenance. */
export function weightsHash(weights: WeightSet): string {
  const canonical = TERMS.map((term) => [term.name, weights.terms[term.name]]);
  return createHash('sha256').update(JSON.stringify(canonical)).digest('hex');
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
