// Checks binary files: games in viriformat, whose moves must be legal, and Polyglot's books.

import { readFileSync } from 'node:fs';
import { UserError } from '../common/errors.js';
import { polyglotOpenings } from '../games/polyglot.js';
import { RecordError, replay, UNSCORED } from '../records/record.js';
import { readShard } from '../records/shard.js';
import { results } from './check-games.js';
import { addFault, type CheckedFile, countResult, Sample } from './checked-file.js';
import { format, listed } from './options.js';

const ENTRY = 16;

/** Fills in the report of a shard, or of a folder's shards. Uses the reader's board. */
export function checkShards(check: CheckedFile, files: readonly string[], safeguard: string): void {
  check.kind = 'viriformat';
  check.format = ['viriformat', ...(files.length > 1 ? [`${format(files.length)} files`] : []), safeguard];
  const sample = new Sample();
  const scored = files.reduce((sum, file) => sum + checkShard(check, file, sample), 0);
  check.sample = sample.take();
  check.facts = [
    ['games', `${format(check.games)}: ${format(check.used)} used (${format(check.plies)} plies)`],
    ['results', results(check)],
    ['scores', scored > 0 ? `in ${format(scored)} games` : 'none'],
  ];
}

/** Adds a shard to the report; returns the number of its games with scores. */
function checkShard(check: CheckedFile, file: string, sample: Sample): number {
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
        countResult(check, game.result / 2);
      });
      if (game.scores.some((score) => score !== UNSCORED)) scored++;
      sample.offer(() => `game ${number}: ${game.moves.length} plies, ${['0-1', '1/2-1/2', '1-0'][game.result]}`);
    }
  });
  return scored;
}

/** Fills in the report of a Polyglot book. */
export function checkPolyglot(check: CheckedFile): void {
  check.kind = 'book';
  check.format = ['Polyglot book'];
  polyglotOpenings(check.file, 1, 1);
  const bytes = readFileSync(check.file);
  if (bytes.length % ENTRY !== 0) throw new UserError(`${check.file}: its size is not a multiple of ${ENTRY} bytes`);
  const keys = new Set<bigint>();
  const excluded: Record<string, number> = {};
  for (let at = 0; at < bytes.length; at += ENTRY) {
    keys.add(bytes.readBigUInt64BE(at));
    if (bytes.readUInt16BE(at + 10) > 0) check.used++;
    else excluded['moves of weight 0'] = (excluded['moves of weight 0'] ?? 0) + 1;
  }
  check.excluded = excluded;
  check.positions = keys.size;
  check.facts = [
    ['entries', `${format(bytes.length / ENTRY)} moves of ${format(keys.size)} positions`],
    ['excluded', listed(excluded)],
  ];
}
