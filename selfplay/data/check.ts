// `npm run data -- check`: what files of games and positions hold, how they were read, and what the tuner would use of them.

import { UserError } from '../common/errors.js';
import { type ColumnSettings, parseColumns } from '../positions/table.js';
import { kindOfFile } from '../records/file-kind.js';
import { dataFiles } from '../records/record-reader.js';
import { checkGames } from './check-games.js';
import { checkPositions } from './check-positions.js';
import { checkRecords } from './check-records.js';
import { addFault, type CheckedFile, emptyCheck } from './checked-file.js';

/** Checks a file; one that cannot be read is a report with that fault. Uses the reader's board. */
export async function checkFile(file: string, columns?: ColumnSettings): Promise<CheckedFile> {
  const check = emptyCheck(file, 'labels');
  try {
    const kind = await kindOfFile(file);
    if (kind === 'pgn') await checkGames(check);
    else if (kind === 'positions') await checkPositions(check, columns);
    else checkRecords(check, kind);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    addFault(check, error.message);
  }
  warnOfOneSide(check);
  return check;
}

/** Checks the files, and those of the folders; `--columns` holds for the files of labels. */
export async function* checkFiles(paths: readonly string[], columns?: string): AsyncGenerator<CheckedFile> {
  const settings = columns === undefined ? undefined : parseColumns(columns);
  for (const file of paths.flatMap(dataFiles)) yield await checkFile(file, settings);
}

/** Share of one result that a warning begins at. */
const ONE_SIDED = 0.95;

function warnOfOneSide(check: CheckedFile): void {
  const counts = Object.entries(check.results);
  const sum = counts.reduce((total, [, count]) => total + count, 0);
  for (const [name, count] of counts) {
    if (count <= ONE_SIDED * sum) continue;
    const what = { white: 'won by White', draw: 'drawn', black: 'won by Black' }[name];
    check.warnings.push(
      `one-sided: ${((100 * count) / sum).toFixed(1)} % are ${what}; a fit learns nothing from one result`,
    );
  }
}
