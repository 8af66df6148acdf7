// openProducer(): the producer selected by the options; ROWS_OPTIONS are those for other engines.

import { UserError } from '../../selfplay/common/errors.js';
import { list, text } from '../../selfplay/common/options.js';
import { rowsFiles } from './file.js';
import type { Producer } from './producer.js';
import { programRows } from './program-rows.js';
import { type GamesSettings, tracedGames } from './traced-games.js';

/** The rows of a file are those of the fit: whoever printed them has chosen and resolved the positions. */
const OF_GAMES = ['data', 'per-game', 'skip-plies', 'max-score', 'skip-decided', 'resolve'];

export const ROWS_OPTIONS = {
  rows: list({
    default: [] as readonly string[],
    conflicts: OF_GAMES,
    defaultText: 'none',
    help: "rows of another engine's evaluation (docs/any-engine.md), plain or .gz, in place of --data; repeatable",
  }),
  trace: text({
    conflicts: ['rows', 're-resolve'],
    defaultText: "Heft's own",
    help: "program that prints the rows of another engine for the positions of --data, for example './engine trace'",
  }),
};

export interface SourceSettings extends GamesSettings {
  rows: readonly string[];
  trace?: string;
}

/** Returns where the rows come from; UserError if the options name no data, or a file is none of rows. */
export async function openProducer(settings: SourceSettings): Promise<Producer> {
  const { data, rows, trace } = settings;
  if (rows.length > 0) return rowsFiles(rows);
  if (data.length === 0) throw new UserError('--data (games) or --rows (rows of another engine) is missing', 2);
  return trace === undefined ? tracedGames(settings) : programRows(settings, trace);
}
