// Facts that the reader of labelled positions collects about a file: numbers of lines by kind, the format, and the order of the games.

import { UserError } from '../common/errors.js';
import { SeenItems } from '../common/seen.js';
import { quoted } from '../common/wording.js';
import { TextFacts } from '../text/files.js';
import type { ScaleName } from './scale.js';
import type { Table } from './table.js';

/**
 * Number of lines by kind; a block of Stockfish's plain text counts as one line. `lines` = blank + comments + headers + positions +
 * problems, except that damage to a compressed file is a problem without a line.
 */
export interface LineCounts {
  lines: number;
  blank: number;
  comments: number;
  headers: number;
}

/** Returns counts that are all zero. */
export const noLines = (): LineCounts => ({ lines: 0, blank: 0, comments: 0, headers: 0 });

/** Format detected in a file; complete after its last line. */
export class LabelFacts {
  readonly text = new TextFacts();
  form = 'lines';
  table: Table | null = null;
  scale: ScaleName | null = null;
}

/** Checks that the lines of a game are adjacent. Otherwise its parts would count as several games, in the split and as evidence. */
export class GameOrder {
  private game: string | undefined;
  private readonly seen = new SeenItems();

  /** Records the game of the next line. Throws a UserError if the game has occurred before, but not in the previous line. */
  check(game: string | undefined, file: string, line: number): void {
    if (game === this.game) return;
    this.game = game;
    if (game !== undefined && this.seen.add(game))
      throw new UserError(
        `${file}:${line}: game ${quoted(game)} appears again after another one; sort the lines by game`,
      );
  }
}
