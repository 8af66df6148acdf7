// Reads the movetext of a single game.

import type { GameDraft } from '../../selfplay/notation/draft.js';
import { type ReadGame, readGame } from '../../selfplay/notation/game.js';
import { Scanner } from '../../selfplay/notation/scanner.js';

/** Returns the drafts of the games of a PGN text. */
export function draftsOf(text: string): GameDraft[] {
  const scanner = new Scanner();
  return [...scanner.push({ lines: text.split('\n'), first: 1, tooLong: [] }), ...scanner.finish()];
}

/** Returns the single game of a movetext, from the start position or a given FEN. */
export function readMovetext(text: string, fen?: string): ReadGame {
  const draft = Scanner.movetextOf(text.split('\n'), 1);
  if (draft === undefined) throw new Error('no game in the text');
  if (fen !== undefined) draft.tags.set('FEN', fen);
  return readGame(draft);
}
