// filmGame(): one self-play game of a generation, chosen only by result and length.

import { UserError } from '../../selfplay/common/errors.js';
import { type GameResult, resultText } from '../../selfplay/common/game-result.js';
import { boardsOf } from '../../selfplay/page/replay.js';
import { formatScore, pgnOfRecord } from '../../selfplay/records/pgn.js';
import { readRecords } from '../../selfplay/records/reader.js';
import type { GameRecord } from '../../selfplay/records/record.js';
import { count } from '../../selfplay/web/page.js';

/** Explanation of the choice for readers. */
export const GAME_RULE = 'The first of the decisive games of median length.';

export interface FilmGame {
  /** Its number and result. */
  title: string;
  /** Board fields of all FENs from the start, each with the move that led to it and White's score in pawns before it. */
  boards: string[];
  moves: string[];
}

/** Game properties used for the choice. */
interface GameSize {
  result: GameRecord['result'];
  plies: number;
}

/** Returns the index of the first decisive game of median length, or of all games if none is decisive; -1 without games. */
export function typicalGame(games: readonly GameSize[]): number {
  const isDecided = games.some(({ result }) => result !== 1);
  const isChosen = ({ result }: GameSize): boolean => !isDecided || result !== 1;
  const lengths = games.filter(isChosen).map(({ plies }) => plies);
  const median = lengths.toSorted((a, b) => a - b)[(lengths.length - 1) >> 1];
  return games.findIndex((game) => isChosen(game) && game.plies === median);
}

/** Returns the typical game of a self-play run, or null if its games are missing or damaged. Uses the engine's position. */
export async function filmGame(folder: string): Promise<FilmGame | null> {
  // Games are read twice, because a generation may not fit into memory
  const sizes: GameSize[] = [];
  let index = -1;
  let game: GameRecord | null;
  try {
    for await (const { result, moves } of readRecords([folder])) sizes.push({ result, plies: moves.length });
    index = typicalGame(sizes);
    game = await gameAt(folder, index);
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
  if (game === null) return null;
  const { start, moves, scores = [] } = pgnOfRecord(game);
  const walk = boardsOf(start as string, moves);
  const scored = (move: string, i: number): string => {
    const score = scores[i - 1] ?? null;
    return score === null ? move : `${move} (${formatScore(score)})`;
  };
  const result = resultText((game.result / 2) as GameResult);
  return {
    title: `Game ${count(index + 1)} of ${count(sizes.length)}: ${result}`,
    boards: walk.boards,
    moves: walk.moves.map(scored),
  };
}

async function gameAt(folder: string, index: number): Promise<GameRecord | null> {
  let at = 0;
  if (index >= 0) for await (const game of readRecords([folder])) if (at++ === index) return game;
  return null;
}
