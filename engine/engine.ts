// The engine's entry point for the other packages: search, evaluation, weights and memory. The position is imported from board/ instead.
// Each isolate has one engine.

import { checkWeightSet, parseWeightSet, unusualWeight, weightVectors } from './eval/weight-set.js';
import { WEIGHTS } from './eval/weights.js';
import { setWeights } from './eval/weights-in-use.js';
import { clearHistories } from './search/history-tables.js';
import { kernel } from './search/kernel.js';
import { counters, signals } from './search/plies.js';
import { control, rootPv } from './search/root/control.js';
import { DEFAULT_HASH, DEFAULT_MOVE_OVERHEAD } from './search/root/flags.js';
import { iterate, type SearchInfo, type SearchOptions, type SearchResult } from './search/root/iterate.js';
import { forgetLag } from './search/root/lag.js';
import type { Limits } from './search/root/limits.js';
import { INFINITE, MATE_BOUND } from './search/score.js';
import { clearTable, setHashSize, table } from './search/tt/memory.js';

export { evaluate } from './eval/kernel.js';
export { currentWeights, setWeights } from './eval/weights-in-use.js';
export { control } from './search/root/control.js';
export { PONDER_HIT, STOP, WAKE } from './search/root/flags.js';
export type { RootMove, SearchInfo, SearchOptions, SearchResult } from './search/root/iterate.js';
export type { Limits } from './search/root/limits.js';
export { MATE_BOUND, mateMoves } from './search/score.js';
export { clearHistories, setHashSize };

const DEFAULTS: SearchOptions = { multiPv: 1, moveOverhead: DEFAULT_MOVE_OVERHEAD, onPoll: () => {} };

/**
 * Loads the weights from the text of a weights file, or the built-in ones, and starts a new game. Returns a warning about unusual weights,
 * or null; throws an Error if the text is invalid.
 */
export function useWeights(text?: string): string | null {
  const set = text === undefined ? checkWeightSet(WEIGHTS) : parseWeightSet(text);
  const { mg, eg } = weightVectors(set);
  setWeights(mg, eg);
  // A helper must not clear its leader's table
  if (control.thread > 0) clearHistories();
  else newGame();
  return unusualWeight(set);
}

/** Clears all state of earlier games, so the next search gives the same result as in a fresh process. */
export function newGame(): void {
  clearTable();
  clearHistories();
  forgetLag();
}

/** Searches the position and returns the best move, its score for the side to move in centipawns, and the statistics of the search. */
export function search(
  limits: Limits,
  onInfo?: (info: SearchInfo) => void,
  options: Partial<SearchOptions> = {},
): SearchResult {
  return iterate(limits, { ...DEFAULTS, ...options }, onInfo);
}

// A helper thread uses its leader's table
if (table.ints.length === 0) setHashSize(DEFAULT_HASH);

/**
 * Returns the principal variation of the quiescence search; empty in a quiet position, or if the score is a mate. The position does not
 * change. The line may depend on searches since newGame(), because it uses the transposition table and the correction histories.
 */
export function resolveQuiet(): Move[] {
  signals.stopped = 0;
  counters.nextPoll = counters.nodes;
  control.nodeLimit = Number.POSITIVE_INFINITY;
  control.deadline = Number.POSITIVE_INFINITY;
  kernel.startAtRoot();
  const score = kernel.qsearch(-INFINITE, INFINITE, 0, 0);
  return Math.abs(score) >= MATE_BOUND ? [] : rootPv();
}
