// Sets of weights by term name, as in weight files and eval/weights.ts: parsing, checks, and conversion to vectors by weight index.

import { TERMS, WEIGHT_COUNT } from './terms.js';

/** Middlegame and endgame value, in the units of the term's act (terms.ts). */
export type Pair = [mg: number, eg: number];

export interface WeightSet {
  /** Provenance of the values; free-form. */
  provenance: Record<string, unknown>;
  /** Pairs by term name, in the order of the weight indices. */
  terms: Record<string, Pair[]>;
}

/** Maximum absolute weight, in the units of its term. Material alone then fits in a packed score, even with all pawns promoted. */
export const WEIGHT_LIMIT = 2000;

/**
 * Usual limits for pieces from pawn to queen, in centipawns, and for all other weights, in the units of their terms. Larger weights are
 * allowed with a warning.
 */
const USUAL_PIECES = [500, 1000, 1000, 1600, WEIGHT_LIMIT];
const USUAL = 600;

/** Terms that every weight set must have. Other missing terms are zero. */
const REQUIRED: ReadonlySet<string> = new Set(['material', 'psqt', 'tempo']);

/**
 * Returns the value as a weight set. Optional terms that are missing are filled with zeros and listed as `missing` in the provenance.
 * Throws an Error that describes the first fault, and names the term if one does not match its declaration.
 */
export function checkWeightSet(value: unknown): WeightSet {
  if (!isObject(value) || !isObject(value['terms'])) throw new Error('no "terms" object');
  const provenance = value['provenance'] ?? {};
  if (!isObject(provenance)) throw new Error('"provenance" is not an object');
  const terms = value['terms'];
  for (const name of Object.keys(terms)) {
    if (!TERMS.some((term) => term.name === name)) throw new Error(`unknown term "${name}"`);
  }
  const filled: Record<string, unknown> = { ...terms };
  const missing: string[] = [];
  for (const { name, size } of TERMS) {
    const pairs = terms[name];
    if (pairs === undefined) {
      if (REQUIRED.has(name)) throw new Error(`term "${name}" is missing`);
      filled[name] = Array.from({ length: size }, () => [0, 0]);
      missing.push(name);
      continue;
    }
    if (!Array.isArray(pairs) || pairs.length !== size)
      throw new Error(`term "${name}" is not a list of ${size} pairs`);
    const wrong = pairs.findIndex((pair) => !isPair(pair));
    if (wrong >= 0) {
      const text = JSON.stringify(pairs[wrong]);
      throw new Error(`term "${name}", entry ${wrong}: ${text} is not a pair of whole numbers within ±${WEIGHT_LIMIT}`);
    }
  }
  return {
    provenance: missing.length === 0 ? provenance : { ...provenance, missing },
    terms: filled as Record<string, Pair[]>,
  };
}

/** Returns the weight set of a file's text, with or without a byte-order mark; throws an Error that describes the first fault. */
export function parseWeightSet(text: string): WeightSet {
  const plain = text.replace(/^\uFEFF/, '');
  const value = parseJson(plain);
  const set = checkWeightSet(value);
  const names = TERMS.map(({ name }) => name);
  const twice = repeatedTerm(plain, value, names);
  if (twice !== undefined) throw new Error(`the term "${twice}" occurs twice`);
  return set;
}

/** Returns a term that occurs twice in the JSON text of a value; JSON.parse keeps only the last one. */
export function repeatedTerm(text: string, value: unknown, names: readonly string[]): string | undefined {
  const kept = JSON.stringify(value);
  return names.find((name) => occurrences(text, name) > occurrences(kept, name));
}

// Counted in both texts, because the provenance may contain a list of the same name
const occurrences = (json: string, name: string): number => json.split(new RegExp(`"${name}"\\s*:\\s*\\[`)).length;

// The messages of JSON.parse quote the text, which may come from any file on the machine
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('not valid JSON');
  }
}

/** Returns a warning that names the first weight of unusual size and counts the others, or null. */
export function unusualWeight(set: WeightSet): string | null {
  const unusual = TERMS.flatMap(({ name }) =>
    set.terms[name].flatMap((pair, i) => {
      const usual = name === 'material' ? USUAL_PIECES[i] : USUAL;
      return pair.some((value) => Math.abs(value) > usual) ? [{ name, i, pair, usual }] : [];
    }),
  );
  if (unusual.length === 0) return null;
  const [{ name, i, pair, usual }] = unusual;
  const others = unusual.length > 1 ? `, and ${unusual.length - 1} more` : '';
  return `unusual weight: term "${name}", entry ${i}: ${JSON.stringify(pair)} is beyond ±${usual}${others}`;
}

/** Returns whether an optional term is zero in the set, as in sets older than the term. */
export function weighsNothing(set: WeightSet, term: string): boolean {
  return !REQUIRED.has(term) && (set.terms[term] ?? []).every(([mg, eg]) => mg === 0 && eg === 0);
}

/** Returns the values of a weight set by weight index. */
export function weightVectors(set: WeightSet): { mg: Int32Array; eg: Int32Array } {
  const mg = new Int32Array(WEIGHT_COUNT);
  const eg = new Int32Array(WEIGHT_COUNT);
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
