// meanCommand, `tune mean`: the weighted mean of weight sets. Fits to independent labels have independent errors, and the evaluation is
// nearly linear in its weights, so the mean evaluates better than its parts (Breiman, "Bagging predictors", 1996).

import { basename } from 'node:path';
import { checkWeightSet } from '../../engine/eval/weight-set.js';
import { command } from '../../selfplay/common/command-line.js';
import { attempt, UserError } from '../../selfplay/common/errors.js';
import { list, parsed, type SettingsOf, text } from '../../selfplay/common/options.js';
import { claimOutputs, FORCE_OPTION } from '../../selfplay/common/outputs.js';
import { programVersion } from '../../selfplay/common/program.js';
import { loadWeights, WEIGHTS_HELP, weightsHash } from '../../selfplay/common/weights.js';
import { HEFT } from '../model/heft.js';
import { fromVector, toVector, writeWeights } from '../weights/weights-file.js';

const OPTIONS = {
  weights: list(`two or more sets: ${WEIGHTS_HELP}`, { required: true }),
  factors: parsed('factor of each set, separated by commas, such as 0.5,0.4', factorsOf, {
    defaultText: 'equal shares',
  }),
  out: text('weights file to write', { required: true, isPath: true }),
  ...FORCE_OPTION,
};

export const meanCommand = command('mean', 'write the weighted mean of weight sets', OPTIONS, mean);

function mean({ weights: names, factors, out, force }: SettingsOf<typeof OPTIONS>): void {
  if (names.length < 2) throw new UserError('--weights takes two or more sets', 2);
  const given = factors ?? names.map(() => 1 / names.length);
  if (given.length !== names.length)
    throw new UserError(`--factors gives ${given.length} factors for ${names.length} sets of weights`, 2);
  const sets = names.map(loadWeights);
  claimOutputs({ force, files: { out } });
  const parts = sets.map((set, i) => ({ name: basename(names[i]), weights: weightsHash(set), factor: given[i] }));
  const vectors = sets.map((set) => toVector(HEFT, set));
  // Adding 0 turns -0 into 0
  const means = vectors[0].map(
    (_, i) => Math.round(vectors.reduce((sum, vector, set) => sum + given[set] * vector[i], 0)) + 0,
  );
  const result = fromVector(HEFT, means, { generator: `heft tune ${programVersion()}`, mean: parts });
  attempt('--factors: the mean is not a valid set of weights', () => checkWeightSet(result));
  writeWeights(HEFT, out, result);
  console.log(`the mean of ${names.length} sets is in ${out}`);
}

function factorsOf(given: string): number[] {
  const factors = given.split(',').map((factor) => (factor.trim() === '' ? Number.NaN : Number(factor)));
  if (factors.every(Number.isFinite)) return factors;
  throw new UserError(`--factors takes numbers such as 0.5,0.4, not '${given}'`, 2);
}
