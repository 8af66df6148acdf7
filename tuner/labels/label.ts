// labelGame(): the labels of a game's sampled positions. A label is the quiet end of a search's best line, its score by a second search,
// and the result of the game. The first search's score would add little to a fit, because it is nearly the static evaluation of that end.

import { formatFen } from '../../engine/board/fen.js';
import { isInCheck, unmakeMove } from '../../engine/board/kernel.js';
import { state } from '../../engine/board/position.js';
import { gameEnd } from '../../engine/board/rules.js';
import { WHITE } from '../../engine/board/types.js';
import { MATE_BOUND, newGame, resolveQuiet, search } from '../../engine/engine.js';
import type { SourcedGame } from '../../selfplay/records/reader.js';
import { type FilterSettings, noneSkipped, openingHash, playToQuiet, visitSample } from '../trace/sample.js';

/** The first line of a file of labels. */
export const LABEL_HEADER = 'fen,score,result,game,opening';
/** Ratio of the hard to the soft limit of a search. */
const HARD_FACTOR = 8;

/** Which positions of a game are labelled, and how. */
export interface Labelling {
  filter: FilterSettings;
  /** Soft limit of each search. */
  nodes: number;
}

/**
 * Returns the labels of the game with this index, one per line; they depend only on the arguments. Throws a RecordError for an illegal
 * game.
 */
export function labelGame(game: SourcedGame, index: number, { filter, nodes }: Labelling): string[] {
  const { resolve } = filter;
  const limits = { softNodes: nodes, nodes: HARD_FACTOR * nodes };
  const labels: string[] = [];
  // Only positions that are quiet before they are searched
  const sampling = { ...filter, resolve: 'none', skipPlies: Math.max(filter.skipPlies, game.bookPlies) } as const;
  visitSample(game, index, sampling, noneSkipped(), () => {
    // A label must not depend on earlier searches
    newGame();
    const line = playToQuiet(resolve, limits);
    // Table entries of the first search might hide a capture
    newGame();
    if (isLabelled(resolve)) {
      const { score } = search(limits);
      const white = state.stm === WHITE || score === 0 ? score : -score;
      const label = [formatFen(), white, game.result / 2, index, openingHash(game)];
      if (Math.abs(score) < MATE_BOUND) labels.push(label.join());
    }
    for (const move of line.reverse()) unmakeMove(move);
  });
  return labels;
}

/** Returns whether the end of the line is quiet and not the end of the game. */
function isLabelled(resolve: FilterSettings['resolve']): boolean {
  const isQuiet = resolve === 'none' || resolveQuiet().length === 0;
  return isQuiet && !isInCheck() && gameEnd() === null;
}
