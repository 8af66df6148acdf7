// Numbers, lists and formats as the reports print them.

import { printable } from '../common/errors.js';

/** Returns a count with separated thousands. */
export const format = (count: number): string => count.toLocaleString('en-US');

/** Kinds that are shown one by one. */
const SHOWN = 12;

/** Returns counts as `40 of this, 3 of that`, the largest first; empty for none. */
export function listed(counts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counts).sort(([, a], [, b]) => b - a);
  const shown = entries.slice(0, SHOWN).map(([kind, count]) => `${format(count)} ${printable(kind)}`);
  return [...shown, ...(entries.length > SHOWN ? [`${entries.length - SHOWN} other kinds`] : [])].join(', ');
}
