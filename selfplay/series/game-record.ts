// Converts a match's game to a training record of the searched moves, from the position after the opening.

import { formatFen, parseFen } from '../../engine/board/fen.js';
import { makeMove } from '../../engine/board/kernel.js';
import { halfPoints } from '../common/game-result.js';
import { type GameRecord, startFromPosition, UNSCORED } from '../records/record.js';
import type { PlayedGame } from './game.js';

/** Returns the record, or null for a game without moves or ended by an engine's failure. Uses the engine's position. */
export function recordOfGame(game: PlayedGame): GameRecord | null {
  const { start, moves, bookPlies, scores, result, offender } = game;
  if (offender !== undefined || moves.length === bookPlies) return null;
  parseFen(start);
  for (const move of moves.slice(0, bookPlies)) makeMove(move);
  // Set up again: the rights of a position do not depend on how it was reached
  parseFen(formatFen());
  return {
    start: startFromPosition(),
    result: halfPoints(result),
    moves: Uint16Array.from(moves.slice(bookPlies)),
    scores: Int16Array.from(scores, (score) => score ?? UNSCORED),
  };
}
