// Weight sets by name or file, as every command takes them: `shipped` (compiled in), `material` (where learning starts), or a path.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { TERMS } from '../../engine/eval/terms.js';
import { checkWeightSet, type WeightSet, weighsNothing } from '../../engine/eval/weight-set.js';
import { WEIGHTS } from '../../engine/eval/weights.js';
import { UserError } from './errors.js';
import { projectFile } from './paths.js';

const NAMED: ReadonlyMap<string, () => WeightSet> = new Map([
  ['shipped', () => checkWeightSet(WEIGHTS)],
  ['material', () => readWeights(fileURLToPath(projectFile('engine/eval/material.json')))],
]);

/** Returns the weights called `shipped` or `material`, or those of a weight file. */
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

/** Returns the sha256 (hex) of the values, whatever the provenance; a new term that weighs nothing leaves it as it was. */
export function weightsHash(weights: WeightSet): string {
  const weighing = TERMS.filter(({ name }) => !weighsNothing(weights, name));
  const canonical = weighing.map((term) => [term.name, weights.terms[term.name]]);
  return createHash('sha256').update(JSON.stringify(canonical)).digest('hex');
}
