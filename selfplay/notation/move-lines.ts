// Reads opening lists without move numbers, with one game per line, such as `e2e4 e7e5` or `d4 d5 c4`. Such files have no tags, numbers or
// results, so only the legality of the moves distinguishes one game per line from one game over several lines.

import { GameDraft } from './draft.js';
import { readGame } from './game.js';

const NUMBER = /^\d+[.…]*$/;

/** If some lines are illegal: minimum share of legal lines, and minimum number of lines. */
const MOST = 0.75;
const SEVERAL = 4;

/**
 * Returns one game per line if all lines together are not a legal game, but each line is, or most of at least SEVERAL lines are. Otherwise
 * the draft is one game.
 */
export function gamesOfLines(draft: GameDraft): GameDraft[] {
  const { tags, result, fault, words, wordLines, variations } = draft;
  const isBare = tags.size === 0 && result === null && fault === null && variations === 0;
  if (!isBare || wordLines.at(0) === wordLines.at(-1) || words.some((word) => NUMBER.test(word))) return [draft];
  if (isWhole(draft)) return [draft];
  const games = linesOf(draft);
  const legal = games.filter(isWhole).length;
  return legal === games.length || (games.length >= SEVERAL && legal >= MOST * games.length) ? games : [draft];
}

function isWhole(draft: GameDraft): boolean {
  const { game, fault } = readGame(draft);
  return fault === null && game.moves.length > 0;
}

function linesOf({ words, wordLines, comments, commentsAt }: GameDraft): GameDraft[] {
  const games: GameDraft[] = [];
  let first = 0;
  let next = 0;
  words.forEach((word, i) => {
    if (i === 0 || wordLines[i] !== wordLines[i - 1]) {
      games.push({ ...new GameDraft(wordLines[i]), hasText: true });
      first = i;
    }
    const game = games[games.length - 1];
    game.words.push(word);
    game.wordLines.push(wordLines[i]);
    for (; next < comments.length && commentsAt[next] <= i + 1; next++) {
      game.comments.push(comments[next]);
      game.commentsAt.push(i + 1 - first);
    }
  });
  return games;
}
