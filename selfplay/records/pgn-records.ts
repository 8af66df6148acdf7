// Converts PGN games to records: scores from the comments, from White's side and for the position before the move. Games whose
// termination says nothing about the positions are excluded.

import { parseFen, STARTPOS } from '../../engine/board/fen.js';
import { WHITE } from '../../engine/board/types.js';
import { halfPointsOf } from '../common/game-result.js';
import { parseComment } from './pgn-comments.js';
import type { PgnGame } from './pgn-reader.js';
import { type GameRecord, startFromPosition, UNSCORED } from './record.js';

/** Terminations, as cutechess, fastchess, c-chess-cli and lichess write them, that are no verdict on the positions played. */
const NO_VERDICT = [
  'time forfeit',
  'abandoned',
  'stalled connection',
  'illegal move',
  'unterminated',
  'rules infraction',
];

/** Returns why the game is of no use as a record, or null if it is. */
export function exclusionOf(game: PgnGame): string | null {
  if (game.result === '*') return 'unfinished';
  const termination = game.tags.get('Termination')?.toLowerCase() ?? '';
  return NO_VERDICT.includes(termination) ? termination : null;
}

/** Returns the record of a finished game and its leading book moves. Uses the engine's position. */
export function recordOfPgn(game: PgnGame): { record: GameRecord; bookPlies: number } {
  const result = halfPointsOf(game.result);
  if (result === undefined) throw new RangeError('an unfinished game is no record');
  parseFen(game.tags.get('FEN') ?? STARTPOS);
  const start = startFromPosition();
  const scores = new Int16Array(game.moves.length).fill(UNSCORED);
  let bookPlies = 0;
  game.comments.forEach((comment, ply) => {
    const { score, isLichess, isBook } = parseComment(comment);
    if (isBook && bookPlies === ply) bookPlies++;
    if (score === null) return;
    if (isLichess) {
      if (ply + 1 < scores.length) scores[ply + 1] = score;
    } else {
      scores[ply] = (start.sideToMove === WHITE) === (ply % 2 === 0) ? score : -score;
    }
  });
  return { record: { start, result, moves: Uint16Array.from(game.moves), scores }, bookPlies };
}
