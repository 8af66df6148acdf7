// framesOf(): the frames of a loop's film, one per generation, from the loop's ledger and folder. Frame 0 is the start.

import type { WeightSet } from '../../engine/eval/weight-set.js';
import { UserError } from '../../selfplay/common/errors.js';
import { resultTextOf } from '../../selfplay/common/game-result.js';
import { readWeights } from '../../selfplay/common/weights.js';
import { thousands } from '../../selfplay/common/wording.js';
import { boardsOf } from '../../selfplay/live/replay.js';
import { readRecords } from '../../selfplay/records/game-reader.js';
import { pgnOfRecord, scoreInPawns } from '../../selfplay/records/pgn.js';
import type { GameRecord } from '../../selfplay/records/record.js';
import type { LoopFolder } from '../generations/folder.js';
import { bestBefore } from '../generations/ledger.js';
import type { Ledger, PoolEntry } from '../generations/settings.js';
import { verdictOf } from '../generations/story.js';
import type { Strength, Strengths } from '../generations/strength.js';
import { readTimes, type Spent, totalOf } from '../generations/times.js';
import { PIECES } from '../model/names.js';

export interface Frame {
  /** Name of the generation whose weights played the self-play games of this generation. */
  player: string;
  verdict: string;
  accepted: boolean;
  weights: WeightSet;
  /** Result of the match against the weights from which the generation started; null without a match. */
  gain: (Strength & { isEarly: boolean }) | null;
  /** Rating of the generation from all matches of the loop. */
  height: Strength;
  /** Matches against opponents outside the loop. */
  pool: readonly PoolEntry[];
  /** Self-play games and time of the run so far. */
  games: number;
  spent: Spent | null;
  game: FilmGame | null;
}

/** Returns a frame for the start and for each generation. Overwrites the engine's position. */
export async function framesOf({ generations }: Ledger, folder: LoopFolder, { ratings }: Strengths): Promise<Frame[]> {
  const times = readTimes(folder.path);
  const frames: Frame[] = [
    {
      player: 'the start',
      verdict: 'the start',
      accepted: true,
      weights: readWeights(folder.weights(0)),
      gain: null,
      height: ratings[0],
      pool: [],
      games: 0,
      spent: { wall: 0, cpu: 0 },
      game: null,
    },
  ];
  for (const [i, entry] of generations.entries()) {
    const { generation, match, accepted } = entry;
    const played = bestBefore(generations, generation);
    frames.push({
      player: played === 0 ? 'the start' : `generation ${played}`,
      verdict: verdictOf(entry),
      accepted,
      weights: readWeights(folder.weights(generation)),
      gain: match === null ? null : { elo: match.elo, error: match.eloError, isEarly: match.verdict !== null },
      height: ratings[generation],
      pool: entry.pool,
      games: frames[i].games + entry.games,
      spent: totalOf(generations.slice(0, i + 1).map((before) => times[before.generation])),
      game: await filmGame(folder.games(generation)),
    });
  }
  return frames;
}

/** Returns twelve tables of 64 values from a1: middlegame and endgame of each of the six pieces. */
export function boardsOfWeights({ terms }: WeightSet): number[][] {
  const rows = PIECES.map((_, piece) => terms['psqt'].slice(64 * piece, 64 * (piece + 1)));
  return rows.flatMap((row) => [0, 1].map((phase) => row.map((value) => value[phase])));
}

// filmGame(): one self-play game of a generation, chosen by result and length to show typical play.

/** Selection rule of typicalGame(), as shown on the page. */
export const GAME_RULE =
  'The first decisive game of median length, or the first game of median length if all were drawn.';

interface FilmGame {
  /** Number and result of the game. */
  title: string;
  /** Piece placement (first FEN field) of every position of the game. */
  boards: string[];
  /** The move that led to each position (`start` for the first), with its search score, if any, in pawns for White. */
  moves: string[];
}

/** Game properties used for the choice. */
interface GameSize {
  result: GameRecord['result'];
  plies: number;
}

/** Returns the index of the first decisive game of median length (of any result if none is decisive), or -1 without games. */
export function typicalGame(games: readonly GameSize[]): number {
  const isDecided = games.some(({ result }) => result !== 1);
  const isChosen = ({ result }: GameSize): boolean => !isDecided || result !== 1;
  const lengths = games.filter(isChosen).map(({ plies }) => plies);
  const median = lengths.toSorted((a, b) => a - b)[(lengths.length - 1) >> 1];
  return games.findIndex((game) => isChosen(game) && game.plies === median);
}

/** Returns the typical game of a self-play run, or null if its games are missing or damaged. Overwrites the engine's position. */
async function filmGame(folder: string): Promise<FilmGame | null> {
  // The games are read twice, because they may not fit into memory
  const sizes: GameSize[] = [];
  try {
    for await (const { result, moves } of readRecords([folder])) sizes.push({ result, plies: moves.length });
    const index = typicalGame(sizes);
    let at = 0;
    for await (const game of readRecords([folder])) if (at++ === index) return shownGame(game, index, sizes.length);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
  }
  return null;
}

function shownGame(game: GameRecord, index: number, games: number): FilmGame {
  const { start, moves, scores = [] } = pgnOfRecord(game);
  const walk = boardsOf(start as string, moves);
  const scored = (move: string, i: number): string => {
    const score = scores[i - 1] ?? null;
    return score === null ? move : `${move} (${scoreInPawns(score)})`;
  };
  return {
    title: `Game ${thousands(index + 1)} of ${thousands(games)}: ${resultTextOf(game.result)}`,
    boards: walk.boards,
    moves: walk.moves.map(scored),
  };
}
