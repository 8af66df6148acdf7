// The command `npm run data -- convert`.

import { command } from '../common/command-line.js';
import { UserError } from '../common/errors.js';
import { writeSummary } from '../common/files.js';
import { choice, type SettingsOf, text } from '../common/options.js';
import { claimOutputs } from '../common/outputs.js';
import { convert } from './convert.js';
import { GAME_FORMATS, POSITION_FORMATS } from './formats.js';
import { DATA_OPTIONS, filesOf, format, listed, row } from './options.js';

const FORMATS = { ...GAME_FORMATS, ...POSITION_FORMATS };

const OPTIONS = {
  ...DATA_OPTIONS,
  out: text({ required: true, help: 'file to write' }),
  to: choice(Object.keys(FORMATS), { defaultText: "from the file's extension", help: 'format to write' }),
};

export const convertCommand = command(
  'convert [files..]',
  'convert games to games or positions, and positions to positions',
  OPTIONS,
  convertFiles,
);

async function convertFiles(settings: SettingsOf<typeof OPTIONS>): Promise<void> {
  const { out, columns, json, force } = settings;
  const files = filesOf(settings);
  const to = settings.to ?? formatOf(out);
  claimOutputs({ force, files: { out, json } });
  const { report, games, positions } = await convert({ files, out, to, columns });
  const { excluded, formats, repairs, problems } = report;
  const rows: [name: string, text: string][] = [
    ['wrote', `${out}: ${games > 0 ? `${format(games)} games, ` : ''}${format(positions)} positions as ${to}`],
    ['read', listed(formats)],
    ['excluded', listed(excluded)],
    ['repaired', listed(repairs)],
    ['faults', problems.count > 0 ? `${format(problems.count)}, for example ${problems.messages[0]}` : ''],
  ];
  for (const [name, what] of rows) if (what !== '') process.stdout.write(`${row(name, what)}\n`);
  writeSummary(json, { out, to, games, positions, excluded, repaired: repairs, faults: problems.messages });
}

function formatOf(file: string): string {
  const found = Object.entries(FORMATS).find(([, { endings }]) =>
    endings.some((ending) => file.toLowerCase().endsWith(ending)),
  );
  if (found !== undefined) return found[0];
  throw new UserError(
    `--out: the ending of ${file} names no format; choose one with --to ${Object.keys(FORMATS).join(', ')}`,
    2,
  );
}
