// recordShipped(): the ledgers of shipped values, JSON lists, oldest first, beside the weights and beside the search parameters. Each entry
// names the origin of new values (a loop, a fit or SPSA) and the match that confirmed them.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { UserError } from '../../selfplay/common/errors.js';
import { writeFileAtomic } from '../../selfplay/common/files.js';
import { projectFile } from '../../selfplay/common/paths.js';

/** Paths of the ledgers of the weights and of the search parameters. */
export const LEDGERS = { weights: 'engine/eval/ledger.json', params: 'engine/search/ledger.json' } as const;

/** How values came about. */
export type Origin = 'loop' | 'fit' | 'spsa';

/** Returns the number of games of self-play that the shipped weights were learnt from; 0 where no ledger tells. */
export function shippedGames(): number {
  const file = fileURLToPath(projectFile(LEDGERS.weights));
  if (!existsSync(file)) return 0;
  const entries: { generations?: { games: number }[]; fit?: { games: number }; games?: number }[] = JSON.parse(
    readFileSync(file, 'utf8'),
  );
  // A fit may be of some of the games only: then its entry says how many there were in all
  const counts = entries.map(
    ({ generations = [], fit, games }) =>
      games ?? fit?.games ?? generations.reduce((sum, generation) => sum + generation.games, 0),
  );
  return Math.max(0, ...counts);
}

/** Adds an entry to the end of a ledger; UserError if its file holds no list. */
export function recordShipped(ledger: keyof typeof LEDGERS, origin: Origin, entry: object): void {
  const file = fileURLToPath(projectFile(LEDGERS[ledger]));
  const entries: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  if (!Array.isArray(entries)) throw new UserError(`${file} is not a list of entries; restore it`);
  writeFileAtomic(file, `${JSON.stringify([...entries, { origin, ...entry }], null, 2)}\n`);
}
