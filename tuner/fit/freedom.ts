// Which terms may move, and from which epoch on, by the names that `--freeze`, `--only` and `--unfreeze` take: a term
// such as `psqt`, or one of its rows such as `psqt[0]`.

import { TERM_COUNT, TERMS } from '../../engine/eval/terms.js';
import { UserError } from '../../selfplay/common/errors.js';
import type { Stage } from './fit.js';

export interface Freedom {
  /** Terms that keep their start values throughout. */
  freeze: readonly string[];
  /** Terms that may move, if any are named. */
  only: readonly string[];
  /** `TERM@EPOCH`: terms that keep their start values until then. */
  unfreeze: readonly string[];
}

/** Returns the stages of the fit; a name that is none throws a UserError that names the option. */
export function stagesOf({ freeze, only, unfreeze }: Freedom): Stage[] {
  const always = new Uint8Array(TERM_COUNT).fill(only.length > 0 ? 1 : 0);
  for (const name of only) mark(always, 'only', name, 0);
  for (const name of freeze) mark(always, 'freeze', name, 1);
  if (always.every((flag) => flag === 1)) throw new UserError('--freeze and --only leave no term to fit', 2);

  const waits = unfreeze.map((text) => {
    const [, name, epoch] = /^(.+)@(\d+)$/.exec(text) ?? [];
    if (name === undefined) throw new UserError(`--unfreeze takes TERM@EPOCH, not ${text}`, 2);
    return { name, until: Number(epoch) };
  });
  const starts = [...new Set([0, ...waits.map(({ until }) => until)])].sort((a, b) => a - b);
  return starts.map((from) => {
    const frozen = always.slice();
    for (const { name, until } of waits) if (until > from) mark(frozen, 'unfreeze', name, 1);
    return { from, frozen };
  });
}

function mark(flags: Uint8Array, option: string, name: string, flag: number): void {
  const [, base, row] = /^(\w+)(?:\[(\d+)\])?$/.exec(name) ?? [];
  const term = TERMS.find((candidate) => candidate.name === base);
  if (term === undefined) {
    throw new UserError(`--${option} ${name}: no such term; there are ${TERMS.map((t) => t.name).join(', ')}`, 2);
  }
  const width = row === undefined ? term.size : term.size / (term.shape[0] ?? 1);
  const from = term.offset + width * Number(row ?? 0);
  if (from + width > term.offset + term.size) throw new UserError(`--${option} ${name}: the term has no such row`, 2);
  flags.fill(flag, from, from + width);
}
