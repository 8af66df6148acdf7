// frozenTerms(): which terms may move, by the names that `--freeze` and `--only` take: a term such as `psqt`, or one of its rows such as
// `psqt[0]`.

import { UserError } from '../../selfplay/common/errors.js';
import type { Model } from '../model/model.js';

/** Returns with 1 the terms that keep their start values; a name that is none throws a UserError that names the option. */
export function frozenTerms(
  model: Model,
  { freeze, only }: { freeze: readonly string[]; only: readonly string[] },
): Uint8Array {
  const frozen = new Uint8Array(model.size).fill(only.length > 0 ? 1 : 0);
  for (const name of only) mark(model, frozen, 'only', name, 0);
  for (const name of freeze) mark(model, frozen, 'freeze', name, 1);
  if (frozen.every((flag) => flag === 1)) throw new UserError('--freeze and --only leave no term to fit', 2);
  return frozen;
}

function mark({ terms }: Model, flags: Uint8Array, option: string, name: string, flag: number): void {
  const [, base, row] = /^(\w+)(?:\[(\d+)\])?$/.exec(name) ?? [];
  const term = terms.find((candidate) => candidate.name === base);
  if (term === undefined) {
    throw new UserError(`--${option} ${name}: no such term; there are ${terms.map((t) => t.name).join(', ')}`, 2);
  }
  const width = row === undefined ? term.size : term.size / (term.shape[0] ?? 1);
  const from = term.offset + width * Number(row ?? 0);
  if (from + width > term.offset + term.size) throw new UserError(`--${option} ${name}: the term has no such row`, 2);
  flags.fill(flag, from, from + width);
}
