// Options shared by check, convert and suite, and the rows and lists of their reports.

import { UserError } from '../common/errors.js';
import { list, type SettingsOf, text } from '../common/options.js';
import { OUTPUT_OPTIONS } from '../common/outputs.js';
import { printable, thousands } from '../common/wording.js';

/** The files of a command, given as positional arguments, and its outputs. */
export const FILES_OPTIONS = { files: list('files or folders'), ...OUTPUT_OPTIONS };

/** The files of a command that reads games and labelled positions. */
export const DATA_OPTIONS = {
  ...FILES_OPTIONS,
  columns: text(
    'columns of labelled positions by number or name, such as fen=1,result=3,score=4; result=-1/0/1 fixes the scale, score=none ignores the scores, side=mover reads results and scores for the side to move',
    { defaultText: 'detected from the file' },
  ),
};

/** Returns the files; throws a UserError if there are none. */
export function filesOf({ files }: SettingsOf<typeof FILES_OPTIONS>): readonly string[] {
  if (files === undefined || files.length === 0) throw new UserError('name at least one file or folder', 2);
  return files.map(String);
}

/** Returns a line of a report, with the name in the first column. */
export const row = (name: string, text: string): string => `${name.padEnd(12)}${text}`;

/** Returns the lines of named facts, except empty ones. */
export const factRows = (facts: readonly (readonly [name: string, text: string])[]): string[] =>
  facts.filter(([, what]) => what !== '').map(([name, what]) => row(name, what));

/** Maximum number of kinds listed. */
const SHOWN = 12;

/** Returns counts as `40 unfinished, 3 abandoned`, the largest first; empty for none. */
export function listed(counts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counts).sort(([, a], [, b]) => b - a);
  const shown = entries.slice(0, SHOWN).map(([kind, count]) => `${thousands(count)} ${printable(kind)}`);
  return [...shown, ...(entries.length > SHOWN ? [`${entries.length - SHOWN} other kinds`] : [])].join(', ');
}
