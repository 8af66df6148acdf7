// Weight sets by name or file, as every command accepts them: `shipped` (compiled in), `material` and `zero` (starting points for
// learning), or a path.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TERMS } from '../../engine/eval/terms.js';
import {
  checkWeightSet,
  parseWeightSet,
  unusualWeight,
  type WeightSet,
  weighsNothing,
} from '../../engine/eval/weight-set.js';
import { WEIGHTS } from '../../engine/eval/weights.js';
import { attempt, causeOf, UserError } from './errors.js';
import { projectFile } from './program.js';
import { sha256 } from './run-files.js';

/** Files of the named weight sets. */
const NAMED_FILES: ReadonlyMap<string, string> = new Map(
  ['material', 'zero'].map((name) => [name, fileURLToPath(projectFile(`engine/eval/${name}.json`))]),
);

/** The names of the weight sets. */
const NAMES = ['shipped', ...NAMED_FILES.keys()].join(', ');

/** `--help` text for the values of a weights option. */
export const WEIGHTS_HELP = `${NAMES} or a weights file`;

/** Returns the path of a weights file, given by name or path. `shipped` has no file. */
export const weightsFile = (nameOrFile: string): string => NAMED_FILES.get(nameOrFile) ?? resolve(nameOrFile);

/** Returns the weights with that name, or reads them from the file. */
export function loadWeights(nameOrFile: string): WeightSet {
  if (nameOrFile === 'shipped') return checkWeightSet(WEIGHTS);
  return readWeights(NAMED_FILES.get(nameOrFile) ?? nameOrFile);
}

/** Files that have been read, so their warnings are not printed again. */
const warned = new Set<string>();

/** Returns a warning if the checksum in the file does not match its values, otherwise null. */
function changedWeights(text: string, weights: WeightSet): string | null {
  const stated = /"sha256": "([0-9a-f]{64})",\s*"terms"/.exec(text)?.[1];
  return stated === undefined || stated === weightsHash(weights)
    ? null
    : 'the values have been changed since the file was written';
}

/**
 * Reads a weights file; throws a UserError that names the file and, if possible, the term. Warnings about unusual or changed weights are
 * printed once per file on stderr.
 */
export function readWeights(file: string): WeightSet {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UserError(`cannot read weights ${file}: ${causeOf(error)} (named weights: ${NAMES})`);
  }
  const weights = attempt(`${file} is not a weights file`, () => parseWeightSet(text));
  const warnings = warned.has(file) ? [] : [unusualWeight(weights), changedWeights(text, weights)];
  for (const warning of warnings) if (warning !== null) process.stderr.write(`warning: ${file}: ${warning}\n`);
  warned.add(file);
  return weights;
}

/**
 * Returns the sha256 (hex) of the values, without the provenance. `terms` are Heft's by default. Terms whose weights are all zero are left
 * out, so a new term does not change the hash.
 */
export function weightsHash(weights: WeightSet, terms: readonly { name: string }[] = TERMS): string {
  const weighing = terms.filter(({ name }) => !weighsNothing(weights, name));
  const canonical = weighing.map((term) => [term.name, weights.terms[term.name]]);
  return sha256(JSON.stringify(canonical));
}
