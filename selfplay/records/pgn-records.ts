// Converts PGN games to records: scores from the comments, from White's side and for the position before the move. Games whose
// termination says nothing about the positions are excluded.

import { halfPointsOf } from '../common/game-result.js';
import { parseFen, STARTPOS, WHITE } from '../notation/board.js';
import { terminationOf } from '../notation/exclusions.js';
import type { PgnGame } from '../notation/game.js';
import { parseComment } from './comments.js';
import { type GameRecord, startFromPosition, UNSCORED } from './record.js';

/** Returns why the game is of no use as a record, or null if it is. */
export function exclusionOf(game: PgnGame): string | null {
  if (game.variant !== '') return `variant ${game.variant}`;
  if (game.result === '*') return 'unfinished';
  return terminationOf(game.tags).reason ?? (game.moves.length === 0 ? 'no moves' : null);
}

/** Returns the record of a finished game and its leading book moves. Uses the reader's board. */
export function recordOfPgn(game: PgnGame): { record: GameRecord; bookPlies: number } {
  const result = halfPointsOf(game.result);
  if (result === undefined) throw new RangeError('an unfinished game is no record');
  parseFen(game.tags.get('FEN') ?? STARTPOS);
  const start = startFromPosition();
  const isWhiteFirst = start.sideToMove === WHITE;
  const scores = new Int16Array(game.moves.length).fill(UNSCORED);
  let bookPlies = 0;
  game.comments.forEach((comment, ply) => {
    if (comment === '') return;
    const { score, kind, isBook } = parseComment(comment);
    if (isBook && bookPlies === ply) bookPlies++;
    if (score === null) return;
    const isWhite = isWhiteFirst === (ply % 2 === 0);
    if (kind === 'after') {
      if (ply + 1 < scores.length) scores[ply + 1] = score;
    } else scores[ply] = kind === 'white' || isWhite || score === 0 ? score : -score;
  });
  return { record: { start, result, moves: Uint16Array.from(game.moves), scores }, bookPlies };
}
