// `npm run data`: checks and converts files of games and positions, and runs suites of test positions.

import '../../engine/kernel-node.js';
import { statSync } from 'node:fs';
import { hideBin } from 'yargs/helpers';
import { command, commandLine, joinWords, runCommand } from '../common/command-line.js';
import { UserError } from '../common/errors.js';
import { writeSummary } from '../common/files.js';
import { choice, flag, type SettingsOf, text } from '../common/options.js';
import { claimOutputs } from '../common/outputs.js';
import { interruptSignal } from '../common/program.js';
import { printable, thousands } from '../common/wording.js';
import { distinctFiles, printSkipped, withShards } from '../records/game-reader.js';
import { checkFiles } from './check.js';
import type { CheckedFile } from './checked-file.js';
import { convert } from './convert.js';
import { GAME_FORMATS, POSITION_FORMATS } from './formats.js';
import { DATA_OPTIONS, factRows, filesOf, listed, row } from './options.js';
import { SUITE_OPTIONS, suiteCommand } from './suite/command.js';

const CHECK_OPTIONS = { ...DATA_OPTIONS, strict: flag('stop at the first file with a fault') };

async function check(settings: SettingsOf<typeof CHECK_OPTIONS>): Promise<void> {
  const { columns, strict, json, force } = settings;
  const files = filesOf(settings);
  claimOutputs({ force, files: { json }, inputs: files });
  printSkipped(files);
  const checked: CheckedFile[] = [];
  for await (const one of checkFiles(files, columns)) {
    checked.push(one);
    if (strict && one.faultCount > 0) {
      const { line, text: what } = one.faults[0];
      throw new UserError(line > 0 ? `${one.file}:${line}: ${what}` : what);
    }
    process.stdout.write(`${reportOf(one)}\n`);
  }
  writeSummary(json, checked.map(summaryOf));
  if (checked.some(({ faultCount }) => faultCount > 0)) process.exitCode = 1;
}

const SHOWN_FAULTS = 10;

function reportOf(check: CheckedFile): string {
  const { file, faults, faultCount, facts, warnings, sample } = check;
  const lines = factRows(facts);
  for (const warning of warnings) lines.push(row('warning', warning));
  for (const [i, { line, text: what }] of faults.slice(0, SHOWN_FAULTS).entries()) {
    lines.push(row(i === 0 ? 'faults' : '', `${line > 0 ? `${line}: ` : ''}${printable(what)}`));
  }
  if (faultCount > SHOWN_FAULTS) lines.push(row('', `… ${thousands(faultCount)} in all`));
  for (const [i, one] of sample.entries()) lines.push(row(i === 0 ? 'sample' : '', printable(one)));
  return [`${file}   ${check.format.join(', ')}`, ...lines.map((line) => `  ${line}`)].join('\n');
}

const summaryOf = ({ facts: _, ...check }: CheckedFile): object => check;

const FORMATS = { ...GAME_FORMATS, ...POSITION_FORMATS };

const CONVERT_HELP =
  'convert files to another format, or games to positions; variations, comments other than scores, and the leaves of labels are dropped';
const CONVERT_OPTIONS = {
  ...DATA_OPTIONS,
  out: text('file to write', { required: true }),
  to: choice('format to write', Object.keys(FORMATS), { defaultText: "from the file's extension" }),
};

async function convertFiles(settings: SettingsOf<typeof CONVERT_OPTIONS>): Promise<void> {
  const { out, columns, json, force } = settings;
  const paths = filesOf(settings);
  const files = distinctFiles(paths);
  claimOutputs({ force, files: { out, json }, inputs: withShards(files) });
  const to = settings.to ?? formatOf(out);
  printSkipped(paths);
  // Ctrl-C must remove the temporary file
  interruptSignal();
  const { report, games, positions, unscored } = await convert({ files, out, to, columns });
  const { excluded, formats, repairs, problems } = report;
  const rows = factRows([
    ['wrote', `${out}: ${games > 0 ? `${thousands(games)} games, ` : ''}${thousands(positions)} positions as ${to}`],
    [
      'unscored',
      unscored > 0 ? `${thousands(unscored)} positions without a score, written as ${FORMATS[to].unknownScore}` : '',
    ],
    ['read', listed(formats)],
    ['excluded', listed(excluded)],
    ['repaired', listed(repairs)],
    ['faults', problems.count > 0 ? `${thousands(problems.count)}, for example ${problems.messages[0]}` : ''],
  ]);
  // With --out /dev/stdout, the data go to standard output
  const output = statSync(out).isFile() && !out.startsWith('/dev/') ? process.stdout : process.stderr;
  output.write(`${rows.join('\n')}\n`);
  writeSummary(json, { out, to, games, positions, unscored, excluded, repaired: repairs, faults: problems.messages });
}

function formatOf(file: string): string {
  const found = Object.entries(FORMATS).find(([, { endings }]) =>
    endings.some((ending) => file.toLowerCase().endsWith(ending)),
  );
  if (found !== undefined) return found[0];
  throw new UserError(
    `--out: unknown file extension: ${file}; choose a format with --to ${Object.keys(FORMATS).join(', ')}`,
    2,
  );
}

await runCommand(async () => {
  await commandLine('data', 'check FILE… | convert FILE… --out FILE | suite FILE.epd')
    .command(command('check [files..]', 'report the contents of game, position and book files', CHECK_OPTIONS, check))
    .command(command('convert [files..]', CONVERT_HELP, CONVERT_OPTIONS, convertFiles))
    .command(suiteCommand)
    .demandCommand(1, 'data: a command is missing; use check, convert or suite')
    .parseAsync(joinWords(hideBin(process.argv), SUITE_OPTIONS));
});
