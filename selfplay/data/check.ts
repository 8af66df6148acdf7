// `npm run data -- check`: contents of game and position files, their format, and the part that the tuner would use.

import { statSync } from 'node:fs';
import { UserError } from '../common/errors.js';
import { type ColumnSettings, parseColumns } from '../positions/table.js';
import { kindOfFile } from '../records/file-kind.js';
import { dataFiles, NO_CHECKSUM, shardsOf } from '../records/reader.js';
import { checkGames } from './check-games.js';
import { checkPositions } from './check-positions.js';
import { checkPolyglot, checkShards } from './check-records.js';
import { addFault, type CheckedFile, emptyCheck } from './checked-file.js';

/** Checks a file, or the folder of a self-play run; an unreadable file yields a report with that fault. Uses the reader's board. */
export async function checkFile(file: string, columns?: ColumnSettings): Promise<CheckedFile> {
  const check = emptyCheck(file, 'labels');
  try {
    if (isFolder(file)) checkShards(check, shardsOf(file), 'checksums of the manifest');
    else await checkByKind(check, columns);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    addFault(check, error.message);
  }
  warnOfOneSide(check);
  return check;
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

async function checkByKind(check: CheckedFile, columns?: ColumnSettings): Promise<void> {
  const kind = await kindOfFile(check.file);
  if (kind === 'pgn') await checkGames(check);
  else if (kind === 'positions') await checkPositions(check, columns);
  else if (kind === 'polyglot') checkPolyglot(check);
  else checkShards(check, [check.file], NO_CHECKSUM);
}

/** Checks the files, and those of the folders; `--columns` applies to label files. */
export async function* checkFiles(paths: readonly string[], columns?: string): AsyncGenerator<CheckedFile> {
  const settings = columns === undefined ? undefined : parseColumns(columns);
  for (const path of paths) {
    for (const file of filesBelow(path)) yield typeof file === 'string' ? await checkFile(file, settings) : file;
  }
}

/** Returns the files to check, or the report of a folder that has none, or damaged ones. */
function filesBelow(path: string): readonly (string | CheckedFile)[] {
  try {
    return dataFiles(path);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const check = emptyCheck(path, 'labels');
    addFault(check, error.message);
    return [check];
  }
}

/** Share of one result from which a warning is printed. */
const ONE_SIDED = 0.95;

function warnOfOneSide(check: CheckedFile): void {
  const counts = Object.entries(check.results);
  const sum = counts.reduce((total, [, count]) => total + count, 0);
  for (const [name, count] of counts) {
    if (count <= ONE_SIDED * sum) continue;
    const what = { white: 'won by White', draw: 'drawn', black: 'won by Black' }[name];
    check.warnings.push(`one-sided: ${((100 * count) / sum).toFixed(1)} % are ${what}; a fit needs different results`);
  }
}
