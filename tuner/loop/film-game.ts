// filmGame(): one game of a generation's self-play to play through, chosen by a rule that looks at results and lengths only.

import { UserError } from '../../selfplay/common/errors.js';
import { type GameResult, resultText } from '../../selfplay/common/game-result.js';
import { count } from '../../selfplay/html/page.js';
import { boardsOf } from '../../selfplay/page/replay.js';
import { formatScore, pgnOfRecord } from '../../selfplay/records/pgn.js';
import type { GameRecord } from '../../selfplay/records/record.js';
import { readRecords } from '../../selfplay/records/record-reader.js';

/** What readers are told of the choice. */
export const GAME_RULE = 'The first of the decisive games of median length.';

export interface FilmGame {
  /** Its number and result. */
  title: string;
  /** Board fields of the FENs from the start on, and the move that leads to each with White's score in pawns before it. */
  boards: string[];
  moves: string[];
}

/** Returns the index of the first decisive game that is as long as the median of them (of all games where none is decisive); -1 without games. */
export function typicalGame(games: readonly Pick<GameRecord, 'result' | 'moves'>[]): number {
  const isDecided = games.some(({ result }) => result !== 1);
  const isChosen = ({ result }: Pick<GameRecord, 'result'>): boolean => !isDecided || result !== 1;
  const lengths = games.filter(isChosen).map(({ moves }) => moves.length);
  const median = lengths.toSorted((a, b) => a - b)[(lengths.length - 1) >> 1];
  return games.findIndex((game) => isChosen(game) && game.moves.length === median);
}

/** Returns the typical game of a self-play run, null where its games are gone or damaged. Uses the engine's position. */
export async function filmGame(folder: string): Promise<FilmGame | null> {
  const games: GameRecord[] = [];
  try {
    for await (const game of readRecords([folder])) games.push(game);
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
  const index = typicalGame(games);
  if (index < 0) return null;
  const { start, moves, scores = [] } = pgnOfRecord(games[index]);
  const walk = boardsOf(start as string, moves);
  const scored = (move: string, i: number): string => {
    const score = scores[i - 1] ?? null;
    return score === null ? move : `${move} (${formatScore(score)})`;
  };
  const result = resultText((games[index].result / 2) as GameResult);
  return {
    title: `Game ${count(index + 1)} of ${count(games.length)}: ${result}`,
    boards: walk.boards,
    moves: walk.moves.map(scored),
  };
}
