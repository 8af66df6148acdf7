// Histories of what the engine ships: a JSON list, oldest first, beside the weights and beside the search parameters. Each entry
// says where new values came from (a loop, a fit or a tuning by play) and which match confirmed them.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { UserError } from '../../selfplay/common/errors.js';
import { writeFileAtomic } from '../../selfplay/common/files.js';
import { projectFile } from '../../selfplay/common/paths.js';

/** Paths of the histories of the weights and of the search parameters. */
export const HISTORIES = { weights: 'engine/eval/ledger.json', params: 'engine/search/ledger.json' } as const;

/** How values came about. */
export type Origin = 'loop' | 'fit' | 'spsa';

/** Adds an entry to the end of a history; UserError if its file holds no list. */
export function recordShipped(history: keyof typeof HISTORIES, origin: Origin, entry: object): void {
  const file = fileURLToPath(projectFile(HISTORIES[history]));
  const entries: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  if (!Array.isArray(entries)) throw new UserError(`${file} is not a list of entries; restore it`);
  writeFileAtomic(file, `${JSON.stringify([...entries, { origin, ...entry }], null, 2)}\n`);
}
