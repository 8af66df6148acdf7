// givenWeights(): weights for another engine's terms: the header's weights, material only, zeros, or the weights file of an earlier fit.

import { existsSync, readFileSync } from 'node:fs';
import { type Pair, repeatedTerm, type WeightSet } from '../../engine/eval/weight-set.js';
import { UserError } from '../../selfplay/common/errors.js';
import { isMaterial, type Model, type Term } from '../model/model.js';
import type { GivenModel } from './header.js';

export const USUAL_START = 'given';

/** Names of the weights of another engine, for help texts. */
export const GIVEN_WEIGHTS_HELP = 'given, material, zero or a weights file';

/** Returns the weights with that name, or reads them from the file. Throws a UserError if they do not fit the terms. */
export function givenWeights({ model, given }: GivenModel, nameOrFile: string): WeightSet {
  const { engine, terms } = model;
  const provenance = { engine, weights: nameOrFile };
  const set = (isKept: (term: Term) => boolean): WeightSet => ({
    provenance,
    terms: Object.fromEntries(
      terms.map((term) => [term.name, given[term.name].map((pair): Pair => (isKept(term) ? pair : [0, 0]))]),
    ),
  });
  if (nameOrFile === 'given') return set(() => true);
  if (nameOrFile === 'zero') return set(() => false);
  if (nameOrFile !== 'material') return readFile(model, nameOrFile);
  if (!terms.some(isMaterial))
    throw new UserError(
      'material: no term of the header is called material or has the family material; declare one, or start from zero',
    );
  return set(isMaterial);
}

function readFile({ terms, limit }: Pick<Model, 'terms' | 'limit'>, file: string): WeightSet {
  const fail = (problem: string): never => {
    throw new UserError(`${file} is not a weights file of this engine: ${problem}`);
  };
  if (!existsSync(file)) throw new UserError(`no such weights: ${file}; the choices are ${GIVEN_WEIGHTS_HELP}`);
  const text = readFileSync(file, 'utf8');
  let value: { provenance?: Record<string, unknown>; terms?: Record<string, unknown> };
  try {
    // Editors may add a byte-order mark
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return fail((error as Error).message);
  }
  const found = value?.terms ?? fail('no "terms" object');
  const unknown = Object.keys(found).find((name) => terms.every((term) => term.name !== name));
  if (unknown !== undefined) fail(`the header has no term "${unknown}"`);
  const names = terms.map(({ name }) => name);
  const twice = repeatedTerm(text, value, names);
  if (twice !== undefined) fail(`the term "${twice}" occurs twice`);
  const read = terms.map(({ name, size, isUntapered }): [string, Pair[]] => {
    const values = found[name];
    if (!Array.isArray(values) || values.length !== size) return fail(`term "${name}" is not a list of ${size} values`);
    const pairs = values.map((entry): unknown => (typeof entry === 'number' ? [entry, entry] : entry));
    if (!pairs.every(isPair)) return fail(`term "${name}" has values that are not numbers or pairs of numbers`);
    if ((pairs as Pair[]).flat().some((entry) => Math.abs(entry) > limit))
      return fail(`term "${name}" has values beyond ±${limit}`);
    if (isUntapered === true && (pairs as Pair[]).some(([mg, eg]) => mg !== eg))
      return fail(`term "${name}" has different values for the phases, but the header declares it as untapered`);
    return [name, pairs as Pair[]];
  });
  return { provenance: value.provenance ?? {}, terms: Object.fromEntries(read) };
}

const isPair = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && value.every((entry) => Number.isFinite(entry));
