// A label file that grows game by game, synced after each. A killed process can leave a partial last game, which is removed and labelled
// again.

import { existsSync, readFileSync, truncateSync } from 'node:fs';
import { UserError } from '../../selfplay/common/errors.js';
import type { Held } from '../../selfplay/records/sharded-run.js';
import { LABEL_HEADER } from './label.js';

const HEADER = `${LABEL_HEADER}\n`;

/** Contents of a label file: games, labels and bytes. */
export interface Labelled extends Held {
  bytes: number;
}

/**
 * Removes the possibly partial last game from a file and returns the remaining contents, games from `first` to before `end`; throws a
 * UserError for other contents.
 */
export function mendLabels(file: string, first: number, end: number): Labelled {
  if (!existsSync(file)) return { games: 0, positions: 0, bytes: 0 };
  const text = readFileSync(file, 'utf8');
  const lines = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(0, -1);
  const games = lines.slice(1).map((line) => Number(line.split(',')[3]));
  const isOurs = HEADER.startsWith(text.slice(0, HEADER.length)) && games.every((game) => game >= first && game < end);
  if (!isOurs) throw new UserError(`${file} holds foreign lines; delete it`);
  const next = games.at(-1) ?? first;
  const positions = games.indexOf(next);
  const kept = positions <= 0 ? '' : `${lines.slice(0, positions + 1).join('\n')}\n`;
  truncateSync(file, Buffer.byteLength(kept));
  return { games: next - first, positions: Math.max(0, positions), bytes: Buffer.byteLength(kept) };
}

/** Returns the labels of the next game as lines, after the header in an empty file. */
export const encodeLabels = (labels: readonly string[], { bytes }: Labelled): string =>
  `${bytes === 0 ? HEADER : ''}${labels.map((label) => `${label}\n`).join('')}`;
