// Which positions of a game the fit sees. The records keep everything; filters and sampling happen here, as part of
// the tuner's settings. A few positions of many games teach more than many positions of few games, because all
// positions of a game share one result.

import { isInCheck } from '../../engine/board/attacked.js';
import type { Move } from '../../engine/board/move.js';
import { createRandom, randomBelow } from '../../engine/board/random.js';
import { isNoisy } from '../../engine/search/movepicker.js';
import { MATE_BOUND } from '../../engine/search/score.js';
import { type GameRecord, replay, UNSCORED } from '../../selfplay/records/record.js';

/** How positions come to be quiet. */
export const RESOLUTIONS = ['none', 'qsearch', 'search'] as const;

export interface FilterSettings {
  /** Recorded plies left out at the start of each game. */
  skipPlies: number;
  /** Largest score in centipawns, either side; null for no limit but mates. */
  maxScore: number | null;
  /** From where on the winner stays this many centipawns ahead the rest of a game is left out; null to keep it. */
  decided: number | null;
  /** Positions taken from a game at most. */
  perGame: number;
  /**
   * `none`: only quiet positions as they are. `qsearch`: also positions with a noisy best move, each replaced by the quiet end of its
   * quiescence search. `search`: each replaced by the quiet end of a shallow search's principal variation.
   */
  resolve: (typeof RESOLUTIONS)[number];
  /** Positions that nobody can win by the rules count as drawn, whatever came of the game. */
  exactDraws?: boolean;
  seed: number;
}

/** Why positions are left out; `illegal`: impossible, or of a game that breaks the rules; `known`: endgames that no weight decides. */
export const SKIP_REASONS = [
  'opening',
  'inCheck',
  'noisy',
  'mate',
  'score',
  'decided',
  'illegal',
  'sampling',
  'known',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];
export type Skipped = Record<SkipReason, number>;

/** Returns zero for every reason. */
export function noneSkipped(): Skipped {
  return { opening: 0, inCheck: 0, noisy: 0, mate: 0, score: 0, decided: 0, illegal: 0, sampling: 0, known: 0 };
}

/** Adds the counts of `more` to `sum`. */
export function addSkipped(sum: Skipped, more: Skipped): void {
  for (const reason of SKIP_REASONS) sum[reason] += more[reason];
}

/**
 * Returns the plies of the positions to take, ascending, and counts the others into `skipped`.
 * The choice depends on the seed and the game's index only. Throws RecordError if the game breaks the rules.
 */
export function choosePlies(game: GameRecord, index: number, filter: FilterSettings, skipped: Skipped): number[] {
  const candidates: number[] = [];
  const decidedFrom = filter.decided === null ? game.moves.length : decidedPly(game, filter.decided);
  const visit = (move: Move, score: number, ply: number): void => {
    const reason =
      ply < filter.skipPlies ? 'opening' : ply >= decidedFrom ? 'decided' : skipReason(score, filter, move);
    if (reason === null) candidates.push(ply);
    else skipped[reason]++;
  };
  replay(game, visit, { checked: true, index });
  skipped.sampling += Math.max(0, candidates.length - filter.perGame);
  return sample(candidates, filter.perGame, createRandom(filter.seed, index));
}

/** Returns the ply from which on every score that is known is the winner's by `limit` centipawns. */
function decidedPly({ result, scores }: GameRecord, limit: number): number {
  if (result === 1) return scores.length;
  const sign = result - 1;
  let ply = scores.length;
  while (ply > 0 && (scores[ply - 1] === UNSCORED || sign * scores[ply - 1] >= limit)) ply--;
  return ply;
}

/** Returns why the present position is of no use, or null; `move` is what was played in it, if anything. */
export function skipReason(score: number, filter: FilterSettings, move?: Move): SkipReason | null {
  const size = score === UNSCORED ? 0 : Math.abs(score);
  if (size > MATE_BOUND) return 'mate';
  if (filter.maxScore !== null && size > filter.maxScore) return 'score';
  if (isInCheck()) return 'inCheck';
  // The static evaluation before a capture or promotion says little
  return filter.resolve === 'none' && move !== undefined && isNoisy(move) ? 'noisy' : null;
}

/** Chooses `count` of the items at random, in their order: the first steps of a Fisher–Yates shuffle. */
function sample(items: number[], count: number, random: () => number): number[] {
  if (items.length <= count) return items;
  for (let i = 0; i < count; i++) {
    const j = i + randomBelow(random, items.length - i);
    [items[i], items[j]] = [items[j], items[i]];
  }
  return items.slice(0, count).sort((a, b) => a - b);
}
