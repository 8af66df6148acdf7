// framesOf(): the frames of a loop's film, one per generation, from its ledger and folder. Frame 0 is the start.

import type { WeightSet } from '../../engine/eval/weight-set.js';
import { readWeights } from '../../selfplay/common/weights.js';
import type { LoopFolder } from '../generations/folder.js';
import { bestBefore } from '../generations/ledger.js';
import type { Ledger, PoolEntry } from '../generations/settings.js';
import { verdictOf } from '../generations/story.js';
import type { Strength, Strengths } from '../generations/strength.js';
import { RunTimes, type Spent, totalOf } from '../generations/times.js';
import { PIECES } from '../model/names.js';
import { type FilmGame, filmGame } from './game.js';

export interface Frame {
  /** Number of the generation whose weights played its games. */
  played: number;
  verdict: string;
  accepted: boolean;
  weights: WeightSet;
  /** Match against the weights that it began with (null if not played), and its rating. */
  gain: (Strength & { isEarly: boolean }) | null;
  height: Strength;
  /** Against opponents outside the loop. */
  pool: readonly PoolEntry[];
  /** Self-play games and time of the run so far. */
  games: number;
  spent: Spent | null;
  game: FilmGame | null;
}

/** Returns a frame for the start and for each generation. Uses the engine's position. */
export async function framesOf({ generations }: Ledger, folder: LoopFolder, { ratings }: Strengths): Promise<Frame[]> {
  const times = new RunTimes(folder.path).read();
  const frames: Frame[] = [
    {
      played: 0,
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
    frames.push({
      played: bestBefore(generations, generation),
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

/** Returns the tables of the six pieces, each for middlegame and endgame, from a1. */
export function boardsOfWeights({ terms }: WeightSet): number[][] {
  const rows = PIECES.map((_, piece) => terms['psqt'].slice(64 * piece, 64 * (piece + 1)));
  return rows.flatMap((row) => [0, 1].map((phase) => row.map((value) => value[phase])));
}
