// Comparison of two moves: the difference in each idea, in centipawns.

import type { Difference, Explanation } from './explanation.js';
import { inPawns } from './sentences.js';

/** Minimum difference in centipawns that is mentioned, and maximum number of differences per move. */
const LEAST = 8;
const MOST = 4;

/** The fields of an explanation that a comparison needs. */
type Explained = Pick<Explanation, 'score' | 'san' | 'reasons' | 'search'>;

/** Returns the differences between two explained moves (first minus second), largest first. */
export function differences(move: Explained, against: Explained): Difference[] {
  if ('mate' in move.score || 'mate' in against.score) return [];
  const titles = new Map([...move.reasons, ...against.reasons].map(({ idea, title }) => [idea, title]));
  const cpOf = ({ reasons }: Explained, wanted: string): number => reasons.find(({ idea }) => idea === wanted)?.cp ?? 0;
  return [...titles]
    .map(([idea, title]): Difference => ({ idea, title, cp: cpOf(move, idea) - cpOf(against, idea) }))
    .concat({ idea: 'search', title: 'Search', cp: move.search - against.search })
    .filter(({ cp }) => cp !== 0)
    .sort((a, b) => Math.abs(b.cp) - Math.abs(a.cp));
}

function scored(san: string, { score }: Explained): string {
  if (!('mate' in score)) return `${san} scores ${inPawns(score.cp)}`;
  return score.mate > 0 ? `${san} mates in ${score.mate}` : `${san} allows mate in ${-score.mate}`;
}

/** Returns the comparison as sentences. */
export function compareMoves(move: Explained, against: Explained): string[] {
  const [first, second] = [move.san[0], against.san[0]];
  const opening =
    'mate' in move.score || 'mate' in against.score
      ? `${scored(first, move)} and ${scored(second, against)}.`
      : `${scored(first, move)} and ${second} ${inPawns(against.score.cp)}.`;
  // `move` is skipped, because every position has a side to move
  const found = differences(move, against).filter(({ idea, cp }) => idea !== 'move' && Math.abs(cp) >= LEAST);
  const side = (isFor: boolean): string =>
    found
      .filter(({ cp }) => cp > 0 === isFor)
      .slice(0, MOST)
      .map(({ title, cp }) => `${title[0].toLowerCase()}${title.slice(1)} (${inPawns(Math.abs(cp)).slice(1)})`)
      .join(', ');
  return [
    opening,
    ...(side(true) === '' ? [] : [`In favour of ${first}: ${side(true)}.`]),
    ...(side(false) === '' ? [] : [`In favour of ${second}: ${side(false)}.`]),
  ];
}
