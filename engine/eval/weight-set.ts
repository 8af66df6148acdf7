// A set of weights by term name, as weight files and the compiled module hold it, and the vectors the evaluation reads.

import { TERM_COUNT, TERMS } from './terms.js';

/** Middlegame and endgame value in centipawns. */
export type Pair = [mg: number, eg: number];

export interface WeightSet {
  /** How the values came about; free-form. */
  provenance: Record<string, unknown>;
  /** By term name, flat in index order. */
  terms: Record<string, Pair[]>;
}

/** Largest size of a weight in centipawns: beyond any sensible one, and safe in a packed score with all pawns promoted. */
export const WEIGHT_LIMIT = 2000;

/** Returns the value as a weight set; throws an Error that names the term if it does not fit the declared terms. */
export function checkWeightSet(value: unknown): WeightSet {
  if (!isObject(value) || !isObject(value['terms'])) throw new Error('it has no object "terms"');
  const provenance = value['provenance'] ?? {};
  if (!isObject(provenance)) throw new Error('"provenance" is not an object');
  const terms = value['terms'];
  for (const name of Object.keys(terms)) {
    if (!TERMS.some((term) => term.name === name)) throw new Error(`unknown term "${name}"`);
  }
  for (const { name, size } of TERMS) {
    const pairs = terms[name];
    if (pairs === undefined) throw new Error(`term "${name}" is missing`);
    if (!Array.isArray(pairs) || pairs.length !== size)
      throw new Error(`term "${name}" is not a list of ${size} pairs`);
    const wrong = pairs.findIndex((pair) => !isPair(pair));
    if (wrong >= 0) {
      const text = JSON.stringify(pairs[wrong]);
      throw new Error(`term "${name}", entry ${wrong}: ${text} is not two whole numbers within ±${WEIGHT_LIMIT}`);
    }
  }
  return { provenance, terms: terms as Record<string, Pair[]> };
}

/** Returns the values of a weight set by term index. */
export function weightVectors(set: WeightSet): { mg: Int32Array; eg: Int32Array } {
  const mg = new Int32Array(TERM_COUNT);
  const eg = new Int32Array(TERM_COUNT);
  for (const { name, offset } of TERMS) {
    set.terms[name].forEach((pair, i) => {
      mg[offset + i] = pair[0];
      eg[offset + i] = pair[1];
    });
  }
  return { mg, eg };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isPair = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && value.every((x) => Number.isInteger(x) && Math.abs(x) <= WEIGHT_LIMIT);
