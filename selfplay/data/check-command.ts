// The command `npm run data -- check`: a report of each file on the terminal, and all of them as JSON.

import { command } from '../common/command-line.js';
import { printable, UserError } from '../common/errors.js';
import { writeFileAtomic } from '../common/files.js';
import { flag, type SettingsOf } from '../common/options.js';
import { claimOutputs } from '../common/outputs.js';
import { checkFiles } from './check.js';
import type { CheckedFile } from './checked-file.js';
import { DATA_OPTIONS, filesOf, format, row } from './options.js';

const OPTIONS = { ...DATA_OPTIONS, strict: flag({ help: 'stop at the first file with a fault' }) };

export const checkCommand = command(
  'check [files..]',
  'report what files of games, positions and books hold and how they are read',
  OPTIONS,
  check,
);

async function check(settings: SettingsOf<typeof OPTIONS>): Promise<void> {
  const { columns, strict, json, force } = settings;
  const files = filesOf(settings);
  claimOutputs({ force, files: { json } });
  const checked: CheckedFile[] = [];
  for await (const one of checkFiles(files, columns)) {
    checked.push(one);
    if (strict && one.faultCount > 0) {
      const { line, text: what } = one.faults[0];
      throw new UserError(line > 0 ? `${one.file}:${line}: ${what}` : what);
    }
    process.stdout.write(`${reportOf(one)}\n`);
  }
  if (json !== undefined) writeFileAtomic(json, `${JSON.stringify(checked.map(summaryOf), null, 2)}\n`);
  if (checked.some(({ faultCount }) => faultCount > 0)) process.exitCode = 1;
}

const SHOWN_FAULTS = 10;

/** Returns the report of a file as lines. */
export function reportOf(check: CheckedFile): string {
  const { file, faults, faultCount, facts, warnings, sample } = check;
  const lines = facts.filter(([, what]) => what !== '').map(([name, what]) => row(name, what));
  for (const warning of warnings) lines.push(row('warning', warning));
  for (const [i, { line, text: what }] of faults.slice(0, SHOWN_FAULTS).entries()) {
    lines.push(row(i === 0 ? 'faults' : '', `${line > 0 ? `${line}: ` : ''}${printable(what)}`));
  }
  if (faultCount > SHOWN_FAULTS) lines.push(row('', `… ${format(faultCount)} in all`));
  for (const [i, one] of sample.entries()) lines.push(row(i === 0 ? 'sample' : '', printable(one)));
  return [`${file}   ${check.format.join(', ')}`, ...lines.map((line) => `  ${line}`)].join('\n');
}

function summaryOf({ facts: _, ...check }: CheckedFile): object {
  return check;
}
