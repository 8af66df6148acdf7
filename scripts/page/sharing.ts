// Games as PGN and as links, and the state of the page that survives a reload.

import { parseFen } from '../../engine/board/fen.js';
import { advanceGame, parseUciMove } from '../../engine/board/rules.js';
import { needsChess960 } from '../../selfplay/games/board.js';
import { formatPgn, pgnDate } from '../../selfplay/records/pgn.js';
import type { Outcome } from './clock.js';
import { afterMove, emptyGame, type Game, present } from './game.js';

const START = emptyGame()[0].fen;

/** Returns the game as PGN, with these player names, the result of a finished game, and the time control, if any. */
export function pgnOf(
  game: Game,
  [white, black]: readonly [string, string],
  outcome: Outcome | null,
  timeControl?: string,
): string {
  const [{ fen }] = game;
  parseFen(fen);
  const chess960 = needsChess960();
  const moves = present(game).moves.map((text) => {
    const move = parseUciMove(text);
    advanceGame(move);
    return move;
  });
  return formatPgn({
    event: 'Game on the Heft page',
    date: pgnDate(new Date()),
    white,
    black,
    result: outcome?.result ?? '*',
    start: fen,
    chess960,
    moves,
    ...(outcome?.termination && { termination: outcome.termination }),
    ...(timeControl !== undefined && { timeControl }),
  });
}

/**
 * Puts the game into the page's address, and the values of the fields into the browser's history, where they survive a reload. A shared
 * link does not contain them.
 */
export function remember(game: Game, fields: readonly HTMLSelectElement[]): void {
  const url = new URL(location.href);
  url.hash = hashOf(game);
  history.replaceState(Object.fromEntries(fields.map(({ id, value }) => [id, value])), '', url);
}

/** Restores the values of the fields after a reload. */
export function recall(fields: readonly HTMLSelectElement[]): void {
  for (const field of fields) {
    const value: unknown = history.state?.[field.id];
    // The page may have been updated meanwhile
    if (Array.from(field.options).some((option) => option.value === value)) field.value = value as string;
  }
}

/** Returns the URL fragment that contains the game, with its `#`; '' for the start position. */
function hashOf(game: Game): string {
  const [{ fen }] = game;
  const parts = [
    ...(fen === START ? [] : [`fen=${fen.replaceAll(' ', '_')}`]),
    ...(game.length > 1 ? [`moves=${present(game).moves.join(',')}`] : []),
  ];
  return parts.length === 0 ? '' : `#${parts.join('&')}`;
}

/** Returns the game in such a fragment; throws an Error if it is invalid. */
export function gameOfHash(hash: string): Game {
  const parts = new URLSearchParams(hash.replace(/^#/, ''));
  const fen = parts.get('fen')?.replaceAll('_', ' ');
  const moves = (parts.get('moves') ?? '').split(',').filter(Boolean);
  return moves.reduce(afterMove, emptyGame(fen));
}
