// Comparison of two moves: the difference in each idea, in centipawns.

import type { Difference, Explanation } from './explanation.js';
import { inPawns } from './sentences.js';

/** Smallest difference that is mentioned, in centipawns, and maximum number of differences per move. */
const LEAST = 8;
const MOST = 4;

/** Returns the differences between two explained moves (first minus second), largest first; none if a score is a mate. */
export function differences(move: Explanation, against: Explanation): Difference[] {
  if ('mate' in move.score || 'mate' in against.score) return [];
  const titles = new Map([...move.reasons, ...against.reasons].map(({ idea, title }) => [idea, title]));
  const cpOf = ({ reasons }: Explanation, wanted: string): number =>
    reasons.find(({ idea }) => idea === wanted)?.cp ?? 0;
  return [...titles]
    .map(([idea, title]): Difference => ({ idea, title, cp: cpOf(move, idea) - cpOf(against, idea) }))
    .concat({ idea: 'search', title: 'Search', cp: move.search - against.search })
    .filter(({ cp }) => cp !== 0)
    .sort((a, b) => Math.abs(b.cp) - Math.abs(a.cp));
}

function scored(san: string, { score }: Explanation): string {
  if (!('mate' in score)) return `${san} scores ${inPawns(score.cp)}`;
  return score.mate > 0 ? `${san} mates in ${score.mate}` : `${san} allows mate in ${-score.mate}`;
}

/** Returns the comparison as sentences. */
export function compareMoves(move: Explanation, against: Explanation): string[] {
  const [first, second] = [move.san[0], against.san[0]];
  const opening =
    'mate' in move.score || 'mate' in against.score
      ? `${scored(first, move)} and ${scored(second, against)}.`
      : `${scored(first, move)} and ${second} ${inPawns(against.score.cp)}.`;
  // The idea `move` is skipped, because every position has a side to move
  const found = differences(move, against).filter(({ idea, cp }) => idea !== 'move' && Math.abs(cp) >= LEAST);
  const inFavourOf = (san: string, isFirst: boolean): string[] => {
    const words = found
      .filter(({ cp }) => cp > 0 === isFirst)
      .slice(0, MOST)
      .map(({ title, cp }) => `${title[0].toLowerCase()}${title.slice(1)} (${inPawns(Math.abs(cp)).slice(1)})`);
    return words.length === 0 ? [] : [`In favour of ${san}: ${words.join(', ')}.`];
  };
  return [opening, ...inFavourOf(first, true), ...inFavourOf(second, false)];
}
