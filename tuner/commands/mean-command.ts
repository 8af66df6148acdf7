// meanCommand: `tune mean`, which writes a weighted sum of weight sets, by default their mean.

import { basename } from 'node:path';
import { command } from '../../selfplay/common/command-line.js';
import { attempt, UserError } from '../../selfplay/common/errors.js';
import { list, parsed, type SettingsOf, text } from '../../selfplay/common/options.js';
import { claimOutputs, FORCE_OPTION } from '../../selfplay/common/outputs.js';
import { loadWeights, WEIGHTS_HELP } from '../../selfplay/common/weights.js';
import { HEFT } from '../model/heft.js';
import { type MeanPart, meanWeights } from '../weights/mean.js';
import { writeWeights } from '../weights/weights-file.js';

const OPTIONS = {
  weights: list(`two or more sets: ${WEIGHTS_HELP}`, { required: true }),
  factors: parsed('factors for the sets, separated by commas, such as 0.5,0.4', factorsOf, {
    defaultText: 'equal shares',
  }),
  out: text('weights file to write', { required: true, isPath: true }),
  ...FORCE_OPTION,
};

export const meanCommand = command(
  'mean',
  'write the weighted sum of weight sets, by default their mean',
  OPTIONS,
  mean,
);

function mean({ weights: names, factors, out, force }: SettingsOf<typeof OPTIONS>): void {
  if (names.length < 2) throw new UserError('--weights takes two or more sets', 2);
  if (factors !== undefined && factors.length !== names.length)
    throw new UserError(`--factors gives ${factors.length} factors for ${names.length} sets of weights`, 2);
  const sets = names.map(loadWeights);
  claimOutputs({ force, files: { out } });
  const parts = sets.map((weights, i) => ({ name: basename(names[i]), weights }));
  const result = attempt('--factors: the weighted sum is not a valid set of weights', () =>
    meanWeights(parts, factors),
  );
  writeWeights(HEFT, out, result);
  for (const line of missingTerms(parts)) process.stderr.write(`${line}\n`);
  console.log(`${factors === undefined ? 'the mean' : 'the weighted sum'} of ${names.length} sets is in ${out}`);
}

/** Returns a warning for each set that lacks terms of another one. */
function missingTerms(parts: readonly MeanPart[]): string[] {
  const missingIn = ({ weights }: MeanPart): unknown[] => {
    const { missing } = weights.provenance;
    return Array.isArray(missing) ? missing : [];
  };
  return parts.flatMap((part) => {
    const terms = missingIn(part).filter((term) => parts.some((other) => !missingIn(other).includes(term)));
    if (terms.length === 0) return [];
    const others = terms.length > 1 ? ` and ${terms.length - 1} more` : '';
    return [`warning: ${part.name} lacks ${terms[0]}${others}, counted as zero in the mean`];
  });
}

function factorsOf(given: string): number[] {
  const factors = given.split(',').map((factor) => (factor.trim() === '' ? Number.NaN : Number(factor)));
  if (factors.every(Number.isFinite)) return factors;
  throw new UserError(`--factors takes numbers such as 0.5,0.4, not '${given}'`, 2);
}
