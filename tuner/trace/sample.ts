// FILTER_OPTIONS and visitSample(): the choice of positions from a game. A few positions of many games are more informative than many
// positions of few games, because the positions of a game share one result.

import { isInCheck, makeMove } from '../../engine/board/kernel.js';
import { state, wholePosition } from '../../engine/board/position.js';
import { MAX_HISTORY, undo } from '../../engine/board/workspace.js';
import { type Limits, MATE_BOUND, resolveQuiet, search } from '../../engine/engine.js';
import { createRandom, randomBelow } from '../../engine/kernel/random.js';
import { isNoisy } from '../../engine/search/movepicker.js';
import { choice, type SettingsOf, whole } from '../../selfplay/common/options.js';
import { type GameRecord, replay, UNSCORED } from '../../selfplay/records/record.js';

/** Ways to obtain quiet positions. */
export const RESOLUTIONS = ['none', 'qsearch', 'search'] as const;

/** The options that select positions of games. */
export const SAMPLE_OPTIONS = {
  'per-game': whole('maximum number of positions from a recorded game', { min: 1, default: 30, identity: true }),
  'skip-plies': whole('plies to skip at the start of each recorded game', { default: 0, identity: true }),
  'max-score': whole('maximum score of a sampled position (cp)', { identity: true }),
  'skip-decided': whole('skip the rest of a recorded game once its winner stays this far ahead (cp)', {
    min: 1,
    identity: true,
  }),
  seed: whole('seed for the sampling and the split', { default: 1, identity: true }),
};

/** The options that select positions and their resolution. */
export const FILTER_OPTIONS = {
  ...SAMPLE_OPTIONS,
  resolve: choice(
    'none: quiet positions only; qsearch: quiet position at the end of a quiescence search; search: quiet position at the end of a shallow search',
    RESOLUTIONS,
    { default: 'none' as const, identity: true },
  ),
};

export type FilterSettings = SettingsOf<typeof FILTER_OPTIONS>;

/** Reasons for excluding positions, as shown in the data summary. */
export const SKIP_REASONS = {
  opening: 'opening and book plies',
  inCheck: 'in check',
  noisy: 'noisy move played',
  mate: 'mate score',
  score: 'score too large',
  decided: 'decided games',
  /** Impossible positions, and all positions of an illegal game. */
  illegal: 'illegal',
  sampling: 'not sampled',
  /** Endgames whose value is known exactly, and positions that another engine's program skips. */
  known: 'known endgames',
} as const;
export type SkipReason = keyof typeof SKIP_REASONS;
export type Skipped = Record<SkipReason, number>;

/** Returns zero for every reason. */
export const noneSkipped = (): Skipped =>
  Object.fromEntries(Object.keys(SKIP_REASONS).map((reason) => [reason, 0])) as Skipped;

/** Adds the counts of `more` to `sum`. */
export function addSkipped(sum: Skipped, more: Skipped): void {
  for (const reason of Object.keys(sum) as SkipReason[]) sum[reason] += more[reason];
}

/** A candidate position: its ply, and its place in `kept`. */
interface Candidate {
  ply: number;
  place: number;
}

/**
 * Replays the game, calls `visit` at each sampled position in order, and counts the other positions in `skipped`. The random numbers depend
 * only on the seed and the game's index. Throws a RecordError, before the first visit, for an illegal game.
 */
export function visitSample(
  game: GameRecord,
  index: number,
  filter: FilterSettings,
  skipped: Skipped,
  visit: (score: number, ply: number) => void,
): void {
  const candidates: Candidate[] = [];
  let place = 0;
  const decidedFrom = filter.skipDecided === undefined ? game.moves.length : decidedPly(game, filter.skipDecided);
  const consider = (move: Move, score: number, ply: number): void => {
    const reason =
      ply < filter.skipPlies ? 'opening' : ply >= decidedFrom ? 'decided' : skipReason(score, filter, move);
    if (reason !== null) {
      skipped[reason]++;
      return;
    }
    candidates.push({ ply, place });
    place = keepPosition(place);
  };
  replay(game, consider, index);
  skipped.sampling += Math.max(0, candidates.length - filter.perGame);
  for (const taken of sample(candidates, filter.perGame, createRandom(filter.seed, index))) {
    returnTo(taken.place);
    visit(game.scores[taken.ply], taken.ply);
  }
}

/**
 * Returns the ply of the first score that, like all later ones, favours the winner by at least `limit` centipawns. Drawn games and games
 * without scores are never decided.
 */
function decidedPly({ result, scores }: GameRecord, limit: number): number {
  let decided = scores.length;
  if (result === 1) return decided;
  const sign = result - 1;
  for (let ply = scores.length - 1; ply >= 0; ply--) {
    if (scores[ply] === UNSCORED) continue;
    if (sign * scores[ply] < limit) break;
    decided = ply;
  }
  return decided;
}

/** Returns the reason to exclude the current position, or null; `move` is the move played, if any. */
export function skipReason(score: number, filter: FilterSettings, move?: Move): SkipReason | null {
  const size = score === UNSCORED ? 0 : Math.abs(score);
  if (size > MATE_BOUND) return 'mate';
  if (filter.maxScore !== undefined && size > filter.maxScore) return 'score';
  if (isInCheck()) return 'inCheck';
  // The static evaluation before a capture or promotion is unreliable
  return filter.resolve === 'none' && move !== undefined && isNoisy(move) ? 'noisy' : null;
}

/** Returns `count` random items, in their original order, by the first steps of a Fisher–Yates shuffle. */
function sample(items: Candidate[], count: number, random: () => number): Candidate[] {
  if (items.length <= count) return items;
  for (let i = 0; i < count; i++) {
    const j = i + randomBelow(random, items.length - i);
    [items[i], items[j]] = [items[j], items[i]];
  }
  return items.slice(0, count).sort((a, b) => a.ply - b.ply);
}

// keepPosition() and returnTo(): copies of positions during a replay. The sample is drawn only at the end of the game, and restoring a copy
// is faster than replaying the moves.

/** The keys of earlier positions, two words per move. */
const history = new Int32Array(undo.key.buffer, undo.key.byteOffset, 2 * MAX_HISTORY);
let kept = new Int32Array(1 << 16);

/** Stores the position, with the keys of positions that may recur, at a place; returns the next free place. */
function keepPosition(place: number): number {
  const start = place + wholePosition.length;
  const words = 2 * state.undoTop;
  const end = start + words;
  if (end > kept.length) {
    const larger = new Int32Array(2 * end);
    larger.set(kept);
    kept = larger;
  }
  kept.set(wholePosition, place);
  for (let i = 0; i < words; i++) kept[start + i] = history[i];
  return end;
}

/** Restores a position of the same game from its place. The moves that led to it cannot be unmade. */
function returnTo(place: number): void {
  const start = place + wholePosition.length;
  wholePosition.set(kept.subarray(place, start));
  history.set(kept.subarray(start, start + 2 * state.undoTop));
}

// A quiet position has a more reliable static evaluation than the position that it replaces

/** Plays the moves from the current position to the quiet one, and returns them; `limits` apply only if `resolve` is `search`. */
export function playToQuiet(resolve: FilterSettings['resolve'], limits: Limits): Move[] {
  const line: Move[] = [];
  const play = (moves: readonly Move[]): void => {
    for (const move of moves) makeMove(move);
    line.push(...moves);
  };
  if (resolve === 'search') {
    const { score, pv } = search(limits);
    if (Math.abs(score) < MATE_BOUND) play(pv);
  }
  if (resolve !== 'none') play(resolveQuiet());
  return line;
}
