// `npm run data -- check`: reports contents and format of game, position and book files, and the amount of data that the tuner or a match
// would use.

import { readFileSync } from 'node:fs';
import { UserError } from '../common/errors.js';
import { isFolder } from '../common/files.js';
import { resultTextOf } from '../common/game-result.js';
import { SeenItems } from '../common/seen.js';
import { addCount, thousands } from '../common/wording.js';
import { polyglotOpenings } from '../games/polyglot.js';
import { type ColumnSettings, parseColumns } from '../positions/columns.js';
import { GAME_KINDS, kindOfFile, POLYGLOT_ENTRY } from '../records/file-kind.js';
import { newReadReport, type SourcedGame } from '../records/game-kind.js';
import { dataFiles, shardsOf } from '../records/game-reader.js';
import { RecordError, replay, UNSCORED } from '../records/record.js';
import { checkGames, duplicateGames, results } from './check-games.js';
import { checkPositions } from './check-positions.js';
import { CheckedFile, Examples } from './checked-file.js';
import { listed } from './options.js';

/**
 * Checks a file, or the folder of a self-play run. For an unreadable file, the report contains the fault. Overwrites the engine's position.
 */
export async function checkFile(file: string, columns?: ColumnSettings): Promise<CheckedFile> {
  const check = new CheckedFile(file);
  try {
    const kind = isFolder(file) ? 'run' : await kindOfFile(file);
    if (kind === 'run') await checkRecords(check, 'viriformat', shardsOf(file));
    else if (kind === 'pgn') await checkGames(check);
    else if (kind === 'positions') await checkPositions(check, columns);
    else if (kind === 'polyglot') checkPolyglot(check);
    else await checkRecords(check, kind, [file]);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    check.addFault(error.message);
  }
  warnOfOneSide(check);
  return check;
}

/** Checks the files, and the data files in the folders; `columns` applies to label files. */
export async function* checkFiles(paths: readonly string[], columns?: string): AsyncGenerator<CheckedFile> {
  const settings = columns === undefined ? undefined : parseColumns(columns);
  for (const path of paths) {
    for (const file of filesBelow(path)) yield typeof file === 'string' ? await checkFile(file, settings) : file;
  }
}

/** Returns the files to check, or the report on a folder whose files are missing or damaged. */
function filesBelow(path: string): readonly (string | CheckedFile)[] {
  try {
    return dataFiles(path);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const check = new CheckedFile(path);
    check.addFault(error.message);
    return [check];
  }
}

/** Share of one result above which a warning is printed. */
const ONE_SIDED = 0.95;

function warnOfOneSide(check: CheckedFile): void {
  const counts = Object.entries(check.results);
  const sum = counts.reduce((total, [, count]) => total + count, 0);
  for (const [name, count] of counts) {
    if (count <= ONE_SIDED * sum) continue;
    const what = { white: 'won by White', draw: 'drawn', black: 'won by Black' }[name];
    check.warnings.push(`one-sided: ${((100 * count) / sum).toFixed(1)} % are ${what}; a fit needs a mix of results`);
  }
}

// Checks game files other than PGN, whose moves must be legal, and Polyglot books.

/** Fills in the report on a file, or on a folder's shards. Overwrites the engine's position. */
async function checkRecords(
  check: CheckedFile,
  kind: keyof typeof GAME_KINDS,
  files: readonly string[],
): Promise<void> {
  check.kind = kind;
  const report = newReadReport();
  const sample = new Examples();
  const seen = new SeenItems();
  let scored = 0;
  let duplicates = 0;
  for (const file of files) {
    let games = 0;
    try {
      for await (const record of GAME_KINDS[kind].read(file, report)) {
        games++;
        const number = ++check.games;
        checkMoves(check, record);
        if (seen.add(JSON.stringify(record.start), record.moves)) duplicates++;
        if (record.scores.some((score) => score !== UNSCORED)) scored++;
        sample.offer(() => `game ${number}: ${record.moves.length} plies, ${resultTextOf(record.result)}`);
      }
    } catch (error) {
      addRecordFault(check, file, games + 1, error);
    }
  }
  check.excluded = report.excluded;
  check.repaired = report.repairs;
  const safeguards = [...(files.length > 1 ? [`${thousands(files.length)} files`] : []), 'checksums in the manifest'];
  check.format = isFolder(check.file)
    ? [GAME_KINDS[kind].name, ...safeguards]
    : Object.keys(report.formats).flatMap((name) => name.split(', '));
  check.finish(report.problems, sample, 'games');
  check.facts = [
    ['games', `${thousands(check.games)}: ${thousands(check.used)} used (${thousands(check.plies)} plies)`],
    ['excluded', listed(check.excluded)],
    ['repaired', listed(check.repaired)],
    ['results', results(check)],
    ['scores', scored > 0 ? `in ${thousands(scored)} games` : 'none'],
    ['duplicates', duplicateGames(duplicates)],
  ];
}

/** Counts a game if all its moves are legal, and otherwise reports the fault. */
function checkMoves(check: CheckedFile, game: SourcedGame): void {
  try {
    replay(game, () => {}, game.index);
    check.plies += game.moves.length;
    check.positions += game.moves.length;
    check.used++;
    check.addResult(game.result / 2);
  } catch (error) {
    addRecordFault(check, game.file, game.index + 1, error);
  }
}

function addRecordFault(check: CheckedFile, file: string, game: number, error: unknown): void {
  if (!(error instanceof RecordError)) throw error;
  check.addFault(`${file}:${game}: ${error.message}`);
}

/** Fills in the report on a Polyglot book. */
function checkPolyglot(check: CheckedFile): void {
  check.kind = 'book';
  check.format = ['Polyglot book'];
  polyglotOpenings(check.file, 1, 1);
  const bytes = readFileSync(check.file);
  const keys = new Set<bigint>();
  for (let at = 0; at < bytes.length; at += POLYGLOT_ENTRY) {
    keys.add(bytes.readBigUInt64BE(at));
    if (bytes.readUInt16BE(at + 10) > 0) check.used++;
    else addCount(check.excluded, 'moves of weight 0');
  }
  check.positions = keys.size;
  check.facts = [
    ['entries', `${thousands(bytes.length / POLYGLOT_ENTRY)} moves in ${thousands(keys.size)} positions`],
    ['excluded', listed(check.excluded)],
  ];
}
