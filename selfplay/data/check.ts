// `npm run data -- check`: reports the contents and the format of files of games and positions, and how much of them the tuner would use.

import { readFileSync } from 'node:fs';
import { addCount, UserError } from '../common/errors.js';
import { isFolder } from '../common/files.js';
import { polyglotOpenings } from '../games/polyglot.js';
import { type ColumnSettings, parseColumns } from '../positions/table.js';
import { kindOfFile } from '../records/file-kind.js';
import { dataFiles, NO_CHECKSUM, shardsOf } from '../records/game-reader.js';
import { RecordError, replay, UNSCORED } from '../records/record.js';
import { readShard } from '../records/shard.js';
import { checkGames, results } from './check-games.js';
import { checkPositions } from './check-positions.js';
import { addFault, addResult, type CheckedFile, Examples, emptyCheck } from './checked-file.js';
import { format, listed } from './options.js';

/** Checks a file, or the folder of a self-play run; an unreadable file yields a report with that fault. Uses the reader's board. */
export async function checkFile(file: string, columns?: ColumnSettings): Promise<CheckedFile> {
  const check = emptyCheck(file);
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

/** Returns the files to check, or the report of a folder whose files are missing or damaged. */
function filesBelow(path: string): readonly (string | CheckedFile)[] {
  try {
    return dataFiles(path);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const check = emptyCheck(path);
    addFault(check, error.message);
    return [check];
  }
}

/** A warning is printed if the share of one result is at least this. */
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

// Checks binary files: games in viriformat, whose moves must be legal, and Polyglot books.

const ENTRY = 16;

/** Fills in the report of a shard, or of a folder's shards. Uses the reader's board. */
function checkShards(check: CheckedFile, files: readonly string[], safeguard: string): void {
  check.kind = 'viriformat';
  check.format = ['viriformat', ...(files.length > 1 ? [`${format(files.length)} files`] : []), safeguard];
  const sample = new Examples();
  const scored = files.reduce((sum, file) => sum + checkShard(check, file, sample), 0);
  if (check.games === 0 && check.faultCount === 0) addFault(check, `${check.file}: no games`);
  check.sample = sample.take();
  check.facts = [
    ['games', `${format(check.games)}: ${format(check.used)} used (${format(check.plies)} plies)`],
    ['results', results(check)],
    ['scores', scored > 0 ? `in ${format(scored)} games` : 'none'],
  ];
}

/** Adds a shard to the report; returns the number of its games with scores. */
function checkShard(check: CheckedFile, file: string, sample: Examples): number {
  let games = 0;
  let scored = 0;
  const attempt = (run: () => void): void => {
    try {
      run();
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      addFault(check, `${file}:${Math.max(1, games)}: ${error.message}`);
    }
  };
  attempt(() => {
    for (const game of readShard(file)) {
      const index = games++;
      const number = ++check.games;
      attempt(() => {
        replay(game, () => {}, { checked: true, index });
        check.plies += game.moves.length;
        check.positions += game.moves.length;
        check.used++;
        addResult(check, game.result / 2);
      });
      if (game.scores.some((score) => score !== UNSCORED)) scored++;
      sample.offer(() => `game ${number}: ${game.moves.length} plies, ${['0-1', '1/2-1/2', '1-0'][game.result]}`);
    }
  });
  return scored;
}

/** Fills in the report of a Polyglot book. */
function checkPolyglot(check: CheckedFile): void {
  check.kind = 'book';
  check.format = ['Polyglot book'];
  polyglotOpenings(check.file, 1, 1);
  const bytes = readFileSync(check.file);
  const keys = new Set<bigint>();
  for (let at = 0; at < bytes.length; at += ENTRY) {
    keys.add(bytes.readBigUInt64BE(at));
    if (bytes.readUInt16BE(at + 10) > 0) check.used++;
    else addCount(check.excluded, 'moves of weight 0');
  }
  check.positions = keys.size;
  check.facts = [
    ['entries', `${format(bytes.length / ENTRY)} moves of ${format(keys.size)} positions`],
    ['excluded', listed(check.excluded)],
  ];
}
