// labelGame() labels sampled positions of a game. A label consists of a position (the sampled one, or the quiet one at the end of its
// principal variation), the score of a new search from there, and the result of the game. The score of the search that found the variation
// would add little to a fit, because it almost equals the static evaluation of the quiet position. A label also has the leaf of the new
// search, the position at the end of its principal variation, so a fit can update the score to other weights (leaf-rounds.ts).

import { existsSync, readFileSync, truncateSync } from 'node:fs';
import { formatFen } from '../../engine/board/fen.js';
import { isInCheck, makeMove, unmakeMove } from '../../engine/board/kernel.js';
import { state } from '../../engine/board/position.js';
import { gameEnd } from '../../engine/board/rules.js';
import { WHITE } from '../../engine/board/types.js';
import { evaluate, MATE_BOUND, newGame, resolveQuiet, search } from '../../engine/engine.js';
import { UserError } from '../../selfplay/common/errors.js';
import type { SourcedGame } from '../../selfplay/records/game-kind.js';
import { openingHash } from '../../selfplay/records/record.js';
import type { ShardContent } from '../../selfplay/records/sharded-run.js';
import { type FilterSettings, noneSkipped, playToQuiet, visitSample } from '../trace/sample.js';

export const LABEL_COLUMNS = 'fen,score,result,game,opening,leaf,leaf_score';

/** Ratio of the hard to the soft node limit of a search. */
const HARD_FACTOR = 8;

/** Settings of labelGame(): the choice of positions, and the node limit of their searches. */
export interface Labelling {
  filter: FilterSettings;
  /** Soft node limit of each search. */
  nodes: number;
}

/**
 * Returns the labels of a game as CSV lines with the columns LABEL_COLUMNS, and scores in centipawns for White. The labels depend only on
 * the arguments and on the weights in use, because each search starts with empty tables. Throws a RecordError for an illegal game.
 */
export function labelGame(game: SourcedGame, index: number, { filter, nodes }: Labelling): string[] {
  const { resolve } = filter;
  const limits = { softNodes: nodes, nodes: HARD_FACTOR * nodes };
  const labels: string[] = [];
  // Positions in check, and positions with a noisy move in the game, are not searched
  const sampling = { ...filter, resolve: 'none', skipPlies: Math.max(filter.skipPlies, game.bookPlies) } as const;
  visitSample(game, index, sampling, noneSkipped(), () => {
    // The line must not depend on earlier searches
    if (resolve !== 'none') newGame();
    const line = playToQuiet(resolve, limits);
    // The label must not depend on the search that led here, because table entries could hide a capture
    newGame();
    const isQuiet = resolve === 'none' || resolveQuiet().length === 0;
    if (isQuiet && !isInCheck() && gameEnd() === null) {
      const { score, pv } = search(limits);
      const label = [formatFen(), forWhite(score), game.result / 2, index, openingHash(game)];
      if (Math.abs(score) < MATE_BOUND) labels.push([...label, ...leafOf(pv)].join());
    }
    for (const move of line.reverse()) unmakeMove(move);
  });
  return labels;
}

const forWhite = (score: number): number => (state.stm === WHITE || score === 0 ? score : -score);

/**
 * Returns the leaf at the end of the variation as FEN, and its static evaluation in centipawns for White. Both are empty if the leaf is in
 * check or ends the game. The position does not change.
 */
function leafOf(pv: readonly Move[]): [fen: string, evaluation: number | string] {
  for (const move of pv) makeMove(move);
  const hasEvaluation = !isInCheck() && gameEnd() === null;
  const leaf: [string, number | string] = hasEvaluation ? [formatFen(), forWhite(evaluate())] : ['', ''];
  for (const move of pv.toReversed()) unmakeMove(move);
  return leaf;
}

// A label file grows game by game. If the process was killed, the last game may be incomplete. It is then removed and labelled again.

const HEADER = `${LABEL_COLUMNS}\n`;

/** Contents of a label file: games, labels (as `positions`) and bytes. */
export interface LabelFile extends ShardContent {
  bytes: number;
}

/**
 * Removes the last game, which may be incomplete, from a label file of the games from `first` to `end` (exclusive). Returns the remaining
 * contents. Throws a UserError for a file with other contents.
 */
export function mendLabels(file: string, first: number, end: number): LabelFile {
  if (!existsSync(file)) return { games: 0, positions: 0, bytes: 0 };
  const text = readFileSync(file, 'utf8');
  const lines = text.split('\n').slice(0, -1);
  const games = lines.slice(1).map((line) => Number(line.split(',')[3]));
  const isOurs = HEADER.startsWith(text.slice(0, HEADER.length)) && games.every((game) => game >= first && game < end);
  if (!isOurs) throw new UserError(`${file} contains lines that are not labels of this run; delete it`);
  const next = games.at(-1) ?? first;
  const positions = games.indexOf(next);
  const kept = positions <= 0 ? '' : `${lines.slice(0, positions + 1).join('\n')}\n`;
  truncateSync(file, Buffer.byteLength(kept));
  return { games: next - first, positions: Math.max(0, positions), bytes: Buffer.byteLength(kept) };
}

/** Returns the text to append to a file for the labels of a game; in an empty file, the header comes first. */
export const encodeLabels = (labels: readonly string[], { bytes }: LabelFile): string =>
  `${bytes === 0 ? HEADER : ''}${labels.map((label) => `${label}\n`).join('')}`;
